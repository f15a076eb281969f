/** Histories of others whose clock or zone explains what looks like a fault, and those in which it doesn't. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { of, one, severe } from '../judged.ts';
import { cronSchedule, DAY, everyMs, HOUR, known, MINUTE, runsAt, SECOND, START, workflow } from '../stage.ts';

test('a timer whose phase is off the clock has slots of its own, with its schedule and without (C134)', () => {
  const starts = everyMs(5 * MINUTE, 300, 3 * MINUTE + 17 * SECOND + 421);
  const drifting = everyMs(5 * MINUTE + 2 * SECOND, 300, 17 * SECOND);
  const definition = workflow({ schedule: cronSchedule('*/5 * * * *', { host: 'n8n' }) });
  for (const instants of [starts, drifting]) {
    for (const given of [{}, { definition }]) {
      const context = known(runsAt(instants, MINUTE), { ...given, nowMs: START + 301 * 5 * MINUTE });
      assert.deepEqual([of('slot.missed', context), of('trigger.duplicate', context)], [[], []]);
    }
  }
});

test('a job of every 10 s that is silent for the repeated hour is explained by the clocks (C137)', () => {
  const changeMs = Date.UTC(2026, 9, 25, 1);
  const before = everyMs(10 * SECOND, 1_000, changeMs - HOUR - 10_000 * SECOND - START + 10_000);
  // The wall clock shows 02:00 to 03:00 twice; the second time the host waits.
  const from = changeMs - START;
  const starts = [...before.map((ms) => ms + HOUR - 10_000), ...everyMs(10 * SECOND, 1_000, from + HOUR)];
  for (const timezone of ['Europe/Berlin', null]) {
    const context = known(runsAt(starts, SECOND), { timezone, nowMs: START + from + 4 * HOUR });
    assert.deepEqual(severe(context), []);
    const [missed] = of('slot.missed', context);
    assert.equal(missed?.severity, 'info');
    assert.match(
      missed?.message ?? '',
      /^360 slots without a start are explained by .*\(DST repeat: the clocks went back 1h/,
    );
    assert.equal(missed?.evidence[0]?.['change'], 'repeated');
  }
});

test('an hour of silence that no change of clocks accounts for is missed (C137)', () => {
  // Half a day before the clocks change.
  const from = Date.UTC(2026, 9, 24, 10) - START;
  const starts = [...everyMs(10 * SECOND, 1_000, from), ...everyMs(10 * SECOND, 1_000, from + 10_000 * SECOND + HOUR)];
  const nowMs = Date.UTC(2026, 9, 24, 17);
  const context = known(runsAt(starts, SECOND), { timezone: 'Europe/Berlin', nowMs });
  assert.match(of('slot.missed', context)[0]?.message ?? '', /^360 slots of 2,360 had no start/);
});

/** Daily starts at a local time, by hand: summer time is an hour earlier in UTC. */
function daily(
  firstUtcMs: number,
  count: number,
  changeAtMs: number,
  shiftMs: number,
  skipped: readonly number[],
): number[] {
  return everyMs(DAY, count, firstUtcMs - START)
    .map((ms) => (START + ms >= changeAtMs ? ms + shiftMs : ms))
    .filter((_, at) => !skipped.includes(at));
}

test('a daily job in the hour that its zone skips is explained, whether its schedule is known or not (C138)', () => {
  // 02:30 in Berlin; on 29 March 2026 there is no 02:30.
  const starts = daily(Date.UTC(2026, 2, 9, 1, 30), 40, Date.UTC(2026, 2, 29, 1), -HOUR, [20]);
  const context = known(runsAt(starts, MINUTE), { timezone: 'Europe/Berlin', nowMs: Date.UTC(2026, 3, 18, 12) });
  assert.deepEqual(severe(context), []);
  assert.match(
    of('slot.missed', context)[0]?.message ?? '',
    /^1 slot without a start is explained by .* Europe\/Berlin at 2026-03-29T01:00:00Z \(DST skip/,
  );
});

test('a zone that changes at midnight loses its midnight, which is explained (C138)', () => {
  // Midnight in Santiago; on 6 September 2026 the clocks go from 00:00 to 01:00.
  const starts = daily(Date.UTC(2026, 7, 17, 4), 40, Date.UTC(2026, 8, 6, 4), -HOUR, [20]);
  const context = known(runsAt(starts, MINUTE), { timezone: 'America/Santiago', nowMs: Date.UTC(2026, 8, 26, 12) });
  assert.deepEqual(severe(context), []);
  assert.match(of('slot.missed', context)[0]?.message ?? '', /America\/Santiago at 2026-09-06T04:00:00Z \(DST skip/);
});

test('a fixed UTC schedule over a year has neither missed nor extra starts, nor overlap (C139)', () => {
  const definition = workflow({ schedule: cronSchedule('0 9 * * *') });
  const starts = everyMs(DAY, 365, 9 * HOUR);
  for (const given of [{ definition }, {}]) {
    const context = known(runsAt(starts, MINUTE), { ...given, timezone: 'Europe/Berlin', nowMs: START + 365 * DAY });
    assert.deepEqual(severe(context), []);
    assert.deepEqual(of('slot.missed', context), []);
  }
});

test('a history in UTC is said to drift against the zone that was given, as a note; one in local time is not (C139)', () => {
  const zone = { timezone: 'Europe/Berlin', nowMs: START + 365 * DAY };
  const drift = one('schedule.dst', known(runsAt(everyMs(DAY, 365, 9 * HOUR), MINUTE), zone));
  assert.equal(drift.severity, 'info');
  assert.equal(
    drift.message,
    'Its starts keep to UTC: in Europe/Berlin they came at 10:00 before 2026-03-29T01:00:00Z, and at 11:00 after it.',
  );
  assert.equal(drift.evidence.length, 2);
  const local = daily(Date.UTC(2026, 2, 1, 8), 60, Date.UTC(2026, 2, 29, 1), -HOUR, []);
  assert.deepEqual(of('schedule.dst', known(runsAt(local, MINUTE), zone)), []);
});

test('a drain of every minute whose runs take 90 s is predicted to overlap (C141)', () => {
  const runs = runsAt(everyMs(2 * MINUTE, 40), 90 * SECOND);
  const predicted = one('overlap.predicted', known(runs, { everyMs: MINUTE }));
  assert.equal(predicted.severity, 'critical');
  assert.match(predicted.message, /^The 95th percentile of 40 runs took 1m 30s, more than 1m, the smallest gap/);
  assert.deepEqual(predicted.evidence, [{ p95Ms: 90_000, slowestMs: 90_000, minGapMs: 60_000 }]);
});
