/**
 * What the npm package `cron` (4.4.0, by kelektiv; n8n 2.41 uses it) does when the clocks change. It looks for the next
 * start from the one before, on a clock without changes, and then puts that local time into the zone:
 *
 * - a skipped time is moved: to the instant of the change where the zone leaves its January offset (most of the north),
 *   otherwise by the length of the gap (most of the south);
 * - a repeated hour is gone through twice by what repeats within it; a fixed time of it is started in its first pass;
 * - where the shift is half an hour (Lord Howe), a start after the change may come half an hour early and then again.
 *
 * The steps below are those of the package, because its oddities are what runs. Pinned in test/audit/schedule against
 * tables that the package itself gave.
 */
import type { DayPlan } from './day-plan.ts';
import type { ChangeRule } from './host-rules.ts';
import { nextWallTime, wallStarts } from './wall-starts.ts';
import type { Zone } from './zone.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The package looks two hours back from a start; one hour more is room. */
const AROUND_MS = 3 * HOUR_MS;
const STARTS_MAX = 50_000;

export const kelektivChange: ChangeRule = (plan, zone, { atMs }) => {
  const fromMs = atMs - AROUND_MS;
  const toMs = atMs + AROUND_MS;
  const starts: number[] = [];
  let here: number | null = lastBefore(plan, zone, fromMs);
  while (here !== null && starts.length < STARTS_MAX) {
    here = nextStart(plan, zone, here);
    if (here === null || here >= toMs) break;
    if (here >= fromMs) starts.push(here);
  }
  return { fromMs, toMs, starts };
};

/** From the last start the search goes on; of a rare rule any instant of the window before does as well. */
function lastBefore(plan: DayPlan, zone: Zone, atMs: number): number {
  const last = [...wallStarts(plan, zone, atMs - HOUR_MS, atMs)].at(-1);
  return last ?? atMs - 1;
}

/** The start that follows one at `startMs`; null where none is near. */
export function nextStart(plan: DayPlan, zone: Zone, startMs: number): number | null {
  const local = startMs + zone.offsetAt(startMs);
  const wall = nextWallTime(plan, Math.floor(local / 1_000) * 1_000);
  return wall === null ? null : settle(wall, zone, startMs);
}

function settle(wallMs: number, zone: Zone, startMs: number): number {
  let date = toInstant(wallMs, zone, zone.offsetAt(startMs));
  const january = offsetOfJanuary(date, zone);
  if (minuteOf(date, zone) !== Math.floor(wallMs / MINUTE_MS) % DAY_MINUTES && zone.offsetAt(date) !== january) {
    for (let steps = 0; steps < DAY_MINUTES && zone.offsetAt(date - MINUTE_MS) !== january; steps++) date -= MINUTE_MS;
    return date;
  }
  const hourBefore = date - HOUR_MS;
  const isRepeated =
    hourOf(hourBefore, zone) === hourOf(date, zone) || hourOf(date - 2 * HOUR_MS, zone) === hourOf(hourBefore, zone);
  if (isRepeated && hourBefore > startMs) date = hourBefore;
  const halfBefore = date - HOUR_MS / 2;
  const isHalfRepeated =
    minuteOf(halfBefore, zone) % 60 === minuteOf(date, zone) % 60 ||
    minuteOf(hourBefore, zone) % 60 === minuteOf(halfBefore, zone) % 60;
  return isHalfRepeated && halfBefore > startMs ? halfBefore : date;
}

const DAY_MINUTES = 24 * 60;

/** By luxon's rule: the offset of now is tried first; a time that doesn't exist is taken with the smaller offset. */
function toInstant(wallMs: number, zone: Zone, guess: number): number {
  const first = wallMs - guess;
  const offset = zone.offsetAt(first);
  if (offset === guess) return first;
  const second = wallMs - offset;
  const again = zone.offsetAt(second);
  return again === offset ? second : wallMs - Math.min(offset, again);
}

function offsetOfJanuary(atMs: number, zone: Zone): number {
  const year = new Date(atMs + zone.offsetAt(atMs)).getUTCFullYear();
  const newYear = Date.UTC(year, 0, 1);
  return zone.offsetAt(toInstant(newYear, zone, zone.offsetAt(atMs)));
}

/** Minutes since local midnight. */
function minuteOf(atMs: number, zone: Zone): number {
  const minutes = Math.floor((atMs + zone.offsetAt(atMs)) / MINUTE_MS);
  return ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

const hourOf = (atMs: number, zone: Zone): number => Math.floor(minuteOf(atMs, zone) / 60);
