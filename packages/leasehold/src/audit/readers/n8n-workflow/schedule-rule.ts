/**
 * The items of a Schedule Trigger and what n8n 2.41 makes of them. The second within the minute is a hash of workflow
 * and node that the file doesn't tell (older versions drew it when they were switched on), so crons here have five
 * fields: which second it is changes no gap.
 */
import type { RulePlan, ScheduleRule } from '../../model/schedule.ts';
import { isExpression } from '../../n8n-nodes/values.ts';
import { type Fields, isFields, numberOf, textOf } from './definition.ts';

type Place = ScheduleRule['place'];
type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months';

interface Shape {
  /** The name of the number, what it is where left out, and the most that n8n still counts. */
  readonly key: string;
  readonly usual: number;
  readonly most: number;
}

const SHAPES: Readonly<Record<Unit, Shape>> = {
  seconds: { key: 'secondsInterval', usual: 30, most: 59 },
  minutes: { key: 'minutesInterval', usual: 5, most: Number.MAX_SAFE_INTEGER },
  // n8n counts hours within a day and days within a year: a longer step is never reached again.
  hours: { key: 'hoursInterval', usual: 1, most: 23 },
  days: { key: 'daysInterval', usual: 1, most: 364 },
  weeks: { key: 'weeksInterval', usual: 1, most: 51 },
  months: { key: 'monthsInterval', usual: 1, most: Number.MAX_SAFE_INTEGER },
};
/** All that n8n knows of a rule's `field`. */
export const UNITS: ReadonlySet<unknown> = new Set([...Object.keys(SHAPES), 'cronExpression']);

/** From this version on n8n refuses what lies outside. */
const CHECKED_FROM = 1.3;
const CHECKED: Partial<Record<Unit, number>> = { minutes: 59, hours: 23, days: 31 };
const LARGEST: Readonly<Record<string, number>> = { triggerAtMinute: 59, triggerAtHour: 23, triggerAtDayOfMonth: 31 };

export function intervalRule(item: unknown, version: number, place: Place): ScheduleRule {
  if (!isFields(item)) return faulty('(not a rule)', 'the rule is not an object with a field', place);
  const field = item['field'] ?? 'days';
  if (field === 'cronExpression') return cronRule(item['expression'], place);
  // n8n takes what it doesn't know for days, and `unknownUnit` says so.
  const unit = typeof field === 'string' && Object.hasOwn(SHAPES, field) ? (field as Unit) : 'days';
  const { key, usual, most } = SHAPES[unit];
  const numbers = numbersOf(item, key, usual);
  if (typeof numbers === 'string')
    return numbers === '' ? unknown(`every ={{ }} ${unit}`, place) : faulty(`every ? ${unit}`, numbers, place);
  const expression = everyWords(numbers.every, unit);
  const limit = version >= CHECKED_FROM ? (CHECKED[unit] ?? most) : most;
  if (numbers.every < 1 || numbers.every > limit)
    return faulty(expression, `${key} is ${numbers.every}, and n8n can count from 1 to ${limit}`, place);
  const days = unit === 'weeks' ? weekdays(item['triggerAtDay']) : '*';
  if (days === null) return faulty(expression, 'triggerAtDay is no list of weekdays from 0 to 6', place);
  return { expression, plan: planOf(unit, numbers, days), fault: null, place };
}

/** An expression of cron as it stands; n8n reads rules when it is switched on and resolves nothing in them. */
export function cronRule(value: unknown, place: Place): ScheduleRule {
  const text = textOf(value);
  if (text === null) return faulty('(empty)', 'the cron expression is empty', place);
  if (isExpression(text)) return unknown(text, place);
  const words = text.trim();
  const count = words.split(/\s+/).length;
  if (!words.startsWith('@') && count !== 5 && count !== 6)
    return faulty(words, `a cron expression has five fields, or six with seconds first; this one has ${count}`, place);
  return { expression: words.slice(0, SHOWN_MAX), plan: { kind: 'cron', expression: words }, fault: null, place };
}

/** Of what stands in the file, for people. */
const SHOWN_MAX = 120;

export function faulty(expression: string, fault: string, place: Place): ScheduleRule {
  return { expression: expression.slice(0, SHOWN_MAX), plan: null, fault, place };
}

/** What only n8n knows once it runs; the schedule's `assumes` says so. */
export function unknown(expression: string, place: Place): ScheduleRule {
  return { expression: expression.slice(0, SHOWN_MAX), plan: null, fault: null, place };
}

interface Numbers {
  readonly every: number;
  readonly minute: number;
  readonly hour: number;
  readonly dayOfMonth: number;
}

/** The sentence of what is wrong, or '' where an expression stands for a number. */
function numbersOf(item: Fields, key: string, usual: number): Numbers | string {
  const found: Record<string, number> = {};
  for (const [name, fallback] of Object.entries({
    [key]: usual,
    triggerAtMinute: 0,
    triggerAtHour: 0,
    triggerAtDayOfMonth: 1,
  })) {
    const value = item[name] ?? fallback;
    if (isExpression(value)) return '';
    const number = numberOf(value);
    if (!Number.isInteger(number)) return `${name} is not a whole number`;
    const largest = LARGEST[name];
    if (largest !== undefined && (number < 0 || number > largest)) return `${name} is ${number}, beyond ${largest}`;
    found[name] = number;
  }
  return {
    every: found[key] ?? usual,
    minute: found['triggerAtMinute'] ?? 0,
    hour: found['triggerAtHour'] ?? 0,
    dayOfMonth: found['triggerAtDayOfMonth'] ?? 1,
  };
}

function weekdays(value: unknown): string | null {
  const days: readonly unknown[] = Array.isArray(value) ? value : [value ?? 0];
  if (!days.every((day) => /^[0-6]$/.test(textOf(day) ?? ''))) return null;
  return days.length === 0 ? '*' : days.map(String).join(',');
}

function planOf(unit: Unit, { every, minute, hour, dayOfMonth }: Numbers, days: string): RulePlan {
  const cron = (expression: string): RulePlan => ({ kind: 'cron', expression });
  switch (unit) {
    case 'seconds':
      return cron(`*/${every} * * * * *`);
    case 'minutes':
      return 60 % every === 0
        ? cron(`*/${every} * * * *`)
        : { kind: 'filtered-cron', expression: '* * * * *', every, unit: 'minute' };
    case 'hours':
      return 24 % every === 0
        ? cron(`${minute} */${every} * * *`)
        : { kind: 'filtered-cron', expression: `${minute} * * * *`, every, unit: 'hour' };
    case 'days':
      return filtered(`${minute} ${hour} * * *`, every, 'day');
    case 'weeks':
      return filtered(`${minute} ${hour} * * ${days}`, every, 'week');
    case 'months':
      return 12 % every === 0
        ? cron(`${minute} ${hour} ${dayOfMonth} */${every} *`)
        : { kind: 'filtered-cron', expression: `${minute} ${hour} ${dayOfMonth} * *`, every, unit: 'month' };
  }
}

function filtered(expression: string, every: number, unit: 'day' | 'week'): RulePlan {
  return every === 1 ? { kind: 'cron', expression } : { kind: 'filtered-cron', expression, every, unit };
}

function everyWords(every: number, unit: Unit): string {
  return every === 1 ? `every ${unit.slice(0, -1)}` : `every ${every} ${unit}`;
}
