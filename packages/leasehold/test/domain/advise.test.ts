/** The rules of advice, with story 1's numbers: usually 20 minutes, 70 on a slow day, hourly. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { advise, adviceMessage, type FinishedRun, percentile } from '../../src/domain/advise.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIRST_DAY = Date.UTC(2026, 10, 2);

/** Hourly runs of `minutes` on one day. */
function day(index: number, minutes: number, count = 24): FinishedRun[] {
  return Array.from({ length: count }, (_, hour) => {
    const startedAt = new Date(FIRST_DAY + index * 24 * HOUR + hour * HOUR);
    return { runId: `run-${index}-${hour}`, startedAt, endedAt: new Date(startedAt.getTime() + minutes * MINUTE) };
  });
}

const STORY_1 = [...day(0, 20), ...day(1, 20), ...day(2, 70, 12), ...day(3, 20)];

describe('advice', () => {
  it("gives story 1 a lease of 140 minutes: twice its slow day's 95th percentile", () => {
    const advice = advise(STORY_1, { renewal: 'touch', gapMs: HOUR });
    assert.deepEqual([advice.leaseMs, advice.rule], [140 * MINUTE, 'slow_day']);
    assert.deepEqual(
      [advice.sample?.usualMs, advice.sample?.slowDayP95Ms, advice.sample?.slowDay, advice.sample?.days],
      [20 * MINUTE, 70 * MINUTE, '2026-11-04', 4],
    );
    assert.match(
      adviceMessage('hourly', advice),
      /^Advised lease for lock "hourly": 2h 20m, twice the 95th percentile/,
    );
  });

  it('is not talked out of a slow day by many usual ones', () => {
    const many = [...Array.from({ length: 60 }, (_, index) => day(index, 20)).flat(), ...day(60, 70, 5)];
    assert.equal(advise(many, { renewal: 'heartbeat', gapMs: null }).leaseMs, 140 * MINUTE);
  });

  it('spans one and a half times a single slowest run', () => {
    const runs = [...day(0, 20), ...day(1, 20, 23), ...day(2, 20, 23), ...day(2, 100, 1)];
    const advice = advise(runs, { renewal: 'heartbeat', gapMs: null });
    assert.deepEqual(
      [advice.leaseMs, advice.rule, advice.sample?.slowestMs],
      [150 * MINUTE, 'slowest_run', 100 * MINUTE],
    );
  });

  it('spans two gaps and a minute where renewal is by touch and runs take over a tenth of the gap', () => {
    const short = day(0, 7);
    assert.deepEqual(
      [
        advise(short, { renewal: 'touch', gapMs: HOUR }).leaseMs,
        advise(short, { renewal: 'heartbeat', gapMs: HOUR }).leaseMs,
        advise(day(0, 5), { renewal: 'touch', gapMs: HOUR }).leaseMs,
      ],
      [121 * MINUTE, 14 * MINUTE, 10 * MINUTE],
    );
  });

  it('with no history gives two gaps and a minute, or says that nothing is known', () => {
    assert.deepEqual(advise([], { renewal: 'heartbeat', gapMs: HOUR }), {
      leaseMs: 121 * MINUTE,
      rule: 'two_gaps',
      sample: null,
      warnings: [],
    });
    const nothing = advise([], { renewal: 'heartbeat', gapMs: null });
    assert.deepEqual([nothing.leaseMs, nothing.rule], [null, 'nothing_known']);
    assert.match(adviceMessage('new', nothing), /^Nothing is known of lock "new" yet/);
  });

  it('warns of a lease below the slowest run, past 80 and 50 percent of it, and of one that blocks for hours (C29)', () => {
    const warningFor = (lease: number): string =>
      advise(STORY_1, { renewal: 'touch', gapMs: HOUR }, lease * MINUTE).warnings.join(' ');
    assert.match(warningFor(40), /below the slowest known run \(1h 10m, run run-2-0\)/);
    assert.match(warningFor(80), /took over 80 % of a lease of 1h 20m/);
    assert.match(warningFor(130), /took over 50 % of a lease of 2h 10m/);
    assert.equal(warningFor(140), '');
    assert.match(warningFor(24 * 60), /blocks every start for so long after a crash/);
  });

  it('never advises less than the slowest run of any sample', () => {
    const sample = fc.array(fc.record({ day: fc.nat(30), minutes: fc.integer({ min: 0, max: 600 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(sample, (rows) => {
        const runs = rows.flatMap((row) => day(row.day, row.minutes, 1));
        const { leaseMs, sample: known } = advise(runs, { renewal: 'heartbeat', gapMs: null });
        assert.ok((leaseMs ?? 0) >= (known?.slowestMs ?? 0));
      }),
    );
  });

  it('takes the nearest rank as a percentile', () => {
    const values = Array.from({ length: 20 }, (_, index) => index + 1);
    assert.deepEqual([percentile(values, 0.95), percentile(values, 0.5), percentile([7], 0.95)], [19, 10, 7]);
  });
});
