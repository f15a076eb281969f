import { type AcquireDecision, decideAcquire } from '../../domain/acquire.ts';
import type { AcquireAnswer } from '../../domain/answers.ts';
import { NO_PROBING, type ProbeFirstAnswer } from '../../domain/evidence.ts';
import { acquiredMessage, bypassedMessage, reclaimedMessage, replayMessage } from '../../domain/messages.ts';
import type { Ids } from '../../ports/ids.ts';
import type { AcquireRequest, ProbingRequest } from '../../ports/store.ts';
import { extendAndSkip, probeFirst } from './evidence.ts';
import { createLock, findLock, findLockToWrite, grantLock } from './locks.ts';
import { notePlan } from './plan.ts';
import { findStart, loseRun, writeStart } from './runs.ts';
import type { Session } from './session.ts';
import { findSlot, nameSlot } from './slots.ts';
import { headingOf, NOTHING_HELD, type Start, tell } from './start.ts';
import { bypassedAnswer, grantedAnswer } from './start-answers.ts';
import { alreadyRan, skip } from './start-refusals.ts';

/**
 * A start: reads the lock's row, the row of the same start and the slot it names, lets the domain
 * decide, writes what was decided, all in one transaction whose write lock is held already.
 */

const NOTES_PLAN: ReadonlySet<AcquireDecision['kind']> = new Set(['grant', 'skip', 'extend', 'already_ran']);

type GrantDecision = Extract<AcquireDecision, { kind: 'grant' }>;
type WrittenDecision = Exclude<AcquireDecision, { kind: 'probe_first' }>;

/** By the clock alone, which never asks anybody first. */
export function acquire(session: Session, request: AcquireRequest, ids: Ids, now: number): AcquireAnswer {
  return acquireOrProbe(session, { ...request, ...NO_PROBING }, ids, now) as AcquireAnswer;
}

export function acquireOrProbe(
  session: Session,
  request: ProbingRequest,
  ids: Ids,
  now: number,
): AcquireAnswer | ProbeFirstAnswer {
  const seen = findStart(session, request);
  // A bypass leaves the lock as it is, also one whose lease ends too far away.
  const isBypass = request.bypassReason !== null && (seen === null || seen.token === null);
  const found = isBypass ? findLock(session, request.lock) : findLockToWrite(session, request.lock, now);
  const lock = found ?? createLock(session, request.lock);
  const slot = findSlot(session, request);
  const start: Start = { session, request, lock, seen, now };
  const decision = decideAcquire(lock, seen, slot, request, now);
  if (decision.kind === 'probe_first') return probeFirst(lock, now);
  const answer = carryOut(start, decision, ids);
  // A repeat has told its plan before, and a bypass has nothing to do with the lock's row.
  if (NOTES_PLAN.has(decision.kind)) notePlan(session, request, lock, answer.proceed, now);
  return answer;
}

function carryOut(start: Start, decision: WrittenDecision, ids: Ids): AcquireAnswer {
  switch (decision.kind) {
    case 'grant':
      return grant(start, decision, ids.newId());
    case 'replay':
      return replay(start);
    case 'replay_bypass':
      return replayBypass(start);
    case 'bypass':
      return bypass(start, decision.reason);
    case 'already_ran':
      return alreadyRan(start, decision.slot);
    case 'extend':
      return extendAndSkip(start, decision);
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
  const met = { ageMs: previous?.ageMs ?? null, previous, previousRunId: previous?.runId ?? null };
  const row = { outcome, reason: null, fence, token, startedAt: now, ...met, message };
  writeStart(session, request, { ...row, isTold: false, isCounted: false });
  nameSlot(session, request, true, now);
  if (previous !== null) tell(start, 'lease.reclaimed', 'warning', message, { previous });
  const given = { outcome, previous, token, fence, leaseUntil, skipsInRow: 0, message };
  return grantedAnswer(headingOf(start), given, now);
}

/** The same start again, whose answer may have been lost. Writes nothing. */
function replay(start: Start): AcquireAnswer {
  const { request, lock, seen, now } = start;
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
  return grantedAnswer(headingOf(start, seen?.slotAt), again, now);
}

function bypass(start: Start, reason: string): AcquireAnswer {
  const { session, request, lock, now } = start;
  const message = bypassedMessage(lock.name, reason);
  const row = { ...NOTHING_HELD, startedAt: now, ageMs: null, message };
  writeStart(session, request, { ...row, outcome: 'bypassed', isTold: true, isCounted: false });
  tell(start, 'run.bypassed', 'warning', message, { reason });
  return bypassedAnswer(headingOf(start), lock, { reason, message });
}

/** The same bypass again. Writes nothing. */
function replayBypass(start: Start): AcquireAnswer {
  const { lock, seen } = start;
  const told = { reason: seen?.bypassReason ?? '', message: seen?.message ?? '' };
  return bypassedAnswer(headingOf(start, seen?.slotAt), lock, told);
}
