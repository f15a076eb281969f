import assert from 'node:assert/strict';
import type { AcquireAnswer, AlreadyRanAnswer, BypassedAnswer, SkippedAnswer } from '../../../domain/answers.ts';
import type { ProbeEvidence, ProbeFirstAnswer } from '../../../domain/evidence.ts';
import { newLockState } from '../../../domain/lock-state.ts';
import {
  acquiredMessage,
  alreadyRanMessage,
  bypassedMessage,
  reclaimedMessage,
  replayMessage,
  skippedMessage,
} from '../../../domain/messages.ts';
import type { PreviousLease } from '../../../domain/run.ts';
import { MISSED_SLOTS_MAX } from '../../../domain/slot.ts';
import type { AcquireRequest, ProbingRequest } from '../../../ports/store.ts';
import { assertAge, assertCount, assertInstant, assertKeys, assertSentence } from './value-checks.ts';

/**
 * What holds for every answer to a start, whatever the test is about: exactly the fields of the
 * contract, numbers in their ranges, and the very words of `domain/messages.ts`.
 */

const COMMON = ['outcome', 'proceed', 'lock', 'runId', 'slotAt', 'skipsInRow', 'missed', 'message'];
const GRANTED = [...COMMON, 'token', 'fence', 'leaseUntil', 'remainingMs'];

/** A start, perhaps with evidence. */
type Asked = AcquireRequest & Partial<Pick<ProbingRequest, 'evidence'>>;
type Granted = Extract<AcquireAnswer, { outcome: 'acquired' | 'reclaimed' }>;

export function checkAcquireAnswer(request: Asked, answer: AcquireAnswer): void {
  assert.equal(answer.lock, request.lock, 'lock');
  assert.equal(answer.runId, request.runId, 'runId');
  checkSlots(request, answer);
  assertCount(answer.skipsInRow, 'skipsInRow');
  assertSentence(answer.message);
  switch (answer.outcome) {
    case 'acquired':
    case 'reclaimed':
      checkGranted(request, answer);
      break;
    case 'skipped':
      checkSkipped(answer);
      break;
    case 'bypassed':
      checkBypassed(answer);
      break;
    case 'already_ran':
      checkAlreadyRan(answer);
      break;
    default:
      assert.fail(`unknown outcome ${JSON.stringify(answer)}`);
  }
}

/** A repeat is answered with the slot of its first ask; what was missed lies before that slot, each once, oldest first. */
function checkSlots(request: AcquireRequest, answer: AcquireAnswer): void {
  const { missed, slotAt } = answer;
  const isRepeat = answer.outcome === 'bypassed' || isReplay(request, answer);
  if (!isRepeat) assert.deepEqual(slotAt, request.slotAt, 'slotAt');
  assert.ok(missed.length <= MISSED_SLOTS_MAX, `${missed.length} missed slots`);
  missed.forEach((slot, index) => {
    assertInstant(slot, 'missed');
    const next = missed[index + 1] ?? slotAt;
    assert.ok(next === null || slot < next, `missed slot ${slot.toISOString()} is in its place`);
  });
}

function isReplay(request: AcquireRequest, answer: AcquireAnswer): boolean {
  if (answer.outcome !== 'acquired' && answer.outcome !== 'reclaimed') return false;
  return answer.message === replayMessage(request.lock, request.runId, answer.leaseUntil.getTime());
}

function checkGranted(request: Asked, answer: Granted): void {
  assert.equal(answer.proceed, true, 'proceed');
  assert.equal(typeof answer.token, 'string', 'token');
  assert.notEqual(answer.token, '', 'token');
  assertCount(answer.fence, 'fence', 1);
  assertInstant(answer.leaseUntil, 'leaseUntil');
  assertCount(answer.remainingMs, 'remainingMs', 1);
  const leaseUntil = answer.leaseUntil.getTime();
  if (isReplay(request, answer)) {
    assertKeys(answer, answer.outcome === 'reclaimed' ? [...GRANTED, 'previous'] : GRANTED);
    return;
  }
  assert.ok(answer.remainingMs <= request.leaseMs, 'no more may remain than was asked for');
  assert.equal(answer.skipsInRow, 0, 'a grant ends a row of skips');
  if (answer.outcome === 'acquired') {
    assertKeys(answer, GRANTED);
    assert.equal(answer.message, acquiredMessage(request.lock, answer.fence, request.leaseMs, leaseUntil));
    return;
  }
  assertKeys(answer, [...GRANTED, 'previous']);
  checkPrevious(answer.previous, request.evidence ?? null);
  const wordings = [true, false].flatMap((forced) =>
    [true, false].map((releasedItself) => reclaimedMessage(request.lock, answer.previous, { forced, releasedItself })),
  );
  if (!wordings.includes(answer.message)) assert.equal(answer.message, wordings[3]);
}

function checkPrevious(previous: PreviousLease, evidence: ProbeEvidence | null): void {
  assertKeys(previous, ['holder', 'runId', 'since', 'ageMs', 'renewedAt', 'progress', 'probe']);
  assertAge(previous.ageMs, 'previous.ageMs');
  if (previous.since !== null) assertInstant(previous.since, 'previous.since');
  if (previous.renewedAt !== null) assertInstant(previous.renewedAt, 'previous.renewedAt');
  if (evidence === null) assert.equal(previous.probe, null, 'nobody was asked');
  else if (previous.probe !== null) assert.equal(previous.probe, `${evidence.state}: ${evidence.detail}`);
}

function checkSkipped(answer: SkippedAnswer): void {
  assert.equal(answer.proceed, false, 'proceed');
  assertKeys(answer, [...COMMON, 'reason', 'current']);
  const { current, reason } = answer;
  assertKeys(current, ['holder', 'runId', 'since', 'ageMs', 'remainingMs']);
  assertAge(current.ageMs, 'current.ageMs');
  if (current.since !== null) assertInstant(current.since, 'current.since');
  if (current.remainingMs !== null) assertCount(current.remainingMs, 'current.remainingMs');
  const wordings = skipMessages(answer);
  if (wordings.includes(answer.message)) return;
  assert.equal(answer.message, wordings[0] ?? answer.message, `the words of a start skipped as ${reason}`);
}

/**
 * What the message may be; none where the words name an instant that the answer doesn't carry: the
 * facts about those compare them. Two where the age is 1 ms, which is also what a newborn lease says.
 */
function skipMessages(answer: SkippedAnswer): string[] {
  const { current, reason } = answer;
  const lock = { ...newLockState(answer.lock), holder: current.holder, skipsInRow: answer.skipsInRow };
  if (reason === 'run_ended' || reason === 'contended' || reason === 'paused') {
    return [skippedMessage(lock, reason, answer.runId, 0)];
  }
  if (reason === 'draining' || reason === 'cooling' || current.since === null || current.ageMs === null) return [];
  const since = current.since.getTime();
  const ages = current.ageMs === 1 ? [1, 0] : [current.ageMs];
  return ages.map((age) => {
    const now = since + age;
    const leaseUntil = current.remainingMs === null ? null : now + current.remainingMs;
    return skippedMessage({ ...lock, since, leaseUntil }, reason, answer.runId, now);
  });
}

function checkAlreadyRan(answer: AlreadyRanAnswer): void {
  assert.equal(answer.proceed, false, 'proceed');
  assertKeys(answer, [...COMMON, 'earlier']);
  const { earlier, slotAt } = answer;
  assertKeys(earlier, ['runId', 'holder', 'startedAt', 'endedAt']);
  assertInstant(earlier.startedAt, 'earlier.startedAt');
  assertInstant(earlier.endedAt, 'earlier.endedAt');
  assert.ok(slotAt !== null, 'a slot');
  const endedAt = earlier.endedAt?.getTime() ?? null;
  assert.equal(answer.message, alreadyRanMessage(answer.lock, slotAt.getTime(), { ...earlier, endedAt }));
}

/** Says whom to ask and nothing of the lock's token; only a caller that can ask is told so. */
export function checkProbeFirst(request: ProbingRequest, answer: ProbeFirstAnswer): void {
  assertKeys(answer, 'outcome lock fence leaseUntil remainingMs holder runId holderInfo'.split(' '));
  assert.equal(answer.lock, request.lock, 'lock');
  assertCount(answer.fence, 'fence');
  assertCount(answer.remainingMs, 'remainingMs');
  assert.ok(request.probes.includes(String(answer.holderInfo['probe'])), 'a system that the caller can ask');
}

function checkBypassed(answer: BypassedAnswer): void {
  assert.equal(answer.proceed, true, 'proceed');
  assertKeys(answer, [...COMMON, 'reason']);
  assert.equal(answer.message, bypassedMessage(answer.lock, answer.reason));
}
