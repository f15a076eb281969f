import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkClaimLease,
  checkClaimLimit,
  checkPoolSettings,
  checkVerifier,
  POOL_DEFAULTS,
} from '../../../src/domain/records/pool-settings.ts';
import { isLeaseholdError } from '../../../src/errors.ts';

function refused(message: string): (error: unknown) => boolean {
  return (error) => isLeaseholdError(error, 'INVALID_ARGUMENT') && error.message === message;
}

test('the defaults of a pool are settings that it would take', () => {
  assert.equal(checkPoolSettings(POOL_DEFAULTS), POOL_DEFAULTS);
});

test('a limit of 0, below it, or of a thousand million is refused', () => {
  for (const limit of [0, -1, 1e9, 1.5, Number.NaN, '50']) {
    assert.throws(() => checkClaimLimit(limit), refused('claim limit must be a whole number from 1 to 10000'));
  }
  assert.equal(checkClaimLimit(10_000), 10_000);
});

test('each setting is refused by its name', () => {
  const redo = { redo: 'never' as 'ask' };
  assert.throws(() => checkPoolSettings(redo), refused('redo is "never"; it must be ask or safe'));
  const attempts = 'attempts must be a whole number from 1 to 100';
  assert.throws(() => checkPoolSettings({ attempts: 0 }), refused(attempts));
  const timeout = 'call time-out in ms must be a whole number from 0 to 3600000';
  assert.throws(() => checkPoolSettings({ callTimeoutMs: -1 }), refused(timeout));
  const window = 'redo window in ms must be a whole number from 1 to 315360000000';
  assert.throws(() => checkPoolSettings({ redoWindowMs: 0 }), refused(window));
});

test('a claim shorter than one call of its pool is refused, since no record of it could begin', () => {
  const message = 'lease is 5s, shorter than the call time-out of its pool (10s): no record of it could begin';
  assert.throws(() => checkClaimLease(5_000, 10_000), refused(message));
  assert.equal(checkClaimLease(10_000, 10_000), 10_000);
});

test('a verifier is a JSON object with a kind', () => {
  assert.equal(checkVerifier('{"kind":"function"}'), '{"kind":"function"}');
  assert.throws(() => checkVerifier('{'), refused('verifier is not JSON; give it an object with a "kind"'));
  for (const text of ['{}', '[]', 'null', '"x"', '{"kind":""}', '{"kind":1}']) {
    assert.throws(() => checkVerifier(text), refused('verifier has no kind; give it an object with a "kind"'));
  }
  const long = `{"kind":"${'x'.repeat(65_536)}"}`;
  assert.throws(() => checkVerifier(long), refused('verifier is 65547 bytes long; the limit is 65536'));
});
