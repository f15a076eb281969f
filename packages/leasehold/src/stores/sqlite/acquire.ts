import { type AcquireDecision, decideAcquire, hasProceeded } from '../../domain/acquire.ts';
import type { AcquireAnswer } from '../../domain/answers.ts';
import type { LockState } from '../../domain/lock-state.ts';
import { acquiredMessage, bypassedMessage, reclaimedMessage, replayMessage } from '../../domain/messages.ts';
import type { SkipReason } from '../../domain/run.ts';
import type { Ids } from '../../ports/ids.ts';
import type { AcquireRequest } from '../../ports/store.ts';
import { appendEvent, type NewEvent } from './events.ts';
import { createLock, findLockToWrite, grantLock, storeSkipsInRow } from './locks.ts';
import type { SeenRun } from './rows.ts';
import { findStart, loseRun, writeStart } from './runs.ts';
import type { Session } from './session.ts';
import { bypassedAnswer, grantedAnswer, skippedAnswer } from './start-answers.ts';

/**
 * A start: reads the lock's row and the row of the same start, lets the domain decide, writes what
 * was decided, all in one transaction whose write lock is held already.
 */

/** What every step of one start works on. */
interface Start {
  readonly session: Session;
  readonly request: AcquireRequest;
  readonly lock: LockState;
  /** The row of this very start, if it was seen before. */
  readonly seen: SeenRun | null;
  readonly now: number;
}

type GrantDecision = Extract<AcquireDecision, { kind: 'grant' }>;

export function acquire(session: Session, request: AcquireRequest, ids: Ids, now: number): AcquireAnswer {
  const lock = findLockToWrite(session, request.lock, now) ?? createLock(session, request.lock);
  const seen = findStart(session, request);
  const start: Start = { session, request, lock, seen, now };
  const decision = decideAcquire(lock, seen, request, now);
  switch (decision.kind) {
    case 'grant':
      return grant(start, decision, ids.newId());
    case 'replay':
      return replay(start);
    case 'replay_bypass':
      return replayBypass(start);
    case 'bypass':
      return bypass(start, decision.reason);
    case 'skip':
      return skip(start, decision.reason);
  }
}

function grant(start: Start, { outcome, previous }: GrantDecision, token: string): AcquireAnswer {
  const { session, request, lock, now } = start;
  const { leaseMs } = request;
  const fence = lock.fence + 1;
  const leaseUntil = now + leaseMs;
  const how = { forced: lock.drainUntil !== null, releasedItself: lock.token === null };
  const message =
    previous === null
      ? acquiredMessage(lock.name, fence, leaseMs, leaseUntil)
      : reclaimedMessage(lock.name, previous, how);
  if (lock.token !== null) loseRun(session, { lock: lock.name, token: lock.token, renewedAt: lock.renewedAt }, now);
  grantLock(session, lock.name, { ...request, fence, token, leaseUntil }, now);
  const ageMs = previous?.ageMs ?? null;
  const row = { outcome, reason: null, fence, token, startedAt: now, ageMs, previous, message };
  writeStart(session, request, { ...row, isTold: false, isCounted: false });
  if (previous !== null) tell(start, 'lease.reclaimed', 'warning', message, { previous });
  return grantedAnswer(request, { outcome, previous, token, fence, leaseUntil, skipsInRow: 0, message }, now);
}

/** The same start again, whose answer may have been lost. Writes nothing. */
function replay({ request, lock, seen, now }: Start): AcquireAnswer {
  const leaseUntil = lock.leaseUntil ?? now;
  const again = {
    outcome: seen?.outcome === 'reclaimed' ? ('reclaimed' as const) : ('acquired' as const),
    previous: seen?.previous ?? null,
    token: lock.token ?? '',
    fence: seen?.fence ?? lock.fence,
    leaseUntil,
    skipsInRow: lock.skipsInRow,
    message: replayMessage(lock.name, request.runId, leaseUntil),
  };
  return grantedAnswer({ ...request, slotAt: seen?.slotAt ?? null }, again, now);
}

/** The same start again, passed by already. Writes nothing. */
function replayBypass({ request, lock, seen }: Start): AcquireAnswer {
  const told = { reason: seen?.bypassReason ?? '', message: seen?.message ?? '' };
  return bypassedAnswer({ ...request, slotAt: seen?.slotAt ?? null }, lock, told);
}

const NOTHING_HELD = { fence: null, token: null, previous: null, reason: null } as const;

function bypass(start: Start, reason: string): AcquireAnswer {
  const { session, request, lock, now } = start;
  const message = bypassedMessage(lock.name, reason);
  const row = { ...NOTHING_HELD, startedAt: now, ageMs: null, message };
  writeStart(session, request, { ...row, outcome: 'bypassed', isTold: true, isCounted: false });
  tell(start, 'run.bypassed', 'warning', message, { reason });
  return bypassedAnswer(request, lock, { reason, message });
}

/**
 * A start that has proceeded before is told and no more: its row is that of the run that has, or had,
 * the lock. Any other is stored. And unless the caller will ask again for it, it is an event once and,
 * if it was skipped because a run is still running, counted once.
 */
function skip(start: Start, reason: SkipReason): AcquireAnswer {
  const { session, request, lock, seen, now } = start;
  if (seen !== null && hasProceeded(seen.outcome)) return skippedAnswer(request, lock, reason, now);
  const isLastAsk = !request.waiting;
  const counts = isLastAsk && reason === 'held' && seen?.isCounted !== true;
  const tells = isLastAsk && (counts || seen?.isTold !== true);
  const skipsInRow = lock.skipsInRow + (counts ? 1 : 0);
  if (counts) storeSkipsInRow(session, lock.name, skipsInRow);
  const answer = skippedAnswer(request, { ...lock, skipsInRow }, reason, now);
  writeStart(session, request, {
    ...NOTHING_HELD,
    outcome: 'skipped',
    reason,
    startedAt: now,
    ageMs: answer.current.ageMs,
    isTold: tells || seen?.isTold === true,
    isCounted: counts || seen?.isCounted === true,
    message: answer.message,
  });
  if (tells) tell(start, 'run.skipped', skipSeverity(reason), answer.message, { reason });
  return answer;
}

function skipSeverity(reason: SkipReason): NewEvent['severity'] {
  if (reason === 'hold') return 'critical';
  return reason === 'held' ? 'warning' : 'info';
}

function tell(
  { session, request, now }: Start,
  kind: NewEvent['kind'],
  severity: NewEvent['severity'],
  message: string,
  data: NewEvent['data'],
): void {
  const { lock, runId, holder } = request;
  appendEvent(session, { at: now, kind, severity, lock, runId, holder, message, data });
}
