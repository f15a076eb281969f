/**
 * What n8n starts when the clocks change. The table was given by the package that n8n 2.41 uses (`cron` 4.4.0, under
 * mocked timers, started a day before each change), not by us: zones of both halves, of half an hour, and of midnight.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { cronSchedule, horizon, utc } from './found.ts';

interface Row {
  readonly zone: string;
  readonly expression: string;
  readonly from: string;
  readonly to: string;
  readonly starts: readonly string[];
}

const ROWS = JSON.parse(readFileSync(new URL('cron-4.4.0-changes.json', import.meta.url), 'utf8')) as Row[];

describe('n8n at a clock change starts what the package cron 4.4.0 starts', () => {
  for (const { zone, expression, from, to, starts } of ROWS) {
    it(`${expression} in ${zone} around ${from}`, () => {
      const plan = planStarts(cronSchedule('n8n', zone, expression), horizon('2026-01-01'));
      assert.deepEqual(plan.between(Date.parse(from), Date.parse(to), 1_000).map(utc), starts);
    });
  }
});
