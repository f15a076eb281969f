import type { AcquireAnswer, CurrentLease, SkippedAnswer } from '../../domain/answers.ts';
import { ageMs, type LockState } from '../../domain/lock-state.ts';
import { skippedMessage } from '../../domain/messages.ts';
import type { PreviousLease, SkipReason } from '../../domain/run.ts';
import type { AcquireRequest } from '../../ports/store.ts';

/** The answers to a start, from what was decided and the lock as it is after the write. */

/** What a start got, and whether it was taken over from another. */
export interface Grant {
  readonly outcome: 'acquired' | 'reclaimed';
  readonly previous: PreviousLease | null;
  readonly token: string;
  readonly fence: number;
  readonly leaseUntil: number;
  readonly skipsInRow: number;
  readonly message: string;
}

export function grantedAnswer(request: AcquireRequest, grant: Grant, now: number): AcquireAnswer {
  const { outcome, previous, leaseUntil, ...given } = grant;
  const { lock, runId, slotAt } = request;
  const answer = { proceed: true as const, lock, runId, slotAt, missed: [], ...given };
  const lease = { leaseUntil: new Date(leaseUntil), remainingMs: leaseUntil - now };
  if (outcome === 'acquired') return { outcome, ...answer, ...lease };
  // A reclaim whose story was cut from its row by hand still says that there was one.
  return { outcome, ...answer, ...lease, previous: previous ?? UNKNOWN_LEASE };
}

const UNKNOWN_LEASE: PreviousLease = {
  holder: null,
  runId: null,
  since: null,
  ageMs: null,
  renewedAt: null,
  progress: null,
  probe: null,
};

export function bypassedAnswer(
  request: AcquireRequest,
  { skipsInRow }: LockState,
  told: { readonly reason: string; readonly message: string },
): AcquireAnswer {
  const { lock, runId, slotAt } = request;
  return { outcome: 'bypassed', proceed: true, lock, runId, slotAt, skipsInRow, missed: [], ...told };
}

export function skippedAnswer(
  request: AcquireRequest,
  state: LockState,
  reason: SkipReason,
  now: number,
): SkippedAnswer {
  const { lock, runId, slotAt } = request;
  const { skipsInRow } = state;
  const message = skippedMessage(state, reason, runId, now);
  const current = currentLease(state, now);
  return { outcome: 'skipped', proceed: false, lock, runId, slotAt, skipsInRow, missed: [], message, reason, current };
}

/** The lease that the start met. Of a lock that is cooling: the one whose pause it is. */
function currentLease(lock: LockState, now: number): CurrentLease {
  return {
    holder: lock.holder,
    runId: lock.runId,
    since: lock.since === null ? null : new Date(lock.since),
    ageMs: ageMs(lock.since, now),
    remainingMs: lock.leaseUntil === null ? null : Math.max(0, lock.leaseUntil - now),
  };
}
