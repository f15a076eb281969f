/** Which runs count, and for which reason the others don't. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { collect, HOUR, MINUTE, NOW, only, run, START } from '../stage.ts';

const CASES: readonly (readonly [what: string, given: Partial<HistoryRun>, reason: string | null])[] = [
  ['ended, by a trigger', {}, null],
  ['ended, by a webhook', { cause: 'webhook' }, null],
  ['ended, by nobody knows what', { cause: 'unknown' }, null],
  ['crashed', { result: 'crashed' }, null],
  ['without a start', { startedAtMs: null }, 'no-start'],
  ['queued without a start', { startedAtMs: null, state: 'queued', endedAtMs: null }, 'no-start'],
  ['with a start that could not be read', { startedAtMs: null, isClockSuspect: true }, 'clock'],
  ['with an end that could not be read', { endedAtMs: null, isClockSuspect: true }, 'clock'],
  ['that starts at 0', { startedAtMs: 0 }, 'clock'],
  ['that starts before there were any', { startedAtMs: -8.64e20 }, 'clock'],
  ['that ended before it started', { endedAtMs: START - 1 }, 'clock'],
  ['that starts in the future', { startedAtMs: NOW + 6 * MINUTE, endedAtMs: NOW + 7 * MINUTE }, 'clock'],
  ['that runs since an instant in the future', { startedAtMs: NOW + HOUR, endedAtMs: null, state: 'running' }, 'clock'],
  ['that starts a little ahead of our clock', { startedAtMs: NOW + 4 * MINUTE, endedAtMs: NOW + 5 * MINUTE }, null],
  ['that ends in the future', { endedAtMs: NOW + 6 * MINUTE }, 'clock'],
  ['that waits', { state: 'waiting', endedAtMs: null }, 'waiting'],
  ['that waits, with an end that counts for nothing', { state: 'waiting', endedAtMs: START - 5 }, 'waiting'],
  ['that runs', { state: 'running', endedAtMs: null }, 'open'],
  ['that is queued', { state: 'queued', endedAtMs: null }, 'open'],
  ['that ended without an end', { endedAtMs: null }, 'open'],
  ['of a sub-workflow', { cause: 'sub-workflow' }, 'sub-workflow'],
  ['by hand', { cause: 'manual' }, 'manual'],
  ['repeated', { cause: 'retry' }, 'retry'],
  ['that repeats another', { cause: 'trigger', retryOf: '7' }, 'retry'],
  ['open and by hand: the first reason is told', { cause: 'manual', state: 'running' }, 'open'],
];

for (const [what, given, reason] of CASES) {
  test(`a run ${what} ${reason === null ? 'counts' : `is left out: ${reason}`}`, () => {
    const { figures } = only(collect([run(given)])).history;
    assert.equal(figures.runs, 1);
    assert.equal(figures.used, reason === null ? 1 : 0);
    assert.deepEqual(figures.excluded, reason === null ? [] : [{ runId: '1', reason }]);
  });
}

test('a run that is left out enters neither overlaps nor percentiles', () => {
  const long = run({ runId: 'a', endedAtMs: START + 60 * MINUTE, cause: 'manual' });
  const inside = run({ runId: 'b', startedAtMs: START + MINUTE, endedAtMs: START + 2 * MINUTE });
  const { figures } = only(collect([long, inside])).history;
  assert.deepEqual(
    { overlaps: figures.overlaps, p50Ms: figures.p50Ms, slowestMs: figures.slowestMs },
    { overlaps: 0, p50Ms: MINUTE, slowestMs: MINUTE },
  );
});

test('of more than a thousand that are left out the newest are named', () => {
  const runs = Array.from({ length: 3_000 }, (_, at) =>
    run({ runId: String(at), startedAtMs: START + at * MINUTE, cause: 'manual', endedAtMs: START + at * MINUTE }),
  );
  const { excluded, runs: count } = only(collect(runs.toReversed())).history.figures;
  assert.equal(count, 3_000);
  assert.equal(excluded.length, 1_000);
  assert.deepEqual([excluded[0]?.runId, excluded.at(-1)?.runId], ['2999', '2000']);
});

test('no history has no figures, and one run is its own percentiles', () => {
  const none = only(collect([run({ state: 'running' })])).history.figures;
  assert.deepEqual([none.p50Ms, none.p95Ms, none.slowestMs, none.maxConcurrent], [null, null, null, 0]);
  const one = only(collect([run()])).history.figures;
  assert.deepEqual([one.p50Ms, one.p95Ms, one.slowestMs, one.maxConcurrent], [MINUTE, MINUTE, MINUTE, 1]);
});
