/**
 * What is said when the clocks change, word for word, for each host and kind of change. The window is 400 days from the
 * first of January 2026; instants are UTC. That the hosts do so is shown by the tables of *-changes.test.ts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundSchedule } from '../../../src/audit/model/schedule.ts';
import { clockChanges } from '../../../src/audit/rules/schedule/dst.ts';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { cronSchedule, horizon, planned, utc } from './found.ts';

interface Row {
  readonly fact: string;
  readonly schedule: FoundSchedule;
  /** The zone of the system, where the schedule names none. */
  readonly system?: string;
  readonly said: readonly string[];
}

const START = (zone: string, expression: string): string =>
  `When the clocks of ${zone} change, "${expression}" changes with them: `;
const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

const ROWS: readonly Row[] = [
  {
    fact: "Debian's cron makes up for a fixed time that is skipped, at the change",
    schedule: cronSchedule('cron', null, '30 2 * * *'),
    system: BERLIN,
    said: [
      `info: ${START(BERLIN, '30 2 * * *')}2026-03-29 02:30 does not exist, and it starts at 2026-03-29T01:00:00Z instead.`,
    ],
  },
  {
    fact: "Debian's cron leaves out what begins with a star, and starts it twice (C138)",
    schedule: cronSchedule('cron', null, '*/30 2 * * *'),
    system: BERLIN,
    said: [
      `warning: ${START(BERLIN, '*/30 2 * * *')}2026-03-29 02:00 to 02:30 do not exist, and 2 starts are lost; 2026-10-25 02:00 to 02:30 come twice, and 2 starts are repeated.`,
    ],
  },
  {
    fact: 'each of two named hours counts: what is lost of one is no rhythm of the other',
    schedule: cronSchedule('cron', NEW_YORK, '30 1,2 * * *'),
    said: [
      `warning: ${START(NEW_YORK, '30 1,2 * * *')}2026-03-08 02:30 does not exist, and it does not start at all; 2026-11-01 01:30 comes twice, and it starts at 2026-11-01T05:30:00Z and at 2026-11-01T06:30:00Z.`,
    ],
  },
  {
    fact: 'five named hours are five starts, of which one is lost and one doubled',
    schedule: cronSchedule('cron', NEW_YORK, '0 1-5 * * *'),
    said: [
      `warning: ${START(NEW_YORK, '0 1-5 * * *')}2026-03-08 02:00 does not exist, and it does not start at all; 2026-11-01 01:00 comes twice, and it starts at 2026-11-01T05:00:00Z and at 2026-11-01T06:00:00Z.`,
    ],
  },
  {
    fact: "Debian's cron makes up for one of five named hours, together with the next",
    schedule: cronSchedule('cron', null, '0 1-5 * * *'),
    system: NEW_YORK,
    said: [
      `warning: ${START(NEW_YORK, '0 1-5 * * *')}2 starts come at once at 2026-03-08T07:00:00Z, since skipped ones are made up for.`,
    ],
  },
  {
    fact: 'several times of the repeated hour are told as one',
    schedule: cronSchedule('zapier', BERLIN, '0,30 2 * * *'),
    said: [
      `warning: ${START(BERLIN, '0,30 2 * * *')}2026-03-29 02:00 to 02:30 do not exist, and 2 starts are lost; 2026-10-25 02:00 to 02:30 come twice, and 2 starts are repeated.`,
    ],
  },
  {
    fact: 'n8n starts in autumn what no time of the rule asks for, and in spring only one of two that are skipped',
    schedule: cronSchedule('n8n', NEW_YORK, '0,30 2,5 * * *'),
    said: [
      `warning: ${START(NEW_YORK, '0,30 2,5 * * *')}2026-03-08 02:00 does not exist, and it starts at 2026-03-08T07:00:00Z instead; 2026-03-08 02:30 does not exist, and it does not start at all; it also starts at 2026-11-01T06:00:00Z, which no time of it asks for.`,
    ],
  },
  {
    fact: 'a quarter of an hour in the hours of the night goes on through both changes',
    schedule: cronSchedule('cron', BERLIN, '*/15 0-6 * * *'),
    said: [],
  },
  {
    fact: 'what starts each half hour of the night is silent where its host waits for the wall (C137)',
    schedule: cronSchedule('cron', null, '0,30 0-6 * * *'),
    system: NEW_YORK,
    said: [
      `warning: ${START(NEW_YORK, '0,30 0-6 * * *')}3 starts come at once at 2026-03-08T07:00:00Z, since skipped ones are made up for; nothing starts from 2026-11-01T05:30:00Z to 2026-11-01T07:00:00Z (1h 30m).`,
    ],
  },
  {
    fact: 'each hour of Sundays is a rhythm, too',
    schedule: cronSchedule('cron', BERLIN, '0 * * * 0'),
    said: [],
  },
  {
    fact: "Debian's cron makes up for several at once, and is silent in the repeated hour (C137)",
    schedule: cronSchedule('cron', null, '0-59/30 0-23 * * *'),
    system: BERLIN,
    said: [
      `warning: ${START(BERLIN, '0-59/30 0-23 * * *')}3 starts come at once at 2026-03-29T01:00:00Z, since skipped ones are made up for; nothing starts from 2026-10-25T00:30:00Z to 2026-10-25T02:00:00Z (1h 30m).`,
    ],
  },
  {
    fact: "cronie's CRON_TZ goes by the wall: left out in spring, twice in autumn",
    schedule: cronSchedule('cron', BERLIN, '30 2 * * *'),
    said: [
      `warning: ${START(BERLIN, '30 2 * * *')}2026-03-29 02:30 does not exist, and it does not start at all; 2026-10-25 02:30 comes twice, and it starts at 2026-10-25T00:30:00Z and at 2026-10-25T01:30:00Z.`,
    ],
  },
  {
    fact: 'n8n starts each hour once more at the change, close to the next',
    schedule: cronSchedule('n8n', BERLIN, '5 * * * *'),
    said: [`warning: ${START(BERLIN, '5 * * * *')}two starts come only 5m apart at 2026-03-29T01:05:00Z.`],
  },
  {
    fact: 'n8n starts 02:30 of New York twice in autumn, though it comes once',
    schedule: cronSchedule('n8n', 'America/New_York', '30 2 * * *'),
    said: [
      `warning: ${START('America/New_York', '30 2 * * *')}2026-03-08 02:30 does not exist, and it starts at 2026-03-08T07:00:00Z instead; two starts come only 1h apart at 2026-11-01T07:30:00Z.`,
    ],
  },
  {
    fact: 'every second day may be that day, which no file tells',
    schedule: planned('n8n', BERLIN, [{ kind: 'filtered-cron', expression: '30 2 * * *', every: 2, unit: 'day' }]),
    said: [
      `info: When the clocks of ${BERLIN} change, "30 2 * * *" changes with them, where it is due on that day: 2026-03-29 02:30 does not exist, and it starts at 2026-03-29T01:00:00Z instead.`,
    ],
  },
  {
    fact: 'a zone that changes at midnight moves what starts there (C138)',
    schedule: cronSchedule('n8n', 'Africa/Cairo', '0 0 * * *'),
    said: [
      `warning: ${START('Africa/Cairo', '0 0 * * *')}2026-04-24 00:00 does not exist, and it starts at 2026-04-23T22:00:00Z instead; two starts come only 1h apart at 2026-10-29T22:00:00Z.`,
    ],
  },
  {
    fact: 'half an hour of Lord Howe is enough',
    schedule: cronSchedule('cron', 'Australia/Lord_Howe', '15 2 * * *'),
    said: [
      `warning: ${START('Australia/Lord_Howe', '15 2 * * *')}2026-10-04 02:15 does not exist, and it does not start at all.`,
    ],
  },
  {
    fact: 'a schedule in UTC drifts against the wall, which is no overlap (C139)',
    schedule: cronSchedule('n8n', 'UTC', '0 9 * * *'),
    system: BERLIN,
    said: [
      'info: "0 9 * * *" is planned in UTC, which has no daylight saving: in Europe/Berlin it starts at 10:00 before 2026-03-29T01:00:00Z and at 11:00 after it.',
    ],
  },
  {
    fact: 'what starts every few minutes has an hour less, and no gap',
    schedule: cronSchedule('n8n', BERLIN, '*/5 * * * *'),
    said: [],
  },
  {
    fact: 'each hour by the clock on the wall has no gap either',
    schedule: cronSchedule('cron', null, '30 * * * *'),
    system: BERLIN,
    said: [],
  },
  {
    fact: 'nine in the morning is far from any change',
    schedule: cronSchedule('cron', null, '0 9 * * *'),
    system: BERLIN,
    said: [],
  },
  {
    fact: 'each hour in UTC drifts by nothing that shows',
    schedule: cronSchedule('n8n', 'UTC', '0 * * * *'),
    system: BERLIN,
    said: [],
  },
  { fact: 'a zone that is not known says nothing', schedule: cronSchedule('cron', null, '30 2 * * *'), said: [] },
  {
    fact: 'an interval knows no clock',
    schedule: planned('make', BERLIN, [{ kind: 'interval', everyMs: 900_000 }]),
    said: [],
  },
];

const findingsOf = ({ schedule, system }: Pick<Row, 'schedule' | 'system'>): ReturnType<typeof clockChanges> =>
  clockChanges(planStarts(schedule, horizon('2026-01-01', system ?? null)));

describe('when the clocks change', () => {
  for (const row of ROWS) {
    it(row.fact, () => {
      assert.deepEqual(
        findingsOf(row).map(({ severity, message }) => `${severity}: ${message}`),
        row.said,
      );
    });
  }

  it('the evidence has each change, and the advice the time to keep clear of', () => {
    const [finding] = findingsOf({ schedule: cronSchedule('cron', null, '30 2 * * *'), system: BERLIN });
    assert.deepEqual(finding?.evidence, [
      {
        kind: 'moved',
        changeAt: '2026-03-29T01:00:00Z',
        change: 'the clocks of Europe/Berlin go forward by 1h at 2026-03-29T01:00:00Z (2026-03-29 02:00 becomes 03:00)',
        starts: ['2026-03-29T01:00:00Z'],
        asIn: 'Debian cron 3.0pl1',
      },
    ]);
    assert.equal(
      finding?.advice,
      'Move it out of the time that Europe/Berlin skips and repeats (02:00 to 03:00), or plan it in UTC.',
    );
    const [cairo] = findingsOf({ schedule: cronSchedule('n8n', 'Africa/Cairo', '0 0 * * *') });
    assert.equal(
      cairo?.evidence[1]?.['change'],
      'the clocks of Africa/Cairo go back by 1h at 2026-10-29T21:00:00Z (2026-10-30 00:00 becomes 2026-10-29 23:00)',
    );
    const asIn = (schedule: FoundSchedule): unknown => findingsOf({ schedule })[0]?.evidence[0]?.['asIn'];
    assert.equal(asIn(cronSchedule('n8n', BERLIN, '30 2 * * *')), 'n8n 2.41');
    assert.equal(asIn(cronSchedule('cron', BERLIN, '30 2 * * *')), 'cronie');
    assert.equal(asIn(cronSchedule('given', BERLIN, '30 2 * * *')), 'the clock on the wall');
    const [drift] = findingsOf({ schedule: cronSchedule('n8n', 'UTC', '0 9 * * *'), system: BERLIN });
    assert.equal(drift?.advice, 'Nothing, if the hour on the wall does not matter; else plan it in Europe/Berlin.');
  });

  it('many changes are said in part, and kept in part', () => {
    const fromMs = Date.parse('2000-01-01T00:00:00Z');
    const window = { fromMs, toMs: Date.parse('2026-01-01T00:00:00Z'), timezone: null };
    const [finding] = clockChanges(planStarts(cronSchedule('cron', BERLIN, '30 2 * * *'), window));
    assert.match(finding?.message ?? '', /; and 48 more\.$/);
    assert.equal(finding?.evidence.length, 20);
  });

  it('ten seconds of n8n go on through the repeated hour, twice as many as in any other (C137)', () => {
    const plan = planStarts(cronSchedule('n8n', BERLIN, '*/10 * * * * *'), horizon('2026-10-01'));
    const starts = plan.between(Date.parse('2026-10-25T00:00:00Z'), Date.parse('2026-10-25T02:00:00Z'), 1_000);
    assert.equal(starts.length, 720);
    assert.equal(utc(starts[360] ?? 0), '2026-10-25T01:00:00Z');
  });
});
