/** What is said of a schedule alone, word for word. The window is 400 days from the first of January 2026. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../src/audit/model/finding.ts';
import type { FoundSchedule } from '../../../src/audit/model/schedule.ts';
import { scheduleRules } from '../../../src/audit/rules/schedule/schedule-rules.ts';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { cronSchedule, DAY_MS, horizon, planned, utc } from './found.ts';

const findingsOf = (schedule: FoundSchedule, timezone: string | null = null): readonly Finding[] =>
  scheduleRules({ planned: planStarts(schedule, horizon('2026-01-01', timezone)) });

const said = (schedule: FoundSchedule, timezone: string | null = null): string[] =>
  findingsOf(schedule, timezone).map(({ rule, severity, message }) => `${rule} ${severity}: ${message}`);

describe('a rule that never fires', () => {
  it('is one that no date fits', () => {
    assert.deepEqual(said(cronSchedule('cron', null, '0 3 31 2 *')), [
      'schedule.never-fires critical: The rule "0 3 31 2 *" never starts anything: no month of it has such a day.',
    ]);
    assert.deepEqual(said(cronSchedule('n8n', 'UTC', '0 3 31 4,6,9,11 *')), [
      'schedule.never-fires critical: The rule "0 3 31 4,6,9,11 *" never starts anything: no month of it has such a day.',
    ]);
    assert.deepEqual(said(cronSchedule('cron', null, '0 3 29 2 *')), []);
    assert.deepEqual(said(cronSchedule('cron', null, '0 3 31 2 1')), [], 'Mondays do');
  });

  it("is one that Debian's cron refuses, with all others of its file", () => {
    const [finding] = findingsOf(cronSchedule('cron', null, '61 * * * *'));
    assert.equal(
      finding?.message,
      `The rule "61 * * * *" never starts anything: its minute "61" is outside 0 to 59. Debian's cron ignores the whole file as long as such a line stands in it, and crontab(1) refuses to install it.`,
    );
    assert.equal(
      finding?.advice,
      'Write a rule that has a date, or take it away; look whether somebody waits for what it should have done.',
    );
    assert.deepEqual(said(cronSchedule('cron', null, '0 22-2 * * *')), [
      'schedule.never-fires critical: The rule "0 22-2 * * *" never starts anything: its hour "22-2" has a range that runs backwards, which fits nothing.',
    ]);
  });

  it('is one that a reader found at fault, beside others that go on', () => {
    const schedule = cronSchedule('n8n', 'UTC', '0 3 * * *', '0 4 * * *');
    const [first, second] = schedule.rules;
    assert.ok(first !== undefined && second !== undefined);
    const faulty = { ...first, plan: null, fault: 'its rule is a text and not a list' };
    assert.deepEqual(said({ ...schedule, rules: [faulty, second] }), [
      'schedule.never-fires critical: The rule "0 3 * * *" never starts anything: its rule is a text and not a list. The other rules of this schedule are not touched by it.',
    ]);
    assert.equal(planStarts({ ...schedule, rules: [faulty, second] }, horizon('2026-01-01')).minGapMs, DAY_MS);
  });

  it('is an interval that is none', () => {
    assert.match(
      said(planned('make', null, [{ kind: 'interval', everyMs: 0 }]))[0] ?? '',
      /its interval is not a positive time\.$/,
    );
    const filter = { kind: 'filtered-cron', expression: '0 0 9 * * *', every: 0, unit: 'day' } as const;
    assert.match(said(planned('n8n', 'UTC', [filter]))[0] ?? '', /its interval is not a positive number\./);
  });
});

describe('an uneven schedule', () => {
  it('has a step that does not divide', () => {
    assert.deepEqual(said(cronSchedule('n8n', 'UTC', '*/50 */5 */2 * *')), [
      'schedule.uneven warning: "*/50" is not every 50 minutes: it begins anew with each hour, where two starts are only 10m apart.',
      'schedule.uneven info: "*/5" is not every 5 hours: it begins anew with each day, where two starts are only 4h apart.',
      'schedule.uneven info: "*/2" is not every 2 days: it begins anew with each month, where two starts are only 1d apart.',
    ]);
    const advice = findingsOf(cronSchedule('n8n', 'UTC', '*/7 * */2 * *')).map((finding) => finding.advice);
    assert.deepEqual(advice, [
      'Take a step that divides 60, or reckon with the short gap.',
      'No step divides all months: name the days, or the weekdays.',
    ]);
    assert.match(
      said(cronSchedule('n8n', 'UTC', '*/7 * * * * *'))[0] ?? '',
      /every 7 seconds: it begins anew with each minute/,
    );
    assert.deepEqual(said(cronSchedule('n8n', 'UTC', '*/15 */6 * * *')), []);
  });

  it('has rules that start together: two runs at once, by plan', () => {
    const [finding] = findingsOf(cronSchedule('n8n', 'UTC', '0 */6 * * *', '0 12 * * 1'));
    assert.equal(finding?.rule, 'trigger.duplicate');
    assert.equal(
      finding?.message,
      '2 rules start at the same instant 57 times in 400 days, first at 2026-01-05T12:00:00Z: each starts a run of its own.',
    );
    assert.equal(finding?.advice, 'Move one of them to a minute of its own, or put them into one rule.');
  });

  it('has nodes that start within a minute, since n8n picks a second for each; polls are no runs yet', () => {
    const schedule = cronSchedule('n8n', 'UTC', '0 * * * *', '0 12 * * *');
    const nodes = {
      ...schedule,
      rules: schedule.rules.map((rule, index) => ({ ...rule, place: { node: `n${index}` } })),
    };
    assert.match(said(nodes)[0] ?? '', /2 rules start within the same minute 400 times in 400 days,/);
    assert.deepEqual(said({ ...nodes, kind: 'poll' }), []);
    assert.deepEqual(said({ ...nodes, kind: 'mixed' }), []);
  });
});

describe('the smallest gap', () => {
  it('of a rule of ten seconds over 400 days is exact, and nothing is gone through for it', () => {
    const plan = planStarts(cronSchedule('n8n', 'UTC', '*/10 * * * * *'), horizon('2026-01-01'));
    assert.deepEqual([plan.minGapMs, plan.maxGapMs, plan.starts], [10_000, 10_000, 3_456_000]);
  });

  it('of several rules is that of their union', () => {
    const plan = planStarts(cronSchedule('n8n', 'UTC', '0 * * * *', '50 8 * * 1'), horizon('2026-01-01'));
    assert.equal(plan.minGapMs, 10 * 60_000);
    assert.equal(utc(plan.narrowest?.fromMs ?? 0), '2026-01-05T08:50:00Z');
  });

  it('of daily work is 23 hours where the clocks change, and none where the zone has no such thing', () => {
    const gaps = (zone: string): (number | null)[] => {
      const plan = planStarts(cronSchedule('n8n', zone, '0 9 * * *'), horizon('2026-01-01'));
      return [plan.minGapMs, plan.maxGapMs].map((gap) => (gap === null ? null : gap / 3_600_000));
    };
    assert.deepEqual(gaps('Europe/Berlin'), [23, 25]);
    assert.deepEqual(gaps('Australia/Lord_Howe'), [23.5, 24.5]);
    assert.deepEqual(gaps('UTC'), [24, 24]);
  });

  it('of an interval is the interval, and its phase is unknown', () => {
    const plan = planStarts(planned('make', null, [{ kind: 'interval', everyMs: 900_000 }]), horizon('2026-01-01'));
    assert.deepEqual([plan.minGapMs, plan.maxGapMs, plan.isPhaseKnown], [900_000, 900_000, false]);
    assert.deepEqual(plan.assumes, [
      '"every 900000 ms" counts from a first start that no file tells, so its instants are not known, only its gaps.',
    ]);
    const mixed = planned('n8n', 'UTC', [
      { kind: 'interval', everyMs: 900_000 },
      { kind: 'cron', expression: '0 6 * * *' },
    ]);
    assert.match(
      planStarts(mixed, horizon('2026-01-01')).assumes[0] ?? '',
      /only its gaps; starts of the other rules may come closer than said\.$/,
    );
  });

  it('is not known of one start, or none', () => {
    const once = planStarts(cronSchedule('cron', null, '0 3 29 2 *'), horizon('2027-06-01', 'UTC'));
    assert.deepEqual([once.starts, once.minGapMs], [1, null]);
    const unknown = cronSchedule('n8n', 'UTC', '0 3 * * *');
    const rules = unknown.rules.map((rule) => ({ ...rule, plan: null }));
    const plan = planStarts({ ...unknown, rules }, horizon('2026-01-01'));
    assert.deepEqual([plan.minGapMs, plan.isPhaseKnown, plan.rules[0]?.never], [null, false, null]);
  });

  it('crosses a day that a zone never had: Samoa went without the 30th of December 2011 (C138)', () => {
    const fromMs = Date.parse('2011-12-25T00:00:00Z');
    const window = { fromMs, toMs: fromMs + 10 * DAY_MS, timezone: 'Pacific/Apia' };
    const plan = planStarts(cronSchedule('cron', null, '0 9 * * *'), window);
    assert.deepEqual(plan.between(Date.parse('2011-12-29T00:00:00Z'), Date.parse('2012-01-01T00:00:00Z'), 9).map(utc), [
      '2011-12-29T19:00:00Z',
      '2011-12-30T19:00:00Z',
      '2011-12-31T19:00:00Z',
    ]);
  });
});
