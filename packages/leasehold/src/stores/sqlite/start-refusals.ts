import { hasProceeded } from '../../domain/acquire.ts';
import type { AcquireAnswer } from '../../domain/answers.ts';
import { skipStreakMessage } from '../../domain/alert-messages.ts';
import type { SkipReason } from '../../domain/run.ts';
import { isSkipStreak } from '../../domain/skip-streak.ts';
import type { SlotState } from '../../domain/slot.ts';
import type { NewEvent } from './events.ts';
import { storeSkipsInRow } from './locks.ts';
import { writeStart } from './runs.ts';
import { nameSlot } from './slots.ts';
import { headingOf, NOTHING_HELD, type Start, tell } from './start.ts';
import { alreadyRanAnswer, skippedAnswer } from './start-answers.ts';

/** Starts that do not begin: stored, and told unless the caller will ask again. */

/**
 * A start that has proceeded before is told and no more: its row is that of the run that has, or had,
 * the lock. Any other is stored. And unless the caller will ask again for it, it is an event once and,
 * if it was skipped because a run is still running, counted once; every 3rd, 6th, 12th … in a row is a streak.
 */
export function skip(start: Start, reason: SkipReason): AcquireAnswer {
  const { session, request, lock, seen, now } = start;
  if (seen !== null && hasProceeded(seen.outcome)) return skippedAnswer(headingOf(start), lock, reason, now);
  const isLastAsk = !request.waiting;
  const counts = isLastAsk && reason === 'held' && seen?.isCounted !== true;
  const tells = isLastAsk && (counts || seen?.isTold !== true);
  const skipsInRow = lock.skipsInRow + (counts ? 1 : 0);
  if (counts) storeSkipsInRow(session, lock.name, skipsInRow);
  nameSlot(session, request, false, now);
  const answer = skippedAnswer(headingOf(start), { ...lock, skipsInRow }, reason, now);
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
  const data = { reason, currentRunId: lock.runId };
  if (tells) tell(start, 'run.skipped', skipSeverity(reason), answer.message, data);
  if (counts && isSkipStreak(skipsInRow)) {
    const message = skipStreakMessage({ ...lock, skipsInRow }, now);
    tell(start, 'run.skip_streak', 'critical', message, { skipsInRow, currentRunId: lock.runId });
  }
  return answer;
}

function skipSeverity(reason: SkipReason): NewEvent['severity'] {
  if (reason === 'hold') return 'critical';
  return reason === 'held' ? 'warning' : 'info';
}

/** The slot is done: said, and told once per start. It is no skip, so it counts in no row of skips. */
export function alreadyRan(start: Start, slot: SlotState): AcquireAnswer {
  const { session, request, lock, seen, now } = start;
  const wasTold = seen !== null && seen.outcome === 'already_ran' && seen.isTold;
  const tells = !request.waiting && !wasTold;
  const answer = alreadyRanAnswer(headingOf(start), lock, slot);
  writeStart(session, request, {
    ...NOTHING_HELD,
    outcome: 'already_ran',
    previousRunId: slot.runId,
    startedAt: now,
    ageMs: null,
    // That it was told as a skip before doesn't say this.
    isTold: tells || wasTold,
    isCounted: seen?.isCounted === true,
    message: answer.message,
  });
  if (tells) {
    const slotAt = request.slotAt?.toISOString() ?? null;
    tell(start, 'run.already_ran', 'info', answer.message, { slotAt, earlierRunId: slot.runId });
  }
  return answer;
}
