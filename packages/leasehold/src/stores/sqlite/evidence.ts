import type { AcquireDecision } from '../../domain/acquire.ts';
import type { AcquireAnswer } from '../../domain/answers.ts';
import type { ProbeFirstAnswer } from '../../domain/evidence.ts';
import type { LockState } from '../../domain/lock-state.ts';
import { extendedMessage } from '../../domain/messages.ts';
import { appendEvent } from './events.ts';
import { extendLock } from './locks.ts';
import type { Start } from './start.ts';
import { skip } from './start-refusals.ts';

/** What a probe's word about a holder leaves in the store. */

/** Says whom to ask about which lease. Writes nothing. */
export function probeFirst(lock: LockState, now: number): ProbeFirstAnswer {
  const { name, fence, leaseUntil, holder, runId, holderInfo } = lock;
  return {
    outcome: 'probe_first',
    lock: name,
    fence,
    leaseUntil: leaseUntil === null ? null : new Date(leaseUntil),
    remainingMs: Math.max(0, (leaseUntil ?? now) - now),
    holder,
    runId,
    holderInfo: holderInfo ?? {},
  };
}

/** The holder is alive: its lease goes on, which is told as its run's event, and the start meets a live lease. */
export function extendAndSkip(
  start: Start,
  { leaseUntil, detail }: Extract<AcquireDecision, { kind: 'extend' }>,
): AcquireAnswer {
  const { session, lock, now } = start;
  const { name, runId, holder } = lock;
  extendLock(session, name, leaseUntil);
  appendEvent(session, {
    at: now,
    kind: 'lease.extended',
    severity: 'info',
    lock: name,
    runId,
    holder,
    message: extendedMessage(lock, detail, leaseUntil),
    data: {
      endedAt: new Date(lock.leaseUntil ?? now).toISOString(),
      leaseUntil: new Date(leaseUntil).toISOString(),
      probe: detail,
    },
  });
  return skip({ ...start, lock: { ...lock, leaseUntil } }, 'held');
}
