/** Overlaps by the sweep are those that a comparison of each with each finds. Instants are small numbers here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { overlapsOf, type UsedRuns } from '../../../src/audit/history/overlaps.ts';

type Run = readonly [start: number, took: number, isCrashed?: boolean, isWebhook?: boolean];

function used(runs: readonly Run[]): UsedRuns {
  const sorted = runs.toSorted(([one], [other]) => one - other);
  return {
    startMs: Float64Array.from(sorted, ([start]) => start),
    endMs: Float64Array.from(sorted, ([start, took]) => start + took),
    isCrashed: Uint8Array.from(sorted, ([, , isCrashed]) => (isCrashed === true ? 1 : 0)),
    isWebhook: Uint8Array.from(sorted, ([, , , isWebhook]) => (isWebhook === true ? 1 : 0)),
  };
}

/** Each with each. */
function bruteForce({ startMs, endMs, isCrashed, isWebhook }: UsedRuns): ReturnType<typeof summary> {
  const all = [...startMs].map((start, at) => ({ at, start, end: endMs[at] ?? 0, isCrashed: isCrashed[at] === 1 }));
  const earlier = (at: number): typeof all => all.slice(0, at);
  const overlapping = all.filter(({ at, start }) => earlier(at).some(({ end }) => start < end));
  const proven = overlapping.filter(({ at, start }) =>
    earlier(at).some((other) => !other.isCrashed && start < other.end),
  );
  const isRecent = ({ at }: { at: number }): boolean => at >= all.length - 100;
  return {
    count: overlapping.length,
    last100: overlapping.filter(isRecent).length,
    last100Certain: proven.filter((each) => isRecent(each) && isWebhook[each.at] !== 1).length,
    crashedOnly: overlapping.length - proven.length,
    webhooks: overlapping.filter(({ at }) => isWebhook[at] === 1).length,
    maxConcurrent: Math.max(0, ...all.map(({ at, start }) => 1 + earlier(at).filter(({ end }) => end > start).length)),
  };
}

function summary(runs: UsedRuns): Omit<ReturnType<typeof overlapsOf>, 'newest'> {
  const { newest: _, ...figures } = overlapsOf(runs);
  return figures;
}

test('the sweep finds what a comparison of each run with each finds', () => {
  const runs = fc.array(fc.tuple(fc.nat(300), fc.nat(40), fc.boolean(), fc.boolean()), { maxLength: 160 });
  fc.assert(
    fc.property(runs, (given) => {
      assert.deepEqual(summary(used(given)), bruteForce(used(given)));
    }),
    { numRuns: 300 },
  );
});

test('a run that starts at the instant another ends does not overlap it', () => {
  assert.equal(
    overlapsOf(
      used([
        [0, 10],
        [10, 10],
      ]),
    ).count,
    0,
  );
  assert.equal(
    overlapsOf(
      used([
        [0, 11],
        [10, 10],
      ]),
    ).count,
    1,
  );
});

test('each later run counts once, however many run already', () => {
  const { count, maxConcurrent } = overlapsOf(
    used([
      [0, 100],
      [10, 100],
      [20, 100],
      [30, 100],
    ]),
  );
  assert.deepEqual({ count, maxConcurrent }, { count: 3, maxConcurrent: 4 });
});

test('an overlap within the newest hundred may be with a run that is older than those', () => {
  const old: Run = [0, 10_000];
  const newer = Array.from({ length: 100 }, (_, at): Run => [1_000 + at * 10, 5]);
  assert.equal(overlapsOf(used([old, ...newer])).last100, 100);
});

test('an overlap with a crashed run alone is told apart, since nobody knows when that one really ended', () => {
  const { count, crashedOnly, last100Certain, newest } = overlapsOf(
    used([
      [0, 100, true],
      [10, 5],
      [50, 5],
    ]),
  );
  assert.deepEqual({ count, crashedOnly, last100Certain }, { count: 2, crashedOnly: 2, last100Certain: 0 });
  assert.deepEqual(newest, [
    { later: 1, earlier: 0, isCrashedOnly: true },
    { later: 2, earlier: 0, isCrashedOnly: true },
  ]);
});

test('the newest twenty overlaps are named', () => {
  const { newest } = overlapsOf(used(Array.from({ length: 50 }, (_, at): Run => [at * 10, 15])));
  assert.equal(newest.length, 20);
  assert.deepEqual(newest.at(-1), { later: 49, earlier: 48, isCrashedOnly: false });
});

test('no run and one run overlap nothing', () => {
  assert.deepEqual(summary(used([])), {
    count: 0,
    last100: 0,
    last100Certain: 0,
    crashedOnly: 0,
    webhooks: 0,
    maxConcurrent: 0,
  });
  assert.equal(overlapsOf(used([[0, 0]])).maxConcurrent, 1);
});
