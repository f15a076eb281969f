import { formatDuration } from '../../../domain/duration.ts';
import type { FoundSchedule, ScheduleRule } from '../../model/schedule.ts';
import { type JsonObject, listAt, textAt } from '../json/json-value.ts';

export const MAKE_SCHEDULE_SAID = {
  unknown:
    "A blueprint of Make doesn't tell its schedule: the interval (15 minutes unless changed) stands in the scenario's settings; give it by --every.",
  zone: "Make plans times of day in the time zone of the organisation, which the file doesn't tell.",
  restricted:
    'The schedule is restricted to some hours, days or months, which is not planned here: gaps may be larger than told.',
  noInterval: 'The schedule repeats, and its interval is not in the file; Make takes 15 minutes unless told otherwise.',
  unread: (type: string): string => `The schedule is of the kind "${type}", whose instants are not planned here.`,
} as const;

/**
 * When Make starts a scenario by itself. Null for one that only webhooks, people or calls start. A blueprint has no
 * schedule: then there is one, of which nothing is known.
 */
export function makeSchedule(scheduling: JsonObject | null, isInstant: boolean): FoundSchedule | null {
  if (scheduling === null) {
    return isInstant ? null : schedule('interval', [rule('interval unknown', null)], [MAKE_SCHEDULE_SAID.unknown]);
  }
  const type = textAt(scheduling, 'type') ?? '';
  switch (type) {
    case 'immediately':
    case 'on-demand':
    case 'once':
      return null;
    case 'indefinitely':
      return isInstant ? null : ofInterval(scheduling);
    case 'daily':
    case 'weekly':
    case 'monthly':
    case 'yearly':
      return ofDays(type, scheduling);
    default:
      return schedule(type, [rule(type, null)], [MAKE_SCHEDULE_SAID.unread(type)]);
  }
}

function ofInterval(scheduling: JsonObject): FoundSchedule {
  const seconds = Number(textAt(scheduling, 'interval') ?? Number.NaN);
  const assumes = listAt(scheduling, 'restrict').length > 0 ? [MAKE_SCHEDULE_SAID.restricted] : [];
  if (!(seconds >= 1)) {
    return schedule('interval', [rule('interval unknown', null)], [MAKE_SCHEDULE_SAID.noInterval, ...assumes]);
  }
  const everyMs = seconds * 1_000;
  return schedule('interval', [rule(`every ${formatDuration(everyMs)}`, { kind: 'interval', everyMs })], assumes);
}

/** `{"type": "weekly", "days": [1, 5], "time": "09:00"}`; a yearly one has months too. */
function ofDays(type: string, scheduling: JsonObject): FoundSchedule {
  const [hour, minute] = (/^(\d{1,2}):(\d{2})/.exec(textAt(scheduling, 'time') ?? '00:00') ?? []).slice(1).map(Number);
  const numbers = (key: string): string => listAt(scheduling, key).filter(Number.isInteger).join(',');
  const days = type === 'weekly' ? numbers('days') : '';
  const dates = type === 'monthly' || type === 'yearly' ? numbers('dates') || numbers('days') : '';
  const months = type === 'yearly' ? numbers('months') : '';
  const isWhole =
    hour !== undefined &&
    minute !== undefined &&
    (type === 'daily' || days !== '' || dates !== '') &&
    (type !== 'yearly' || months !== '');
  if (!isWhole) return schedule(type, [rule(type, null)], [MAKE_SCHEDULE_SAID.unread(type)]);
  const expression = `${minute} ${hour} ${dates || '*'} ${months || '*'} ${days || '*'}`;
  return schedule(type, [rule(expression, { kind: 'cron', expression })], [MAKE_SCHEDULE_SAID.zone]);
}

function rule(expression: string, plan: ScheduleRule['plan']): ScheduleRule {
  return { expression, plan, fault: null, place: {} };
}

function schedule(kind: string, rules: readonly ScheduleRule[], assumes: readonly string[]): FoundSchedule {
  return { host: 'make', kind, rules, timezone: null, assumes };
}
