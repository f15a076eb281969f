import assert from 'node:assert/strict';
import type {
  BeginAnswer,
  ClaimAnswer,
  ExtendAnswer,
  RecordKey,
  RefusedRecord,
  ReturnAnswer,
  SettledCounts,
  VerdictAnswer,
} from '../../../../domain/records/record.ts';
import { RECORD_STATES } from '../../../../domain/records/record.ts';
import type {
  ClaimNextRequest,
  ClaimRequest,
  EnqueueAnswer,
  EnqueueRequest,
  SettleAnswer,
  SettleRequest,
} from '../../../../ports/record-store.ts';
import {
  assertCount,
  assertInstant,
  assertInstantOrNull,
  assertKeys,
  assertSentence,
} from '../../stage/value-checks.ts';

/** What holds for every answer about records, whatever the test is about: exactly the fields of the contract, in their ranges. */

const EFFECT_KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function assertEffectKey(value: unknown): void {
  assert.match(String(value), EFFECT_KEY, 'effectKey');
}

export function checkEnqueueAnswer({ pool, records }: EnqueueRequest, answer: EnqueueAnswer): void {
  assertKeys(answer, ['pool', 'added', 'known', 'superseded']);
  assert.equal(answer.pool, pool, 'pool');
  for (const key of ['added', 'known', 'superseded'] as const) assertCount(answer[key], key);
  assert.equal(answer.added + answer.known, records.length, 'each record is new or known');
}

export function checkClaimAnswer(request: ClaimNextRequest & Partial<ClaimRequest>, answer: ClaimAnswer): void {
  const keys = 'outcome pool claimId token leaseUntil remainingMs owned refused settled message isRepeat'.split(' ');
  assertKeys(answer, keys);
  assert.deepEqual([answer.pool, answer.claimId], [request.pool, request.claimId], 'pool and claimId');
  assertSentence(answer.message);
  checkSettled(answer.settled);
  assert.equal(answer.isRepeat, answer.message.endsWith(': the same claim asked again.'), 'a repeat says so');
  const hasRecords = answer.owned.length > 0;
  assert.deepEqual(
    [answer.token !== null, answer.leaseUntil !== null, answer.remainingMs !== null],
    [hasRecords, hasRecords, hasRecords],
    'a token, and a lease, of a claim that owns something',
  );
  if (hasRecords) {
    assertInstant(answer.leaseUntil, 'leaseUntil');
    assertCount(answer.remainingMs, 'remainingMs', 1);
    if (request.leaseMs !== null)
      assert.ok(Number(answer.remainingMs) <= request.leaseMs, 'no more than was asked for');
  }
  if (answer.outcome !== 'claimed') assert.deepEqual(answer.owned.length === 0 || answer.outcome === 'paused', true);
  assert.ok(answer.owned.length <= (request.limit ?? 10_000), 'never more than the limit');
  for (const record of answer.owned) {
    assertKeys(record, ['id', 'version', 'effectKey', 'attempt', 'payload']);
    assertEffectKey(record.effectKey);
    assertCount(record.attempt, 'attempt', 1);
  }
  answer.refused.forEach(checkRefused);
  checkOffers(request, answer);
}

const REFUSALS =
  'claimed done failed review cancelled earlier_version not_before alone ask_first over_limit paused not_taken'.split(
    ' ',
  );
const SINCE: ReadonlySet<string> = new Set(['claimed', 'done', 'failed', 'review', 'cancelled', 'not_before']);

function checkRefused(record: RefusedRecord): void {
  assertKeys(record, ['id', 'version', 'why', 'by', 'since']);
  assert.ok(REFUSALS.includes(record.why), record.why);
  if (record.why !== 'claimed') assert.equal(record.by, null, `by of ${record.why}`);
  // Of one that is being taken at this very moment it isn't known yet by whom.
  const isBeingTaken = record.why === 'claimed' && record.by === null && record.since === null;
  if (!isBeingTaken) assert.equal(record.since !== null, SINCE.has(record.why), `since of ${record.why}`);
  assertInstantOrNull(record.since, 'since');
}

/** Each offered record is owned or refused, once, in the order of the offer. */
function checkOffers({ offers = [] }: Partial<ClaimRequest>, { outcome, owned, refused }: ClaimAnswer): void {
  const position = new Map(offers.map(({ id, version }, index) => [JSON.stringify([id, version]), index]));
  const places = (records: readonly RecordKey[]): (number | undefined)[] =>
    records.map(({ id, version }) => position.get(JSON.stringify([id, version])));
  const [taken, left] = [places(owned), places(refused)];
  if (offers.length === 0) {
    const others = refused.filter(({ why }) => why !== 'ask_first');
    assert.deepEqual(others, [], 'nothing was offered; of what it has, some may be kept back from a repeat');
    return;
  }
  assert.ok(!left.includes(undefined), 'refused is what was offered');
  assert.deepEqual(left, left.toSorted(byNumber), 'refused in the order of the offer');
  if (outcome !== 'claimed') return;
  const answered = new Set([...taken, ...left]);
  assert.ok(
    offers.every((_, index) => answered.has(index)),
    'each that was offered has an answer',
  );
  if (taken.includes(undefined)) return;
  assert.deepEqual(taken, taken.toSorted(byNumber), 'owned in the order of the offer');
  const all = [...taken, ...left].toSorted(byNumber);
  assert.deepEqual(all, [...new Set(all)], 'none both owned and refused');
}

const byNumber = (one: number | undefined, other: number | undefined): number => Number(one) - Number(other);

export function checkSettled(settled: SettledCounts): void {
  for (const key of ['requeued', 'review', 'cancelled'] as const) assertCount(settled[key], key);
}

export function checkSettleAnswer({ pool }: SettleRequest, answer: SettleAnswer): void {
  assertKeys(answer, ['pool', 'requeued', 'review', 'cancelled', 'toAsk', 'isComplete']);
  assert.equal(answer.pool, pool, 'pool');
  checkSettled(answer);
  assertCount(answer.toAsk, 'toAsk');
  assert.equal(typeof answer.isComplete, 'boolean', 'isComplete');
}

const BEGIN_REFUSALS = 'not_owner not_claimed lease_over send_before unknown_record invalid'.split(' ');

export function checkBeginAnswer(pool: string, id: string, answer: BeginAnswer): void {
  assertKeys(answer, 'outcome pool id version attempt begunAt remainingMs reason message'.split(' '));
  assert.deepEqual([answer.pool, answer.id], [pool, id], 'pool and id');
  assertSentence(answer.message);
  assertInstantOrNull(answer.begunAt, 'begunAt');
  if (answer.outcome === 'accepted') {
    assert.equal(answer.reason, null, 'reason');
    assertInstant(answer.begunAt, 'begunAt');
    assertCount(answer.attempt, 'attempt', 1);
    assertCount(answer.remainingMs, 'remainingMs', 1);
    return;
  }
  assert.equal(answer.outcome, 'refused');
  assert.ok(BEGIN_REFUSALS.includes(String(answer.reason)), String(answer.reason));
  assert.equal(answer.version === null, answer.reason === 'unknown_record', 'a version of a record that is known');
}

const VERDICT_REFUSALS = 'not_owner other_verdict settled unknown_record invalid'.split(' ');

export function checkVerdictAnswer(pool: string, id: string, answer: VerdictAnswer): void {
  assertKeys(answer, 'outcome pool id version state notBefore reason message'.split(' '));
  assert.deepEqual([answer.pool, answer.id], [pool, id], 'pool and id');
  assertSentence(answer.message);
  assert.ok(['accepted', 'refused', 'evidence'].includes(answer.outcome), answer.outcome);
  assertInstantOrNull(answer.notBefore, 'notBefore');
  if (answer.notBefore !== null) assert.equal(answer.state, 'queued', 'notBefore of a record that is tried again');
  if (answer.outcome === 'refused') assert.ok(VERDICT_REFUSALS.includes(String(answer.reason)), String(answer.reason));
  else assert.equal(answer.reason, null, 'reason');
  const isKnown = answer.reason !== 'unknown_record';
  assert.deepEqual([answer.version !== null, answer.state !== null], [isKnown, isKnown], 'of a record that is known');
  if (answer.state !== null) assert.ok(RECORD_STATES.includes(answer.state), answer.state);
}

export function checkExtendAnswer(pool: string, answer: ExtendAnswer): void {
  assertKeys(answer, 'outcome pool claimId leaseUntil remainingMs reason message'.split(' '));
  assert.equal(answer.pool, pool, 'pool');
  assertSentence(answer.message);
  const isExtended = answer.outcome === 'extended';
  assert.ok(isExtended || answer.outcome === 'lost', answer.outcome);
  assert.equal(answer.reason === null, isExtended, 'a reason why it is lost');
  if (isExtended) {
    assertInstant(answer.leaseUntil, 'leaseUntil');
    assertCount(answer.remainingMs, 'remainingMs', 1);
  } else assert.ok(['expired', 'unknown_token', 'settled'].includes(String(answer.reason)), String(answer.reason));
  assert.equal(answer.claimId === null, answer.reason === 'unknown_token', 'the claim of a token that is known');
}

export function checkReturnAnswer(pool: string, answer: ReturnAnswer): void {
  assertKeys(answer, 'outcome pool claimId returned kept message'.split(' '));
  assert.equal(answer.pool, pool, 'pool');
  assertSentence(answer.message);
  assert.ok(answer.outcome === 'returned' || answer.outcome === 'not_holder', answer.outcome);
  for (const record of [...answer.returned, ...answer.kept]) assertKeys(record, ['id', 'version']);
  if (answer.outcome === 'not_holder') assert.deepEqual([answer.returned, answer.kept], [[], []], 'nothing went back');
}
