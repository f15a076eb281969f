import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactDuration, formatDuration, parseDuration } from '../../src/domain/duration.ts';
import { LeaseholdError } from '../../src/errors.ts';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const unit = fc.constantFrom('ms', 's', 'm', 'h', 'd');

const isRefusal = (error: unknown): boolean => error instanceof LeaseholdError && error.code === 'INVALID_ARGUMENT';

test('a whole number with a unit is that many milliseconds', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), unit, (count, name) => {
      assert.equal(parseDuration(`${count}${name}`), count * UNITS[name]);
    }),
  );
});

test('blanks around a duration do not matter', () => {
  assert.equal(parseDuration(' 40m\n'), 2_400_000);
});

test('months, fractions, signs, two units and bare numbers are refused by name', () => {
  for (const text of ['1 month', '1mo', '1y', '1.5h', '-5m', '+5m', '1h30m', '60', '', 'abc', '1e3s', '٣s', '5 m']) {
    assert.throws(() => parseDuration(text, '--lease'), { code: 'INVALID_ARGUMENT', message: /^--lease: / }, text);
  }
});

test('any other text is refused, never read as some number', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\s*\d{1,15}(ms|s|m|h|d)\s*$/.test(text));
      assert.throws(() => parseDuration(text), isRefusal);
    }),
  );
});

test('a written duration has one or two units and never overstates', () => {
  fc.assert(
    fc.property(fc.nat(40 * UNITS.d), (ms) => {
      const words = formatDuration(ms).split(' ');
      assert.ok(words.length <= 2);
      const readBackMs = words.reduce((sum, word) => sum + parseDuration(word), 0);
      assert.ok(readBackMs <= ms);
      // What rounding down leaves out is less than the next smaller unit.
      const stepMs = ms < UNITS.s ? 1 : ms < UNITS.h ? UNITS.s : ms < UNITS.d ? UNITS.m : UNITS.h;
      assert.ok(ms - readBackMs < stepMs);
    }),
  );
});

test('durations are written as people write them', () => {
  const written = [350, 45_000, 60_000, 70_000, 7_500_000, 86_400_000, 273_600_000].map((ms) => formatDuration(ms));
  assert.deepEqual(written, ['350ms', '45s', '1m', '1m 10s', '2h 5m', '1d', '3d 4h']);
});

test('a duration is written exactly, in milliseconds where its units can not say it', () => {
  const given = [0, 50, 1_500, 70_000, 32 * UNITS.d, 32 * UNITS.d + UNITS.h, 32 * UNITS.d + 1, -UNITS.s, 0.5, 1e25];
  assert.deepEqual(given.map(exactDuration), [
    '0ms',
    '50ms',
    '1500 ms',
    '1m 10s',
    '32d',
    '32d 1h',
    '2764800001 ms',
    '-1000 ms',
    '0.5 ms',
    '1e+25 ms',
  ]);
});
