import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClaimSoFar,
  decideArrival,
  decideOffer,
  lastSendAt,
  type OfferDecision,
} from '../../../src/domain/records/decide-claim.ts';
import { RECORD_STATES } from '../../../src/domain/records/record.ts';
import type { StoredRecord } from '../../../src/domain/records/stored-record.ts';
import { NOW, storedRecord } from './samples.ts';

const NONE: ClaimSoFar = { sendsUntil: null, owned: 0, isAlone: false };
const SOME: ClaimSoFar = { sendsUntil: null, owned: 3, isAlone: false };

function offered(patch: Partial<StoredRecord> = {}, { isIdWorked = false, has = NONE } = {}): OfferDecision {
  const queued = storedRecord({ state: 'queued', attempt: 0, token: null, claimedAt: null, isBegun: false });
  return decideOffer({ ...queued, ...patch }, isIdWorked, has, NOW);
}

test('a queued record is taken', () => {
  assert.deepEqual(offered(), { kind: 'take' });
  assert.deepEqual(offered({}, { has: SOME }), { kind: 'take' });
});

test('a record that is claimed or has its end is refused for that, since it is so', () => {
  const claimedAt = NOW - 5;
  assert.deepEqual(offered({ state: 'claimed', claimedAt }), { kind: 'refuse', why: 'claimed', since: claimedAt });
  for (const state of ['done', 'failed', 'review', 'cancelled'] as const) {
    assert.deepEqual(offered({ state, updatedAt: NOW - 7 }), { kind: 'refuse', why: state, since: NOW - 7 });
  }
});

test('no state but queued is ever given', () => {
  for (const state of RECORD_STATES.filter((each) => each !== 'queued'))
    assert.equal(offered({ state }).kind, 'refuse');
});

test('a version waits for an older one, and while another one of its id is worked', () => {
  const refused = { kind: 'refuse', why: 'earlier_version', since: null };
  assert.deepEqual(offered({ waits: true }), refused);
  assert.deepEqual(offered({}, { isIdWorked: true }), refused);
});

test('a deferred record is refused until its instant and given from then on', () => {
  const notBefore = NOW + 1;
  assert.deepEqual(offered({ notBefore }), { kind: 'refuse', why: 'not_before', since: notBefore });
  assert.equal(offered({ notBefore: NOW }).kind, 'take');
});

test('a record past the instant at which its provider knows it again is asked for first', () => {
  assert.equal(offered({ sendBefore: NOW }).kind, 'take');
  assert.equal(offered({ sendBefore: NOW - 1 }).kind, 'ask_first');
  assert.equal(offered({ sendBefore: NOW - 1, notBefore: NOW + 1 }).kind, 'refuse', 'it is not due');
});

test('a claim that says nothing of when it begins may send at its end: what must be sent earlier is for another one', () => {
  const claim = { explicitBegin: false, leaseUntil: NOW + 60_000 };
  const has = { ...NONE, sendsUntil: lastSendAt(claim, 10_000) };
  assert.equal(offered({ sendBefore: NOW + 50_000 }, { has }).kind, 'take', 'its last call ends with its lease');
  for (const sendBefore of [NOW, NOW + 49_999]) {
    const refused = { kind: 'refuse', why: 'ask_first', since: null };
    assert.deepEqual(offered({ sendBefore }, { has }), refused, 'a shorter claim may have it');
    assert.deepEqual(offered({ sendBefore, idleRequeues: 2 }, { has: { ...has, owned: 1 } }), refused);
  }
  assert.equal(offered({ sendBefore: NOW - 1 }, { has }).kind, 'ask_first', 'nobody may');
  assert.equal(
    lastSendAt({ ...claim, explicitBegin: true }, 10_000),
    null,
    'each of its begins is looked at by itself',
  );
});

test('a record whose claims expired twice before its work began goes alone, or not at all', () => {
  const refused = { kind: 'refuse', why: 'alone', since: null };
  assert.equal(offered({ idleRequeues: 2 }).kind, 'take', 'the first one that can be taken');
  assert.deepEqual(offered({ idleRequeues: 2 }, { has: SOME }), refused);
  assert.equal(offered({ idleRequeues: 1 }, { has: SOME }).kind, 'take');
  assert.deepEqual(offered({}, { has: { ...NONE, owned: 1, isAlone: true } }), refused, 'no neighbour comes after it');
});

test('a newer version ends an older one that nobody has begun, and waits for one that somebody has', () => {
  assert.equal(decideArrival({ state: 'queued', attempt: 0 }), 'cancels');
  assert.equal(decideArrival({ state: 'queued', attempt: 1 }), 'waits');
  for (const state of ['claimed', 'review'] as const) {
    assert.equal(decideArrival({ state, attempt: 0 }), 'waits');
    assert.equal(decideArrival({ state, attempt: 1 }), 'waits');
  }
  for (const state of ['done', 'failed', 'cancelled'] as const) {
    assert.equal(decideArrival({ state, attempt: 1 }), 'ignores');
  }
});
