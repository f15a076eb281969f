import type { LockState } from '../../domain/lock-state.ts';
import { elapsedOfLease, type NearEndHow, nearEndLevel, nearEndMessage } from '../../domain/watch.ts';
import { appendEvent } from './events.ts';
import type { Session } from './session.ts';

/** Tells that a lease is nearly over, if it is and nobody has. True where it was told; the caller remembers it. */
export function tellNearEnd(session: Session, lock: LockState, how: NearEndHow, now: number): boolean {
  const level = nearEndLevel(lock, now);
  if (level === null) return false;
  appendEvent(session, {
    at: now,
    kind: 'lease.near_end',
    severity: 'warning',
    lock: lock.name,
    runId: lock.runId,
    holder: lock.holder,
    message: nearEndMessage(lock, level, how, now),
    data: { level, elapsedMs: elapsedOfLease(lock, now), leaseMs: lock.leaseMs },
  });
  return true;
}
