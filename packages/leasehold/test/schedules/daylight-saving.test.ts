/**
 * What happens when the clocks change: what croner plans, and which slot a start then belongs to. Zones are
 * chosen for their oddities: half an hour (Lord Howe), midnight (Cairo, Santiago), the southern half.
 * All instants are UTC; the year is 2026.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slotOfStart } from '../../src/domain/slot.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';

interface Row {
  readonly fact: string;
  readonly timezone: string;
  readonly expression: string;
  /** Planned after this … */
  readonly after: string;
  /** … are these, one after another. */
  readonly planned: readonly string[];
  /** A start at the first belongs to the slot of the second. */
  readonly starts: readonly (readonly [at: string, slot: string])[];
}

const ROWS: readonly Row[] = [
  {
    fact: 'a fixed time in the skipped hour is planned at its end',
    timezone: 'Europe/Berlin',
    expression: '30 2 * * *',
    after: '03-28T12:00:00',
    planned: ['03-29T01:00:00', '03-30T00:30:00'],
    starts: [
      ['03-29T01:00:05', '03-29T01:00:00'],
      ['03-30T00:29:50', '03-30T00:30:00'],
    ],
  },
  {
    fact: 'every hour leaves out the skipped one',
    timezone: 'Europe/Berlin',
    expression: '30 * * * *',
    after: '03-29T00:00:00',
    planned: ['03-29T00:30:00', '03-29T01:30:00', '03-29T02:30:00'],
    starts: [['03-29T01:30:02', '03-29T01:30:00']],
  },
  {
    fact: 'an interval in the skipped hour is not planned at all',
    timezone: 'Europe/Berlin',
    expression: '*/30 2 * * *',
    after: '03-28T12:00:00',
    planned: ['03-30T00:00:00', '03-30T00:30:00'],
    starts: [['03-29T01:30:00', '03-28T01:30:00']],
  },
  {
    fact: 'a fixed time in the repeated hour is one slot',
    timezone: 'Europe/Berlin',
    expression: '30 2 * * *',
    after: '10-24T12:00:00',
    planned: ['10-25T00:30:00', '10-26T01:30:00'],
    starts: [
      ['10-25T00:30:01', '10-25T00:30:00'],
      ['10-25T01:30:01', '10-25T00:30:00'],
    ],
  },
  {
    fact: 'an interval in a fixed hour is planned in both passes, and both are the same slots',
    timezone: 'Europe/Berlin',
    expression: '*/30 2 * * *',
    after: '10-24T12:00:00',
    planned: ['10-25T00:00:00', '10-25T00:30:00', '10-25T01:00:00', '10-25T01:30:00', '10-26T01:00:00'],
    starts: [
      ['10-25T00:30:01', '10-25T00:30:00'],
      ['10-25T01:00:01', '10-25T00:00:00'],
      ['10-25T01:30:01', '10-25T00:30:00'],
    ],
  },
  {
    fact: 'every hour has a slot for each pass of the repeated one',
    timezone: 'Europe/Berlin',
    expression: '30 * * * *',
    after: '10-25T00:00:00',
    planned: ['10-25T00:30:00', '10-25T01:30:00', '10-25T02:30:00'],
    starts: [
      ['10-25T00:30:01', '10-25T00:30:00'],
      ['10-25T01:30:01', '10-25T01:30:00'],
    ],
  },
  {
    fact: 'a fixed time in the skipped hour is planned at its end',
    timezone: 'America/New_York',
    expression: '30 2 * * *',
    after: '03-07T12:00:00',
    planned: ['03-08T07:00:00', '03-09T06:30:00'],
    starts: [['03-08T07:00:00', '03-08T07:00:00']],
  },
  {
    fact: 'a fixed time in the repeated hour is one slot',
    timezone: 'America/New_York',
    expression: '30 1 * * *',
    after: '10-31T12:00:00',
    planned: ['11-01T05:30:00', '11-02T06:30:00'],
    starts: [
      ['11-01T05:30:10', '11-01T05:30:00'],
      ['11-01T06:30:10', '11-01T05:30:00'],
    ],
  },
  {
    fact: '@hourly has a slot for each pass of the repeated hour',
    timezone: 'America/New_York',
    expression: '@hourly',
    after: '11-01T04:30:00',
    planned: ['11-01T05:00:00', '11-01T06:00:00', '11-01T07:00:00'],
    starts: [['11-01T06:00:00', '11-01T06:00:00']],
  },
  {
    fact: 'a fixed time in the skipped half hour is planned at its end',
    timezone: 'Australia/Lord_Howe',
    expression: '15 2 * * *',
    after: '10-03T00:00:00',
    planned: ['10-03T15:30:00', '10-04T15:15:00'],
    starts: [['10-03T15:30:03', '10-03T15:30:00']],
  },
  {
    fact: 'a fixed time in the repeated half hour is one slot',
    timezone: 'Australia/Lord_Howe',
    expression: '45 1 * * *',
    after: '04-04T00:00:00',
    planned: ['04-04T14:45:00', '04-05T15:15:00'],
    starts: [
      ['04-04T14:45:03', '04-04T14:45:00'],
      ['04-04T15:15:03', '04-04T14:45:00'],
    ],
  },
  {
    fact: 'every hour at a minute that is repeated has a slot for each pass',
    timezone: 'Australia/Lord_Howe',
    expression: '45 * * * *',
    after: '04-04T14:00:00',
    planned: ['04-04T14:45:00', '04-04T15:15:00', '04-04T16:15:00'],
    starts: [['04-04T15:15:03', '04-04T15:15:00']],
  },
  {
    fact: 'a fixed time in an hour skipped at midnight is planned at its end',
    timezone: 'Africa/Cairo',
    expression: '30 0 * * *',
    after: '04-23T00:00:00',
    planned: ['04-23T22:00:00', '04-24T21:30:00'],
    starts: [['04-23T22:00:01', '04-23T22:00:00']],
  },
  {
    fact: 'a fixed time in an hour repeated before midnight is one slot',
    timezone: 'Africa/Cairo',
    expression: '30 23 * * *',
    after: '10-29T00:00:00',
    planned: ['10-29T20:30:00', '10-30T21:30:00'],
    starts: [
      ['10-29T20:30:01', '10-29T20:30:00'],
      ['10-29T21:30:01', '10-29T20:30:00'],
    ],
  },
  {
    fact: '@daily at a midnight that is skipped is planned an hour of the clock later',
    timezone: 'America/Santiago',
    expression: '@daily',
    after: '09-05T12:00:00',
    planned: ['09-06T04:00:00', '09-07T03:00:00'],
    starts: [['09-06T04:00:01', '09-06T04:00:00']],
  },
  {
    fact: 'a fixed time in an hour repeated before midnight is one slot',
    timezone: 'America/Santiago',
    expression: '30 23 * * *',
    after: '04-04T12:00:00',
    planned: ['04-05T02:30:00', '04-06T03:30:00'],
    starts: [
      ['04-05T02:30:01', '04-05T02:30:00'],
      ['04-05T03:30:01', '04-05T02:30:00'],
    ],
  },
  {
    fact: 'nothing changes in spring',
    timezone: 'UTC',
    expression: '30 2 * * *',
    after: '03-28T12:00:00',
    planned: ['03-29T02:30:00', '03-30T02:30:00'],
    starts: [['03-29T02:30:01', '03-29T02:30:00']],
  },
  {
    fact: 'nothing changes in autumn',
    timezone: 'UTC',
    expression: '30 1 * * *',
    after: '10-24T12:00:00',
    planned: ['10-25T01:30:00', '10-26T01:30:00'],
    starts: [['10-25T01:30:01', '10-25T01:30:00']],
  },
];

const instant = (text: string): Date => new Date(`2026-${text}Z`);
const written = (at: Date): string => at.toISOString().slice(5, 19);

for (const [timezone, rows] of Map.groupBy(ROWS, (row) => row.timezone)) {
  describe(`daylight saving in ${timezone}`, () => {
    for (const { fact, expression, after, planned, starts } of rows) {
      it(`${expression}: ${fact}`, () => {
        const schedule = openCronSchedule({ expression, timezone });
        const found: string[] = [];
        for (let at = instant(after); found.length < planned.length; ) {
          at = schedule.next(at);
          found.push(written(at));
        }
        assert.deepEqual(found, planned);
        for (const [at, slot] of starts) {
          const [latest, next] = [schedule.latest(instant(at)), schedule.next(instant(at))];
          const chosen = slotOfStart(instant(at).getTime(), latest.getTime(), next.getTime());
          assert.equal(written(schedule.slotOf(new Date(chosen))), slot, `a start at ${at}`);
        }
      });
    }
  });
}

it('looking back finds what looking ahead planned, over every change', () => {
  const expressions = ['30 2 * * *', '*/15 * * * *', '*/20 1-2 * * *', '0 0,23 * * *', '45 1 * * *', '@daily'];
  for (const { timezone, after } of ROWS) {
    const end = new Date(instant(after).getTime() + 2 * 86_400_000);
    for (const expression of expressions) {
      const schedule = openCronSchedule({ expression, timezone });
      for (let at = instant(after); at < end; ) {
        const next = schedule.next(at);
        assert.deepEqual(schedule.latest(next), next, `${expression} in ${timezone} at ${next.toISOString()}`);
        const before = schedule.latest(new Date(next.getTime() - 1));
        assert.ok(before <= at, `${expression} in ${timezone} before ${next.toISOString()}: ${before.toISOString()}`);
        at = next;
      }
    }
  }
});
