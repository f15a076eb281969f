import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cancelled,
  done,
  failed,
  flagged,
  inReview,
  isSettled,
  queued,
  unbegun,
} from '../../../src/domain/records/transitions.ts';
import type { StoredRecord } from '../../../src/domain/records/stored-record.ts';
import { NOW, storedRecord } from './samples.ts';

/** A record about which all is known that a claim can leave. */
const WORKED = storedRecord({
  attempt: 2,
  attemptsForgiven: 1,
  idleRequeues: 1,
  unknownAt: NOW - 9,
  askedAt: NOW - 8,
  askSince: NOW - 8,
  sendBefore: NOW + 9,
  hasNewer: true,
  verdict: 'unknown',
  error: 'HTTP 500',
});
const AT = NOW + 1;

/** What no change may touch: who it is, and what was learned of it. */
function assertRemembers(after: StoredRecord): void {
  for (const name of ['no', 'pool', 'id', 'version', 'effectKey', 'attempt', 'begunAt', 'firstBegunAt'] as const) {
    assert.equal(after[name], WORKED[name], name);
  }
  assert.equal(after.hasNewer, true, 'a newer version waits for it');
}

test('a requeue forgets the claim and remembers the begins', () => {
  const after = queued(WORKED, { notBefore: AT, sendBefore: null }, AT);
  assertRemembers(after);
  const { state, token, isBegun, unknownAt, verdict, askedAt, askSince, notBefore, sendBefore, error } = after;
  assert.deepEqual(
    { state, token, isBegun, unknownAt, verdict, askedAt, askSince, notBefore, sendBefore, error },
    {
      state: 'queued',
      token: null,
      isBegun: false,
      unknownAt: null,
      verdict: null,
      askedAt: null,
      askSince: null,
      notBefore: AT,
      sendBefore: null,
      error: 'HTTP 500',
    },
  );
});

test('a record in review keeps its token and its word, and says why it is there', () => {
  const after = inReview(WORKED, 'why', AT);
  assertRemembers(after);
  assert.deepEqual(after, { ...WORKED, state: 'review', error: 'why', askedAt: null, askSince: null, updatedAt: AT });
});

test('a record that is done is asked for and tried no more, and carries the token whose word it was', () => {
  const own = done(WORKED, { providerRef: 'ch_1', token: 'token-1', spoken: 'done' }, AT);
  assertRemembers(own);
  assert.deepEqual(own, {
    ...WORKED,
    state: 'done',
    verdict: 'done',
    providerRef: 'ch_1',
    unknownAt: null,
    askedAt: null,
    askSince: null,
    sendBefore: null,
    error: null,
    updatedAt: AT,
  });
  assert.equal(done(WORKED, { providerRef: null, token: null, spoken: null }, AT).token, null);
});

test('a record that failed by its owner carries its token, by a person nobody', () => {
  assert.equal(failed(WORKED, 'no such card', 'failed_permanent', AT).token, 'token-1');
  const person = failed(WORKED, 'TICKET17', null, AT);
  assert.deepEqual([person.state, person.token, person.verdict, person.error], ['failed', null, null, 'TICKET17']);
  assertRemembers(person);
});

test('a record that a newer version has overtaken is cancelled, and says so', () => {
  const after = cancelled(storedRecord({ state: 'queued', token: null, attempt: 0 }), AT);
  assert.deepEqual([after.state, after.error, after.updatedAt], ['cancelled', 'superseded by a newer version', AT]);
});

test('a flag leaves the claim as it is and starts the asking anew', () => {
  const after = flagged(WORKED, AT);
  assert.deepEqual(after, { ...WORKED, unknownAt: AT, askedAt: null, askSince: null, updatedAt: AT });
});

test('a begin that came with the claim is taken back as if it had not been', () => {
  const first = unbegun(storedRecord({ attempt: 1 }));
  assert.deepEqual([first.attempt, first.isBegun, first.begunAt, first.firstBegunAt], [0, false, null, null]);
  const second = unbegun(storedRecord({ attempt: 2 }));
  assert.deepEqual([second.attempt, second.isBegun], [1, false]);
  assert.notEqual(second.firstBegunAt, null, 'the attempt before it was made');
  const never = storedRecord({ isBegun: false });
  assert.equal(unbegun(never), never);
});

test('done, failed and cancelled let the next version in', () => {
  const settled = (['queued', 'claimed', 'review', 'done', 'failed', 'cancelled'] as const).filter((state) =>
    isSettled({ state }),
  );
  assert.deepEqual(settled, ['done', 'failed', 'cancelled']);
});
