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

test('a verifier of another kind than function is refused, without its kind in the words', () => {
  for (const kind of ['http', 'sql', 'none', 'Function']) {
    assert.throws(
      () => checkVerifier(JSON.stringify({ kind })),
      refused('the kind of a verifier must be "function" in this release'),
    );
  }
});

test('the delays of a verifier are whole ms', () => {
  const delays = ['commitDelayMs', 'visibilityDelayMs', 'retentionMs', 'idempotencyWindowMs', 'lookupTimeoutMs'];
  for (const name of ['callTimeoutMs', ...delays]) {
    const most = name === 'callTimeoutMs' ? 3_600_000 : 315_360_000_000;
    for (const value of ['1s', -1, 1.5, null, most + 1, [], true]) {
      assert.throws(
        () => checkVerifier(JSON.stringify({ kind: 'function', [name]: value })),
        refused(`verifier ${name} must be a whole number from 0 to ${most}`),
      );
    }
    for (const value of [0, most]) checkVerifier(JSON.stringify({ kind: 'function', [name]: value }));
  }
});

test('what a verifier is not known to have is refused by its name, never by its value', () => {
  const message =
    '"apiKey" is not known of a verifier; beside its kind it may have callTimeoutMs, commitDelayMs, visibilityDelayMs, retentionMs, idempotencyWindowMs, lookupTimeoutMs';
  assert.throws(() => checkVerifier('{"kind":"function","apiKey":"s3cret"}'), refused(message));
});
