/**
 * Plans and gaps against brute force: each minute of some days around a clock change is tried, and each start in it taken
 * down; Debian's cron by its own loop over a virtual clock, n8n from start to start. No clock is read.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FoundSchedule } from '../../../src/audit/model/schedule.ts';
import { type CronFields, readCron } from '../../../src/audit/schedule/cron-fields.ts';
import { planDays } from '../../../src/audit/schedule/day-plan.ts';
import { nextStart } from '../../../src/audit/schedule/kelektiv-changes.ts';
import { planStarts } from '../../../src/audit/schedule/planned-starts.ts';
import { openZone, type Zone } from '../../../src/audit/schedule/zone.ts';
import { cronSchedule, DAY_MS } from './found.ts';

const MINUTE_MS = 60_000;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago', 'UTC'];

const minute = fc.constantFrom('*', '*/7', '*/20', '0', '5,35', '0-59/30', '30');
const hour = fc.constantFrom('*', '*/2', '*/5', '2', '0', '0-23', '0,2,3', '1-3');
const day = fc.constantFrom('*', '*/2', '13', '1-28');
const weekday = fc.constantFrom('*', '1-5', '0', '6');
const expression = fc.tuple(minute, hour, day, weekday).map(([m, h, d, w]) => `${m} ${h} ${d} * ${w}`);
const YEAR_MS = Date.parse('2026-01-01T00:00:00Z');

/** A zone, and a window of some days that mostly holds one of its changes. */
const place = fc
  .tuple(
    fc.constantFrom(...ZONES),
    fc.nat({ max: 9 }),
    fc.integer({ min: 0, max: 2_000 }),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([name, which, minutesBefore, days]) => {
    const zone = openZone(name);
    if (zone === null) throw new Error(name);
    const changes = zone.changes(YEAR_MS, YEAR_MS + 365 * DAY_MS);
    const atMs = changes[which % Math.max(1, changes.length)]?.atMs ?? YEAR_MS + 200 * DAY_MS;
    const fromMs = atMs - minutesBefore * MINUTE_MS;
    return { zone, span: { fromMs, toMs: fromMs + days * DAY_MS, timezone: null } };
  });

type Fits = (localMinute: number) => boolean;

function fitsOf(text: string): Fits {
  const reading = readCron(text, 'vixie');
  if ('fault' in reading) throw new Error(reading.fault);
  const { fields } = reading;
  return (minutes) => fits(fields, minutes);
}

function fits({ minutes, hours, days, weekdays, dayRule }: CronFields, localMinute: number): boolean {
  const date = new Date(localMinute * MINUTE_MS);
  const fitsDay = days.has(date.getUTCDate());
  const fitsWeekday = weekdays.has(date.getUTCDay());
  return (
    minutes.includes(date.getUTCMinutes()) &&
    hours.includes(date.getUTCHours()) &&
    (dayRule === 'both' ? fitsDay && fitsWeekday : fitsDay || fitsWeekday)
  );
}

const localMinute = (zone: Zone, at: number): number => Math.floor((at + zone.offsetAt(at)) / MINUTE_MS);

function byWall(text: string, zone: Zone, fromMs: number, toMs: number): number[] {
  const starts: number[] = [];
  const fit = fitsOf(text);
  for (let at = fromMs; at < toMs; at += MINUTE_MS) if (fit(localMinute(zone, at))) starts.push(at);
  return starts;
}

/** The daemon's loop: a virtual clock that goes through each local minute, and four kinds of difference to it. */
function byDebian(text: string, zone: Zone, fromMs: number, toMs: number): number[] {
  const starts: number[] = [];
  const fit = fitsOf(text);
  const isWild = /^\*|^\S+ \*/.test(text);
  let virtual = localMinute(zone, fromMs - MINUTE_MS);
  for (let at = fromMs; at < toMs; at += MINUTE_MS) {
    const now = localMinute(zone, at);
    const difference = now - virtual;
    if (difference === 1 || Math.abs(difference) >= 180) {
      virtual = now;
      if (fit(now)) starts.push(at);
    } else if (difference > 1) {
      if (isWild && fit(now)) starts.push(at);
      const missed = Array.from({ length: difference }, (_, index) => virtual + 1 + index).filter(fit);
      if (!isWild) starts.push(...missed.map(() => at));
      virtual = now;
    } else if (isWild && fit(now)) {
      starts.push(at);
    }
  }
  return starts;
}

function byN8n(text: string, zone: Zone, fromMs: number, toMs: number): number[] {
  const reading = readCron(text, 'kelektiv');
  if ('fault' in reading) throw new Error(reading.fault);
  const days = planDays(reading.fields);
  const starts: number[] = [];
  for (let at = nextStart(days, zone, fromMs - 1); at !== null && at < toMs; at = nextStart(days, zone, at))
    starts.push(at);
  return starts;
}

const HOSTS: readonly (readonly [
  name: string,
  make: (zone: string, text: string) => readonly [FoundSchedule, string | null],
  brute: typeof byWall,
])[] = [
  ["Debian's cron", (zone, text) => [cronSchedule('cron', null, text), zone], byDebian],
  ["cronie's CRON_TZ", (zone, text) => [cronSchedule('cron', zone, text), null], byWall],
  ['n8n', (zone, text) => [cronSchedule('n8n', zone, text), null], byN8n],
];

describe('plans equal brute force', () => {
  for (const [name, make, brute] of HOSTS) {
    it(`${name}: each start, and the smallest and largest gap, around clock changes`, () => {
      fc.assert(
        fc.property(expression, place, (text, { zone, span }) => {
          const [schedule, timezone] = make(zone.name, text);
          const plan = planStarts(schedule, { ...span, timezone });
          const expected = brute(text, zone, span.fromMs, span.toMs);
          assert.deepEqual([...(plan.rules[0]?.starts(span.fromMs, span.toMs) ?? [])], expected);
          assert.equal(plan.starts, expected.length);
          const distinct = [...new Set(expected)];
          assert.deepEqual(plan.between(span.fromMs, span.toMs, 1e9), distinct);
          const gaps = distinct.slice(1).map((at, index) => at - (distinct[index] ?? 0));
          assert.equal(plan.minGapMs, gaps.length === 0 ? null : Math.min(...gaps));
          assert.equal(plan.maxGapMs, gaps.length === 0 ? null : Math.max(...gaps));
        }),
        { numRuns: 250 },
      );
    });
  }

  it('several rules: the gaps of their union, and where they meet', () => {
    fc.assert(
      fc.property(fc.array(expression, { minLength: 2, maxLength: 4 }), place, (texts, { zone, span }) => {
        const plan = planStarts(cronSchedule('given', zone.name, ...texts), span);
        const lists = plan.rules.map((rule) => [...rule.starts(span.fromMs, span.toMs)]);
        const union = [...new Set(lists.flat())].toSorted((one, other) => one - other);
        const gaps = union.slice(1).map((at, index) => at - (union[index] ?? 0));
        assert.equal(plan.minGapMs, gaps.length === 0 ? null : Math.min(...gaps));
        assert.equal(plan.maxGapMs, gaps.length === 0 ? null : Math.max(...gaps));
        const meetings = union.filter((at) => lists.filter((list) => list.includes(at)).length > 1);
        assert.equal(plan.meetings, meetings.length);
        assert.equal(plan.firstMeeting?.atMs ?? null, meetings[0] ?? null);
      }),
      { numRuns: 100 },
    );
  });
});
