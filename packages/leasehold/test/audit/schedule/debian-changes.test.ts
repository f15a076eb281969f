/**
 * What Debian's cron starts when the clocks change. The table was given by the daemon itself (cron 3.0pl1-162, run under
 * libfaketime through each change, starts read from its log and cut to the minute), not by us.
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
  /** A minute that stands twice was started twice: skipped ones are made up for at once. */
  readonly starts: readonly string[];
}

const ROWS = JSON.parse(readFileSync(new URL('debian-3.0pl1-162-changes.json', import.meta.url), 'utf8')) as Row[];

describe("Debian's cron at a clock change starts what the daemon itself started", () => {
  for (const { zone, expression, from, to, starts } of ROWS) {
    it(`${expression} in ${zone} around ${from}`, () => {
      const plan = planStarts(cronSchedule('cron', null, expression), horizon(from.slice(0, 10), zone));
      assert.deepEqual([...(plan.rules[0]?.starts(Date.parse(from), Date.parse(to)) ?? [])].map(utc), starts);
    });
  }
});
