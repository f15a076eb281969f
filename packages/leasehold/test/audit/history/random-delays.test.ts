/** Starts that nobody told the schedule of, and that are delayed at random or follow one another: no slot has several. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inferPeriod } from '../../../src/audit/history/period.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEGIN = Date.UTC(2026, 9, 2);

/** Numbers from 0 to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const delayed = (everyMs: number, delayMs: number) => (random: () => number, at: number) =>
  BEGIN + at * everyMs + random() * delayMs;

const DELAYED = {
  'each hour, up to 15 minutes late': delayed(HOUR, 15 * MINUTE),
  'each hour, up to 20 minutes late': delayed(HOUR, 20 * MINUTE),
  'each hour, up to 30 minutes late': delayed(HOUR, 30 * MINUTE),
  'each half hour, up to 15 minutes late': delayed(30 * MINUTE, 15 * MINUTE),
};

describe('starts that are delayed at random', () => {
  for (const [name, startOf] of Object.entries(DELAYED)) {
    it(`${name}, are never several a slot`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom(60, 300, 900), (seed, count) => {
          const random = randomOf(seed);
          const starts = Float64Array.from({ length: count }, (_, at) => startOf(random, at)).toSorted();
          assert.ok((inferPeriod(starts)?.perSlot ?? 1) === 1);
        }),
        { numRuns: 100 },
      );
    });
  }

  it('after the last run has ended and a rest, are never several a slot', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.constantFrom(1, 5, 10, 60),
        fc.constantFrom(60, 300),
        (seed, restMinutes, count) => {
          const random = randomOf(seed);
          let ms = BEGIN;
          const starts = Float64Array.from({ length: count }, () => (ms += (restMinutes + 2 + random() * 8) * MINUTE));
          assert.ok((inferPeriod(starts)?.perSlot ?? 1) === 1);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('starts of one trigger that fires twice or three times', () => {
  for (const offsets of [
    [0, 300],
    [0, 300, 900],
    [0, 20 * MINUTE, 45 * MINUTE],
  ]) {
    it(`${offsets.join(', ')} ms into each hour, are seen as ${offsets.length} a slot, also where some are missing`, () => {
      const random = randomOf(7);
      const starts = Float64Array.from(
        Array.from({ length: 100 }, (_, at) => offsets.map((ms) => BEGIN + at * HOUR + ms + random() * 200)).flat(),
      ).filter((_, at) => at % 41 !== 40);
      const period = inferPeriod(starts);
      assert.equal(period?.perSlot, offsets.length);
      assert.equal(period?.periodMs, HOUR);
    });
  }
});
