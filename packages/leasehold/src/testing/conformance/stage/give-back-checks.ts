import assert from 'node:assert/strict';
import type { ForceReleaseAnswer, PauseAnswer, ReleaseAnswer, RenewAnswer } from '../../../domain/answers.ts';
import { newLockState } from '../../../domain/lock-state.ts';
import {
  forceReleaseMessage,
  lostMessage,
  pausedMessage,
  releaseMessage,
  renewedMessage,
  resumedMessage,
} from '../../../domain/messages.ts';
import type {
  ForceReleaseRequest,
  PauseRequest,
  ReleaseRequest,
  RenewRequest,
  ResumeRequest,
} from '../../../ports/store.ts';
import { assertCount, assertInstant, assertKeys, assertSentence, assertTextOrNull } from './value-checks.ts';

/** What holds for every answer of renew, release, force-release, pause and resume. Facts compare the words that need more than the answer. */

export function checkRenewAnswer(request: RenewRequest, answer: RenewAnswer): void {
  assert.equal(answer.lock, request.lock, 'lock');
  assertTextOrNull(answer.runId, 'runId');
  assertSentence(answer.message);
  if (answer.outcome === 'renewed') {
    assertKeys(answer, ['outcome', 'lock', 'runId', 'leaseUntil', 'remainingMs', 'message']);
    assertInstant(answer.leaseUntil, 'leaseUntil');
    assertCount(answer.remainingMs, 'remainingMs', 1);
    assert.equal(answer.message, renewedMessage(request.lock, answer.leaseUntil.getTime()));
    return;
  }
  assert.equal(answer.outcome, 'lost');
  assertKeys(answer, ['outcome', 'lock', 'runId', 'reason', 'message']);
  if (answer.reason === 'expired' || answer.reason === 'taken_over') return;
  assert.equal(answer.message, lostMessage(request.lock, answer.reason, null, 0));
}

export function checkReleaseAnswer(request: ReleaseRequest, answer: ReleaseAnswer): void {
  assertKeys(answer, ['outcome', 'lock', 'runId', 'message']);
  assert.equal(answer.lock, request.lock, 'lock');
  assertTextOrNull(answer.runId, 'runId');
  assertSentence(answer.message);
  assert.ok(['released', 'expired', 'already_free', 'not_holder'].includes(answer.outcome), answer.outcome);
  if (answer.outcome === 'expired' || answer.outcome === 'not_holder') return;
  assert.equal(answer.message, releaseMessage(request.lock, answer.outcome, null, 0));
}

export function checkForceReleaseAnswer(request: ForceReleaseRequest, answer: ForceReleaseAnswer): void {
  assertKeys(answer, ['outcome', 'lock', 'runId', 'holder', 'freeAt', 'message']);
  assert.equal(answer.lock, request.lock, 'lock');
  assertSentence(answer.message);
  if (answer.outcome === 'already_free') {
    assert.deepEqual([answer.runId, answer.holder, answer.freeAt], [null, null, null], 'nothing was taken');
    return;
  }
  assertInstant(answer.freeAt, 'freeAt');
  const lock = { ...newLockState(request.lock), runId: answer.runId, holder: answer.holder };
  const freeAt = answer.freeAt?.getTime() ?? null;
  // What the answer doesn't say: whether a lease was taken, or the pause after one was ended.
  const states = answer.outcome === 'released' ? [{ ...lock, token: 'of a lease' }, lock] : [lock];
  const messages = states.map((state) => forceReleaseMessage(request.lock, answer.outcome, state, freeAt));
  assert.ok(messages.includes(answer.message), answer.message);
}

export function checkPauseAnswer(request: PauseRequest, answer: PauseAnswer): void {
  assert.ok(answer.outcome === 'paused' || answer.outcome === 'already_paused', answer.outcome);
  const message = pausedMessage(request.lock, answer.outcome === 'already_paused');
  assert.deepEqual(answer, { outcome: answer.outcome, lock: request.lock, message });
}

export function checkResumeAnswer(request: ResumeRequest, answer: PauseAnswer): void {
  assert.ok(answer.outcome === 'resumed' || answer.outcome === 'not_paused', answer.outcome);
  const message = resumedMessage(request.lock, answer.outcome === 'resumed');
  assert.deepEqual(answer, { outcome: answer.outcome, lock: request.lock, message });
}
