import type { ScheduleRule } from '../../model/schedule.ts';
import { isExpression } from '../../n8n-nodes/values.ts';
import { fieldsOf, isFields, numberOf, textOf } from './definition.ts';
import { cronRule, faulty, unknown } from './schedule-rule.ts';

type Place = ScheduleRule['place'];

/**
 * The items of the old Cron node and of triggers that poll; both leave a second to chance. A mode that is left out is a
 * day at 14:00, as the form has it.
 */
export function pollRule(item: unknown, place: Place): ScheduleRule {
  if (!isFields(item)) return faulty('(not a rule)', 'the poll time is not an object with a mode', place);
  const mode = textOf(item['mode']) ?? 'everyDay';
  if (mode === 'custom') return cronRule(item['cronExpression'] ?? '* * * * * *', place);
  const numbers = ['minute', 'hour', 'dayOfMonth', 'weekday', 'value'].map((name) => item[name]);
  if (numbers.some(isExpression)) return unknown(`${mode.slice(0, UNIT_MAX)} ={{ }}`, place);
  const [minute, hour, day, weekday, value] = numbers.map((number, at) => numberOf(number ?? USUAL[at]));
  if (mode === 'everyX') return everyX(value ?? 2, textOf(item['unit']) ?? 'hours', place);
  const known: Readonly<Record<string, readonly [string, string]>> = {
    everyMinute: ['* * * * *', 'every minute'],
    everyHour: [`${minute} * * * *`, 'every hour'],
    everyDay: [`${minute} ${hour} * * *`, 'every day'],
    everyWeek: [`${minute} ${hour} * * ${weekday}`, 'every week'],
    everyMonth: [`${minute} ${hour} ${day} * *`, 'every month'],
  };
  const found = Object.hasOwn(known, mode) ? known[mode] : undefined;
  if (found === undefined) return faulty(mode.slice(0, UNIT_MAX), `n8n has no mode of that name`, place);
  const [expression, words] = found;
  if (expression.includes('NaN')) return faulty(words, 'its time is not a number', place);
  if (!isTime(minute, hour, day)) return faulty(words, 'its time is none that a clock has', place);
  return { expression: words, plan: { kind: 'cron', expression }, fault: null, place };
}

function isTime(minute = 0, hour = 0, day = 1): boolean {
  return minute >= 0 && minute <= 59 && hour >= 0 && hour <= 23 && day >= 1 && day <= 31;
}

/** Minute, hour, day of the month, weekday, value. */
const USUAL = [0, 14, 1, 1, 2] as const;
const UNITS: Readonly<Record<string, (value: number) => string>> = {
  minutes: (value) => `*/${value} * * * *`,
  hours: (value) => `0 */${value} * * *`,
};

function everyX(value: number, unit: string, place: Place): ScheduleRule {
  const expression = everyWords(value, unit);
  const cron = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (cron === undefined || !Number.isInteger(value) || value < 1)
    return faulty(expression, 'n8n needs a whole number from 1 of minutes or hours', place);
  return { expression, plan: { kind: 'cron', expression: cron(value) }, fault: null, place };
}

function everyWords(count: number, unit: string): string {
  return `every ${Number.isNaN(count) ? '?' : count} ${unit.slice(0, UNIT_MAX)}`;
}

/** Units come from the file, too. */
const UNIT_MAX = 20;

/** Seconds to ms, as the old Interval node counts: from the moment that it was switched on. */
const INTERVAL_MS: Readonly<Record<string, number>> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 };
/** The longest timer that Node.js has. */
const TIMER_MS_MAX = 2_147_483_647;

export function timerRule(parameters: unknown, place: Place): ScheduleRule {
  const { interval = 1, unit = 'seconds' } = fieldsOf(parameters);
  if (isExpression(interval)) return unknown(`every ={{ }} ${textOf(unit) ?? '?'}`, place);
  const count = numberOf(interval);
  const unitMs = typeof unit === 'string' && Object.hasOwn(INTERVAL_MS, unit) ? INTERVAL_MS[unit] : undefined;
  const expression = everyWords(count, textOf(unit) ?? '?');
  if (unitMs === undefined || !(count > 0)) return faulty(expression, 'the interval must be a number above 0', place);
  const everyMs = count * unitMs;
  if (everyMs > TIMER_MS_MAX) return faulty(expression, 'the interval is longer than n8n can wait', place);
  return { expression, plan: { kind: 'interval', everyMs }, fault: null, place };
}
