import type { AcquireAnswer, AlreadyRanAnswer, CurrentLease, SkippedAnswer } from '../../domain/answers.ts';
import { ageMs, type LockState } from '../../domain/lock-state.ts';
import { alreadyRanMessage, skippedMessage } from '../../domain/messages.ts';
import type { PreviousLease, SkipReason } from '../../domain/run.ts';
import type { SlotState } from '../../domain/slot.ts';

/** The answers to a start, from what was decided and the lock as it is after the write. */

/** What every answer says of its start. */
export interface Heading {
  readonly lock: string;
  readonly runId: string;
  readonly slotAt: Date | null;
  readonly missed: readonly Date[];
}

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

export function grantedAnswer(heading: Heading, grant: Grant, now: number): AcquireAnswer {
  const { outcome, previous, leaseUntil, ...given } = grant;
  const answer = { proceed: true as const, ...heading, ...given };
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
  heading: Heading,
  { skipsInRow }: LockState,
  told: { readonly reason: string; readonly message: string },
): AcquireAnswer {
  return { outcome: 'bypassed', proceed: true, ...heading, skipsInRow, ...told };
}

export function skippedAnswer(heading: Heading, state: LockState, reason: SkipReason, now: number): SkippedAnswer {
  const { skipsInRow } = state;
  const message = skippedMessage(state, reason, heading.runId, now);
  const current = currentLease(state, now);
  return { outcome: 'skipped', proceed: false, ...heading, skipsInRow, message, reason, current };
}

export function alreadyRanAnswer(heading: Heading, { skipsInRow }: LockState, slot: SlotState): AlreadyRanAnswer {
  const { runId, holder, startedAt, endedAt } = slot;
  const message = alreadyRanMessage(heading.lock, heading.slotAt?.getTime() ?? 0, slot);
  const earlier = { runId, holder, startedAt: toDate(startedAt), endedAt: toDate(endedAt) };
  return { outcome: 'already_ran', proceed: false, ...heading, skipsInRow, message, earlier };
}

/** The lease that the start met. Of a lock that is cooling: the one whose pause it is. */
function currentLease(lock: LockState, now: number): CurrentLease {
  return {
    holder: lock.holder,
    runId: lock.runId,
    since: toDate(lock.since),
    ageMs: ageMs(lock.since, now),
    remainingMs: lock.leaseUntil === null ? null : Math.max(0, lock.leaseUntil - now),
  };
}

function toDate(instant: number | null): Date | null {
  return instant === null ? null : new Date(instant);
}
