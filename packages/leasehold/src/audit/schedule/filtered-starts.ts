/**
 * Every nth unit as n8n counts it (Schedule Trigger of 2.41): its cron fires more often, and a start counts when enough
 * units went by since the last one that counted. Hours, days and weeks are counted on the clock and the calendar, not in
 * time gone by, so that a repeated hour adds one and the end of a leap year, or of a year with 53 weeks, adds a unit.
 * Which start was the first to count is in the node's memory and in no file: the first one asked for is taken.
 */
import { DAY_MS } from './day-plan.ts';
import type { RulePlan } from '../model/schedule.ts';
import type { Zone } from './zone.ts';

type Filter = Extract<RulePlan, { kind: 'filtered-cron' }>;

export function* filteredStarts(candidates: Iterable<number>, { every, unit }: Filter, zone: Zone): Generator<number> {
  let last: number | null = null;
  for (const at of candidates) {
    const count = unitOf(at, unit, zone);
    if (last !== null && !isDue(count, last, every, unit)) continue;
    last = count;
    yield at;
  }
}

/** Length of the circle that the host counts on; null where it counts on and on. */
const CIRCLES: Readonly<Record<Filter['unit'], number | null>> = {
  minute: null,
  hour: 24,
  day: 365,
  week: 52,
  month: null,
};

function isDue(count: number, last: number, every: number, unit: Filter['unit']): boolean {
  // Several weekdays of one week belong together.
  if (unit === 'week' && count === last) return true;
  const circle = CIRCLES[unit];
  return (circle === null ? count - last : (count - last + circle) % circle) >= every;
}

function unitOf(atMs: number, unit: Filter['unit'], zone: Zone): number {
  const local = atMs + zone.offsetAt(atMs);
  const date = new Date(local);
  const year = date.getUTCFullYear();
  switch (unit) {
    case 'minute':
      return Math.floor(atMs / 60_000);
    case 'hour':
      return date.getUTCHours();
    case 'day':
      return dayOfYear(local, year);
    case 'week':
      return weekOfYear(local, year);
    case 'month':
      return year * 12 + date.getUTCMonth();
  }
}

const dayOfYear = (local: number, year: number): number => Math.floor((local - Date.UTC(year, 0, 1)) / DAY_MS) + 1;

/** Weeks begin on Sunday, and the first one is that of the first of January. */
function weekOfYear(local: number, year: number): number {
  const nextYear = startOfWeeks(year + 1);
  const from = local >= nextYear ? nextYear : startOfWeeks(year);
  return Math.floor((local - from) / (7 * DAY_MS)) + 1;
}

function startOfWeeks(year: number): number {
  const newYear = Date.UTC(year, 0, 1);
  return newYear - new Date(newYear).getUTCDay() * DAY_MS;
}
