import { Cron, CronPattern } from 'croner';
import { LeaseholdError } from '../errors.ts';
import type { Schedule, ScheduleSpec } from '../ports/schedule.ts';
import { firstPass } from './wall-time.ts';

/**
 * Schedules by croner, which knows cron's fields and the zones' rules. Five fields, six with seconds
 * first, or a nickname (`@hourly`). Years are refused: they would make a schedule that ends.
 *
 * What croner does when the clocks change (pinned in test/schedules):
 * - one fixed time of day is planned once in a repeated hour, in its first pass; one that a skipped
 *   hour swallows is planned at the end of that hour;
 * - anything else is planned for each pass of a repeated hour, and not at all in a skipped one.
 */
export function openCronSchedule({ expression, timezone }: ScheduleSpec): Schedule {
  const zone = checkZone(timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const words = checkFields(expression);
  const cron = readCron(words, zone);
  const isByWallTime = !isHourWild(words);
  const schedule: Schedule = {
    expression: words,
    timezone: zone,
    next: (at) => planned(words, cron.nextRun(new Date(floorSecond(at)))),
    // croner looks strictly before its reference, in whole seconds.
    latest: (at) => planned(words, cron.previousRuns(1, new Date(floorSecond(at) + 1_000))[0]),
    slotOf: (instant) => (isByWallTime ? firstPass(instant, zone) : instant),
    slotsBetween: (after, before, limit) => slotsBetween(schedule, after, before, limit),
  };
  return schedule;
}

/** Backwards, because only the newest are wanted and the last success may be years ago. */
function slotsBetween(schedule: Schedule, after: Date, before: Date, limit: number): Date[] {
  const slots = new Map<number, Date>();
  let at = before;
  while (slots.size < limit) {
    const instant = schedule.latest(new Date(at.getTime() - 1));
    if (instant <= after) break;
    const slot = schedule.slotOf(instant);
    if (slot > after) slots.set(slot.getTime(), slot);
    at = instant;
  }
  return [...slots.values()].toSorted((one, other) => one.getTime() - other.getTime());
}

function floorSecond(at: Date): number {
  return Math.floor(at.getTime() / 1_000) * 1_000;
}

/** A day that no year has (`0 0 31 2 *`) is found by asking for any instant of it. */
function readCron(expression: string, timezone: string): Cron {
  let cron: Cron;
  try {
    cron = new Cron(expression, { timezone, paused: true, mode: '5-or-6-parts' });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : String(error);
    return refuse(`schedule: "${expression}" is not a cron expression (${reason}); write ${FORMS}`, error);
  }
  planned(expression, cron.nextRun(ANY_INSTANT));
  planned(expression, cron.previousRuns(1, ANY_INSTANT)[0]);
  return cron;
}

const FORMS = "five fields (minute hour day month weekday), for example '0 * * * *' or '30 2 * * MON-FRI', or @hourly";
const ANY_INSTANT: Date = new Date('2026-01-01T00:00:00Z');

function planned(expression: string, instant: Date | null | undefined): Date {
  return instant ?? refuse(`schedule: "${expression}" never fires: no date fits it; look at its day and month`);
}

/** croner takes a date as well, for something that happens once. */
function checkFields(expression: string): string {
  const words = expression.trim().replaceAll(/\s+/g, ' ');
  const count = words === '' ? 0 : words.split(' ').length;
  if (count === 5 || count === 6 || words.startsWith('@')) return words;
  return refuse(`schedule: "${words}" has ${count} field${count === 1 ? '' : 's'}; write ${FORMS}`);
}

function checkZone(timezone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch (error) {
    return refuse(`timezone: "${timezone}" is not known; write an IANA name, for example Europe/Berlin or UTC`, error);
  }
}

/**
 * Wild is an hour field with `*` or `?` in it, or one that names all 24 hours (`0-23`), and of the
 * nicknames `@hourly`: such work is due each hour, in both passes of a repeated one.
 */
function isHourWild(words: string): boolean {
  if (words.startsWith('@')) return words.toLowerCase() === '@hourly';
  const hour = words.split(' ').at(-4) ?? '';
  return /[*?]/.test(hour) || new CronPattern(words).hour.every((isPlanned) => isPlanned !== 0);
}

function refuse(message: string, cause?: unknown): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message, cause === undefined ? {} : { cause });
}
