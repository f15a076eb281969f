import type { Start } from '../../engine/api.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';

/**
 * Tells the store which process group the command runs in, so that it can be proven that both have ended.
 *
 * Nobody waits for it: the command runs already. A renewal says it; if that fails, the next one of the
 * heartbeat does. Until one has got through, a probe says `unknown` of a wrapper that was killed, and the
 * lease ends by itself.
 */
export function tellChild({ context, plan }: Guard, { groupId }: Child, start: Start): void {
  const isHeld = start.outcome === 'acquired' || start.outcome === 'reclaimed';
  const childGroup = groupId === null || !isHeld ? null : context.host.childGroup(groupId);
  if (childGroup === null) return;
  const { holderInfo, withholdRenewal } = plan.start;
  const extendable = withholdRenewal === undefined ? {} : { extendable: false };
  void start.renew({ holderInfo: { ...holderInfo, ...extendable, childGroup } }).catch(() => {});
}
