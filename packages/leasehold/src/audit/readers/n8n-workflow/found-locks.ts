import { termsAt } from '../../graph/empty-locks.ts';
import { doing, type Flow, nameOf, reachedFrom } from '../../graph/flow.ts';
import { holds } from '../../graph/gates.ts';
import type { FoundLock } from '../../model/workflow.ts';
import { redact } from '../../redact.ts';

/** Of one workflow. */
const LOCKS_MAX = 10;

/** Locks that hold for a lease that stands there, as long as nothing on the way renews it or asks for it again. */
export function foundLocks(flow: Flow): readonly FoundLock[] {
  return flow.order
    .flatMap((at): readonly FoundLock[] => {
      const leaseMs = termsAt(flow, at)?.leaseMs ?? null;
      if (leaseMs === null || !holds(flow, at)) return [];
      const after = [...reachedFrom(flow, [at])].filter((node) => node !== at);
      const isKept = after.some(
        (node) => doing(flow, node)?.call?.does === 'renew' || doing(flow, node)?.guard === 'lock',
      );
      return isKept ? [] : [{ node: redact(nameOf(flow, at)), leaseMs }];
    })
    .slice(0, LOCKS_MAX);
}
