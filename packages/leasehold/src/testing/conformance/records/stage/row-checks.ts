import assert from 'node:assert/strict';
import type { PoolSettings, PoolStatus, RecordRow } from '../../../../domain/records/record.ts';
import { RECORD_STATES } from '../../../../domain/records/record.ts';
import type {
  ApplyLookupAnswer,
  AskedRecord,
  ChangePoolAnswer,
  ChangePoolRequest,
  ReviewAnswer,
  ReviewRequest,
  WorkTimes,
} from '../../../../ports/record-store.ts';
import {
  assertCount,
  assertInstant,
  assertInstantOrNull,
  assertKeys,
  assertSentence,
  assertTextOrNull,
} from '../../stage/value-checks.ts';
import { assertEffectKey } from './answer-checks.ts';

/** What holds for every row about records that a store gives back: the fields of design §11, and what can't be together. */

const RECORD_KEYS =
  'pool id version state effectKey attempt claimedBy claimedAt leaseUntil begunAt providerRef error notBefore updatedAt ' +
  'evidenceRef evidenceAt';

export function checkRecord(row: RecordRow): void {
  assertKeys(row, RECORD_KEYS.split(' '));
  assert.ok(RECORD_STATES.includes(row.state), row.state);
  assertEffectKey(row.effectKey);
  assertCount(row.attempt, 'attempt');
  for (const key of ['claimedBy', 'providerRef', 'error', 'evidenceRef'] as const) assertTextOrNull(row[key], key);
  for (const key of ['claimedAt', 'leaseUntil', 'begunAt', 'notBefore', 'evidenceAt'] as const)
    assertInstantOrNull(row[key], key);
  assertInstant(row.updatedAt, 'updatedAt');
  if (row.state !== 'claimed') assert.equal(row.leaseUntil, null, 'leaseUntil of a record that nobody has claimed');
  if (row.evidenceAt !== null) assert.equal(row.state, 'review', 'evidence waits for a word in review');
  if (row.state === 'done') assert.equal(row.evidenceRef, null, 'what is done has its reference');
  assert.equal(row.begunAt !== null, row.attempt > 0, 'begun where there was an attempt');
}

const SETTING_KEYS = ['redo', 'redoWindowMs', 'attempts', 'leaseMs', 'limit', 'callTimeoutMs', 'verifier'];
const COUNT_KEYS = ['queued', 'deferred', 'claimed', 'toAsk', 'done', 'failed', 'review', 'cancelled'] as const;

export function checkSettings(settings: PoolSettings): void {
  assert.ok(settings.redo === 'ask' || settings.redo === 'safe', settings.redo);
  if (settings.redoWindowMs !== null) assertCount(settings.redoWindowMs, 'redoWindowMs', 1);
  assertCount(settings.attempts, 'attempts', 1);
  assertCount(settings.leaseMs, 'leaseMs', 1_000);
  assertCount(settings.limit, 'limit', 1);
  assertCount(settings.callTimeoutMs, 'callTimeoutMs');
  assertTextOrNull(settings.verifier, 'verifier');
}

export function checkPool(status: PoolStatus): void {
  assertKeys(status, [...SETTING_KEYS, ...COUNT_KEYS, 'pool', 'paused', 'oldestClaimAt', 'claims']);
  checkSettings(status);
  assert.equal(typeof status.paused, 'boolean', 'paused');
  for (const key of COUNT_KEYS) assertCount(status[key], key);
  assert.ok(status.deferred <= status.queued, 'the deferred ones are queued');
  assert.ok(status.toAsk <= status.claimed + status.review, 'those to ask are claimed or in review');
  assertInstantOrNull(status.oldestClaimAt, 'oldestClaimAt');
  assert.ok(status.claims.length <= 20, 'the newest 20 claims');
  for (const claim of status.claims) {
    assertKeys(claim, ['claimId', 'holder', 'holderInfo', 'records', 'since', 'leaseUntil']);
    assertCount(claim.records, 'records of a claim', 1);
    assertInstant(claim.since, 'since');
    assertInstant(claim.leaseUntil, 'leaseUntil');
  }
}

const ASKED_KEYS =
  'pool id version effectKey payload providerRef claimId holder holderInfo attempt begunAt firstBegunAt leaseUntil ' +
  'unknownAt sendBefore holderEndedAt askedAt askSince isInReview';

export function checkAsked(record: AskedRecord): void {
  assertKeys(record, ASKED_KEYS.split(' '));
  assertEffectKey(record.effectKey);
  assertCount(record.attempt, 'attempt', 1);
  for (const key of ['begunAt', 'firstBegunAt', 'leaseUntil', 'askedAt', 'askSince'] as const) {
    assertInstant(record[key], key);
  }
  for (const key of ['unknownAt', 'sendBefore', 'holderEndedAt'] as const) assertInstantOrNull(record[key], key);
  assert.ok(record.askSince <= record.askedAt, 'asked for since before it is asked');
  assert.ok(record.firstBegunAt <= record.begunAt, 'first begun before it was begun last');
}

export function checkApplied(answer: ApplyLookupAnswer): void {
  assertKeys(answer, ['outcome', 'state']);
  assert.ok(answer.outcome === 'applied' || answer.outcome === 'overtaken', answer.outcome);
}

export function checkReview({ pool, id }: ReviewRequest, answer: ReviewAnswer): void {
  assertKeys(answer, 'outcome pool id version state why message'.split(' '));
  assert.deepEqual([answer.pool, answer.id], [pool, id], 'pool and id');
  assertSentence(answer.message);
  assert.equal(answer.why === null, answer.outcome === 'accepted', 'why it was refused');
}

export function checkChange({ pool }: ChangePoolRequest, answer: ChangePoolAnswer): void {
  assertKeys(answer, ['outcome', 'pool', 'settings', 'paused', 'message']);
  assert.equal(answer.pool, pool, 'pool');
  assertKeys(answer.settings, SETTING_KEYS);
  checkSettings(answer.settings);
  assertSentence(answer.message);
}

export function checkTimes(times: WorkTimes): void {
  assertKeys(times, ['pool', 'records', 'slowestMs', 'p50Ms', 'p95Ms', 'eachP95Ms']);
  assertCount(times.records, 'records');
  for (const key of ['slowestMs', 'p50Ms', 'p95Ms', 'eachP95Ms'] as const) {
    assert.equal(times[key] === null, times.records === 0, key);
  }
}
