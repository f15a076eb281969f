import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkHolderInfo, HOLDER_INFO_BYTES_MAX } from '../../src/domain/holder-info.ts';
import {
  checkAfterMs,
  checkGraceMs,
  checkId,
  checkLeaseMs,
  checkName,
  checkPageSize,
  checkReason,
  checkToken,
  checkWaitMs,
  LEASE_MS_MAX,
  LEASE_MS_MIN,
} from '../../src/domain/limits.ts';
import { LeaseholdError } from '../../src/errors.ts';

const isRefusal = (error: unknown): boolean => error instanceof LeaseholdError && error.code === 'INVALID_ARGUMENT';
const refused = (check: () => unknown): void => assert.throws(check, isRefusal);

test('a name of 1 to 255 bytes without control characters passes unchanged, any other text is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const bytes = new TextEncoder().encode(text).length;
      const isGood = bytes >= 1 && bytes <= 255 && !/\p{Cc}/u.test(text) && text.isWellFormed();
      if (isGood) assert.equal(checkName(text), text);
      else refused(() => checkName(text));
    }),
  );
});

test('the limit of a name counts bytes of UTF-8, not characters', () => {
  assert.equal(checkName('ü'.repeat(127)), 'ü'.repeat(127));
  refused(() => checkName('ü'.repeat(128)));
  assert.equal(checkName('x'.repeat(255)).length, 255);
  refused(() => checkName('x'.repeat(256)));
});

test('an empty name, a NUL, a newline, an escape and half of a surrogate pair are refused', () => {
  for (const name of ['', 'a\0b', 'a\nb', 'a\u001b[2J', 'a\u0085b', 'a\ud800b']) refused(() => checkName(name));
});

test('what is no text at all is refused', () => {
  for (const value of [undefined, null, 7, {}, ['job'], Symbol('job')]) {
    refused(() => checkName(value));
    refused(() => checkId(value, 'holder'));
    refused(() => checkReason(value, 'reason'));
    refused(() => checkToken(value));
  }
});

test('an id has up to 1,024 bytes, a reason up to 4,096', () => {
  assert.equal(checkId('x'.repeat(1_024), 'holder').length, 1_024);
  refused(() => checkId('x'.repeat(1_025), 'holder'));
  assert.equal(checkReason('x'.repeat(4_096), 'reason').length, 4_096);
  refused(() => checkReason('x'.repeat(4_097), 'reason'));
});

test('a bad token is refused without being shown', () => {
  for (const token of ['s3cret\n', 's3cret\0', 's3cret\ud800', 's3cret'.repeat(1_000)]) {
    assert.throws(
      () => checkToken(token),
      (error) => isRefusal(error) && !(error as Error).message.includes('s3cret'),
    );
  }
});

test('a lease lies between 1 s and 31 days; outside it is refused, never bent into the range', () => {
  fc.assert(
    fc.property(fc.integer({ min: LEASE_MS_MIN, max: LEASE_MS_MAX }), (ms) => assert.equal(checkLeaseMs(ms), ms)),
  );
  const outside = fc.oneof(
    fc.integer({ min: -LEASE_MS_MAX, max: LEASE_MS_MIN - 1 }),
    fc.integer({ min: LEASE_MS_MAX + 1, max: 40 * LEASE_MS_MAX }),
  );
  fc.assert(fc.property(outside, (ms) => refused(() => checkLeaseMs(ms))));
});

test('a lease of 0, a negative one, 50 ms, half a second, 400 days and what is no number are refused (C17)', () => {
  for (const lease of [0, -1, 50, 500, 400 * 86_400_000, Number.NaN, Infinity, '60s', null, undefined, 10n]) {
    refused(() => checkLeaseMs(lease));
  }
});

test('a fraction of a millisecond is rounded to a whole one', () => {
  assert.equal(checkLeaseMs(1_500.4), 1_500);
});

test('grace lies between 0 and 1 h, after and wait between 0 and 31 days', () => {
  for (const check of [checkGraceMs, checkAfterMs, checkWaitMs]) {
    assert.equal(check(0), 0);
    refused(() => check(-1));
    refused(() => check(LEASE_MS_MAX + 1));
    refused(() => check('1s'));
  }
  assert.equal(checkGraceMs(3_600_000), 3_600_000);
  refused(() => checkGraceMs(3_600_001));
});

test('a page has 1 to 1,000 rows', () => {
  assert.equal(checkPageSize(1), 1);
  assert.equal(checkPageSize(1_000), 1_000);
  for (const size of [0, 1_001, 1.5, -1, Number.NaN, '10']) refused(() => checkPageSize(size));
});

test('holder info is given back as JSON will hold it', () => {
  const at = new Date(0);
  assert.deepEqual(checkHolderInfo({ at, run() {}, list: [1] }), { at: '1970-01-01T00:00:00.000Z', list: [1] });
});

test('any JSON object without a NUL is good holder info', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('\\u'));
      assert.deepEqual(JSON.stringify(checkHolderInfo(value)), text);
    }),
  );
});

test('holder info that a store could not keep is refused', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const bad = [
    null,
    [],
    'host',
    cycle,
    { big: 1n },
    { nul: '\0' },
    { half: '\ud800' },
    { long: 'x'.repeat(HOLDER_INFO_BYTES_MAX) },
  ];
  for (const value of bad) refused(() => checkHolderInfo(value));
  assert.deepEqual(checkHolderInfo({ path: 'C:\\u0000' }), { path: 'C:\\u0000' });
});
