import type { Start } from '../../engine/api.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';

/**
 * Tells the store which process group the command runs in, so that it can be proven that both have ended.
 *
 * The command runs already and is not held up. A renewal says it; if that fails, the next one of the
 * heartbeat does. Until one has got through, a probe says `unknown` of a wrapper that was killed, and the
 * lease ends by itself.
 *
 * Never rejects. The release waits for a renewal that is under way, so that none arrives after it.
 */
export async function tellChild({ context, plan }: Guard, { groupId }: Child, start: Start): Promise<void> {
  const isHeld = start.outcome === 'acquired' || start.outcome === 'reclaimed';
  const childGroup = groupId === null || !isHeld ? null : context.host.childGroup(groupId);
  if (childGroup === null) return;
  const { holderInfo, withholdRenewal } = plan.start;
  const extendable = withholdRenewal === undefined ? {} : { extendable: false };
  await start.renew({ holderInfo: { ...holderInfo, ...extendable, childGroup } }).catch(() => {});
}
