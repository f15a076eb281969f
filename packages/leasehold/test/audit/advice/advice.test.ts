/** The lease that is advised is the one of `leasehold advise`, and would have let no run overlap another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asOption, leaseWords } from '../../../src/audit/advice/advice.ts';
import { replay } from '../../../src/audit/advice/replay.ts';
import { sampleOf } from '../../../src/audit/advice/sample.ts';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import { advise } from '../../../src/domain/advise.ts';
import { DAY, everyMs, HOUR, known, MINUTE, run, runsAt, SECOND, START, workflow } from '../stage.ts';

const histories = fc
  .array(fc.tuple(fc.nat(5 * DAY), fc.integer({ min: 0, max: 3 * HOUR }), fc.nat(9)), { minLength: 1, maxLength: 120 })
  .map((rows) =>
    rows.map(
      ([start, took, kind], at): HistoryRun =>
        run({
          runId: String(at),
          startedAtMs: START + start,
          endedAtMs: START + start + took,
          result: kind === 0 ? 'crashed' : 'success',
        }),
    ),
  );

test('a sample of columns is the sample of a list of runs', () => {
  fc.assert(
    fc.property(histories, (runs) => {
      const finished = runs
        .filter(({ result }) => result !== 'crashed')
        .toSorted((one, other) => (one.startedAtMs ?? 0) - (other.startedAtMs ?? 0))
        .map(({ runId, startedAtMs, endedAtMs }) => ({
          runId,
          startedAt: new Date(startedAtMs ?? 0),
          endedAt: new Date(endedAtMs ?? 0),
        }));
      const { sample } = advise(finished, { renewal: 'touch', gapMs: null });
      const own = sampleOf(known(runs).history);
      // Of runs that are equally slow either may be named.
      assert.deepEqual({ ...own, slowestRunId: null }, { ...sample, slowestRunId: null });
    }),
    { numRuns: 200 },
  );
});

test('with the advised lease and skip no start of its own history would have overlapped another', () => {
  fc.assert(
    fc.property(histories, fc.constantFrom(undefined, HOUR), (runs, gapMs) => {
      const { replayed, advice, history } = known(runs, gapMs === undefined ? {} : { everyMs: gapMs });
      if (advice.leaseMs === null || replayed === null) return;
      assert.equal(replayed.overlaps, 0);
      assert.equal(replayed.runs + replayed.skips, history.figures.used);
    }),
    { numRuns: 300 },
  );
});

test('a lease that is shorter than a run would have let the next one start', () => {
  const { history } = known(runsAt([0, 30 * MINUTE], HOUR));
  assert.deepEqual(replay(history.used, 10 * MINUTE), { starts: 2, runs: 2, skips: 0, overlaps: 1 });
  assert.deepEqual(replay(history.used, 2 * HOUR), { starts: 2, runs: 1, skips: 1, overlaps: 0 });
});

test('a crashed run holds its lock until the lease is over', () => {
  const runs = [
    run({ result: 'crashed' }),
    ...runsAt([30 * MINUTE, 2 * HOUR], 1).map((each) => ({ ...each, runId: `l${each.runId}` })),
  ];
  assert.deepEqual(replay(known(runs).history.used, HOUR), { starts: 3, runs: 2, skips: 1, overlaps: 0 });
});

test('a crashed run whose end nobody knows overlaps nothing once its lease is over', () => {
  const crashed = run({ result: 'crashed', endedAtMs: START + 3 * HOUR });
  const later = runsAt([2 * HOUR], 1).map((each) => ({ ...each, runId: 'later' }));
  const { used } = known([crashed, ...later]).history;
  assert.deepEqual(replay(used, HOUR), { starts: 2, runs: 2, skips: 0, overlaps: 0 });
});

test('the story of the hour: 20 minutes usually, 70 on one morning', () => {
  const runs = runsAt(everyMs(HOUR, 214), 20 * MINUTE).map((each, at) =>
    at % 24 < 4 && at > 190 ? { ...each, endedAtMs: (each.startedAtMs ?? 0) + 70 * MINUTE } : each,
  );
  const { advice, replayed } = known(runs);
  assert.deepEqual([advice.leaseMs, asOption(advice.leaseMs ?? 0)], [140 * MINUTE, '140m']);
  assert.deepEqual(replayed, { starts: 214, runs: 212, skips: 2, overlaps: 0 });
});

const leaseOf = (...given: Parameters<typeof known>): number | null => known(...given).advice.leaseMs;

test('a lease spans a wait that the definition shows and the history does not', () => {
  const runs = runsAt(everyMs(DAY, 10), 10 * MINUTE);
  assert.equal(leaseOf(runs, { definition: workflow({ waitMs: 3 * HOUR }) }), 20 * MINUTE + 3 * HOUR);
});

test('a lease spans a wait that is going on', () => {
  const runs = [...runsAt(everyMs(DAY, 3), 10 * MINUTE), run({ runId: 'w', state: 'waiting', endedAtMs: null })];
  assert.equal(leaseOf(runs), 1.5 * (2 * DAY + 10 * MINUTE));
});

test('a wait that is longer than any lease makes none longer: it is stuck (C127)', () => {
  const runs = runsAt(everyMs(HOUR, 30, 40 * DAY), 10 * MINUTE);
  const waiting = (fromMs: number): HistoryRun =>
    run({ runId: 'w', state: 'waiting', startedAtMs: START + fromMs, endedAtMs: null });
  assert.equal(leaseOf([waiting(0), ...runs]), 2 * HOUR + MINUTE);
  assert.equal(leaseOf([waiting(20 * DAY), ...runs]), 31 * DAY);
});

test('what renews by heartbeat needs no two gaps, what renews by touch does', () => {
  const runs = runsAt(everyMs(HOUR, 30), 10 * MINUTE);
  assert.equal(leaseOf(runs, { definition: workflow({ platform: 'cron' }) }), 20 * MINUTE);
  assert.equal(leaseOf(runs, { definition: workflow() }), 2 * HOUR + MINUTE);
});

test('without history Make gets its limit of 40 minutes and a margin, others two gaps or nothing', () => {
  const advice = known([], { definition: workflow({ platform: 'make' }) }).advice;
  assert.deepEqual(advice, { leaseMs: 45 * MINUTE, claimMs: 45 * MINUTE, batchSize: null });
  assert.deepEqual(known([], { definition: workflow() }).advice, { leaseMs: null, claimMs: null, batchSize: null });
});

test('without history a scenario of once a day gets no lease of two days: Make ends a run after 40 minutes', () => {
  const cron = { kind: 'cron', expression: '0 6 * * *' } as const;
  const schedule = { host: 'make', kind: 'daily', timezone: 'UTC', assumes: [] } as const;
  const definition = workflow({
    platform: 'make',
    waitMs: 5 * MINUTE,
    schedule: { ...schedule, rules: [{ expression: cron.expression, plan: cron, fault: null, place: {} }] },
  });
  assert.equal(known([], { definition }).advice.leaseMs, 45 * MINUTE);
});

test('a lease is written as --lease takes it', () => {
  assert.deepEqual([asOption(140 * MINUTE), asOption(90 * SECOND), asOption(1_500)], ['140m', '90s', '2s']);
});

test('a lease over a day is written in days and hours, and never shorter than it is', () => {
  const leases = [31 * DAY, 25 * HOUR, 26 * HOUR + 1, DAY];
  assert.deepEqual(leases.map(asOption), ['31d', '25h', '27h', '1440m']);
  assert.deepEqual(leases.map(leaseWords), ['31d', '1d 1h', '1d 3h', '1440m']);
});

test('a lease of ten minutes or more is written in whole minutes, never less than advised', () => {
  assert.deepEqual([599_001, 600_000, 5_490_000].map(asOption), ['600s', '10m', '92m']);
});
