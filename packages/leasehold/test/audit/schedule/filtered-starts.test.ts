/**
 * Every nth unit of n8n's Schedule Trigger. The table was given by the node itself (n8n-nodes-base 2.41.2 with `cron`
 * 4.4.0, its clock set from start to start), not by us: ends of years, leap years, years with 53 weeks, clock changes.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { planned, utc } from './found.ts';

interface Row {
  readonly zone: string;
  readonly expression: string;
  readonly every: number;
  readonly unit: 'hour' | 'day' | 'week' | 'month';
  readonly from: string;
  readonly to: string;
  readonly starts: readonly string[];
}

const ROWS = JSON.parse(readFileSync(new URL('n8n-2.41-filtered.json', import.meta.url), 'utf8')) as Row[];
const HOUR_MS = 3_600_000;

describe('n8n counts every nth unit as its node does', () => {
  for (const { zone, expression, every, unit, from, to, starts } of ROWS) {
    it(`every ${every} ${unit}s of ${expression} from ${from} in ${zone}`, () => {
      const window = { fromMs: Date.parse(from), toMs: Date.parse(to), timezone: null };
      const plan = planStarts(planned('n8n', zone, [{ kind: 'filtered-cron', expression, every, unit }]), window);
      assert.deepEqual(plan.between(window.fromMs, window.toMs, 1_000).map(utc), starts);
      const gaps = starts.slice(1).map((start, index) => Date.parse(start) - Date.parse(starts[index] ?? ''));
      assert.equal(plan.minGapMs, Math.min(...gaps));
      assert.equal(plan.maxGapMs, Math.max(...gaps));
    });
  }

  it('minutes are counted in time gone by, whatever the clock does, and their phase is not known', () => {
    const window = {
      fromMs: Date.parse('2026-03-01T00:00:00Z'),
      toMs: Date.parse('2026-12-01T00:00:00Z'),
      timezone: null,
    };
    const filter = { kind: 'filtered-cron', expression: '7 * * * * *', every: 50, unit: 'minute' } as const;
    const plan = planStarts(planned('n8n', 'Europe/Berlin', [filter]), window);
    assert.equal(plan.minGapMs, 50 * 60_000);
    assert.equal(plan.maxGapMs, 50 * 60_000);
    assert.equal(plan.isPhaseKnown, false);
  });

  it('a year end makes "every 2 days" three days after a leap year', () => {
    const window = {
      fromMs: Date.parse('2028-12-20T00:00:00Z'),
      toMs: Date.parse('2029-01-20T00:00:00Z'),
      timezone: null,
    };
    const filter = { kind: 'filtered-cron', expression: '0 0 9 * * *', every: 2, unit: 'day' } as const;
    const plan = planStarts(planned('n8n', 'UTC', [filter]), window);
    assert.equal(plan.maxGapMs, 72 * HOUR_MS);
  });
});
