import type { FoundSchedule, RulePlan } from '../../model/schedule.ts';
import { type JsonObject, textAt } from '../json/json-value.ts';

/** A step of a Zap, in the order in which steps run. */
export interface ZapStep {
  readonly id: string;
  /** The app without its version: `DelayCLIAPI`. */
  readonly app: string;
  readonly action: string;
  /** `read` for a trigger; `write`, `filter`, `search` … */
  readonly type: string;
  readonly title: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  /** Null where the file doesn't say. */
  readonly isPaused: boolean | null;
}

export const ZAP_SCHEDULE_SAID = {
  poll: "Zapier asks for new records every 1 to 15 minutes, by the account's plan; the file doesn't tell which.",
  zone: "Zapier plans times of day in the time zone of the account, which the file doesn't tell.",
  unread: (action: string): string => `The schedule is of the kind "${action}", whose instants are not planned here.`,
} as const;

const DAY_NUMBERS: Readonly<Record<string, number>> = { sun: 0, mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6 };
/** A map, because a file may say `constructor`. */
const UNIT_MS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    second: 1_000,
    minute: 60_000,
    hour: 3_600_000,
    day: 86_400_000,
    week: 604_800_000,
  }),
);

export function isDelayAfterQueue({ app, action }: ZapStep): boolean {
  return /^delay/i.test(app) && /queue/i.test(action);
}

/** What a delay of the Zap keeps a run open for; 0 for other steps, and where it is worked out when it runs. */
export function delayMs({ app, action, params }: ZapStep): number {
  if (!/^delay/i.test(app) || /queue/i.test(action)) return 0;
  const value = Number(textAt(params, 'delay_for_value', 'value') ?? Number.NaN);
  const unit = (textAt(params, 'delay_for_unit', 'unit') ?? '').toLowerCase().replace(/s$/, '');
  return value > 0 ? value * (UNIT_MS.get(unit) ?? 0) : 0;
}

/** "Schedule by Zapier" by its words; a trigger that asks for records is a poll; one that is told of them is none. */
export function scheduleOf(trigger: ZapStep): FoundSchedule | null {
  if (/^schedule/i.test(trigger.app)) return planned(trigger);
  if (/^web_?hook|^email|^app.?hook/i.test(trigger.app) || /hook|instant/i.test(trigger.action)) return null;
  return found('poll', 'asked every few minutes', null, ZAP_SCHEDULE_SAID.poll, trigger);
}

/** `everyHour {moh}`, `everyDay {hod, weekends}`, `everyWeek {dow, hod}`, `everyMonth {dom, hod}`, `every15Min`. */
function planned(trigger: ZapStep): FoundSchedule {
  const { action, params } = trigger;
  const word = action.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const [hour, minute] = timeOf(textAt(params, 'hod', 'time_of_day') ?? '');
  const days = /^(?:no|false|0)$/i.test(textAt(params, 'weekends') ?? '') ? '1-5' : '*';
  const minutes = /^every(\d+)min/.exec(word)?.[1];
  const weekday = DAY_NUMBERS[(textAt(params, 'dow', 'day_of_week') ?? '').slice(0, 3).toLowerCase()];
  const date = Number(textAt(params, 'dom', 'day_of_month') ?? Number.NaN);
  const cron = (expression: string): FoundSchedule =>
    found('cron', expression, { kind: 'cron', expression }, ZAP_SCHEDULE_SAID.zone, trigger);
  if (minutes !== undefined) return cron(`*/${Number(minutes)} * * * ${days}`);
  if (word === 'everyhour') return cron(`${Number(textAt(params, 'moh') ?? 0) || 0} * * * ${days}`);
  if (word === 'everyday' && hour !== undefined) return cron(`${minute} ${hour} * * ${days}`);
  if (word === 'everyweek' && hour !== undefined && weekday !== undefined)
    return cron(`${minute} ${hour} * * ${weekday}`);
  if (word === 'everymonth' && hour !== undefined && date >= 1) return cron(`${minute} ${hour} ${date} * *`);
  return found('schedule', action, null, ZAP_SCHEDULE_SAID.unread(action), trigger);
}

/** `9:00 AM`, `21:30`, `0900`. */
function timeOf(text: string): [number, number] | [] {
  const match = /^(\d{1,2}):?(\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text.trim());
  if (match === null) return [];
  const half = match[3]?.toLowerCase();
  const hour = Number(match[1]);
  return [half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0), Number(match[2] ?? 0)];
}

function found(kind: string, expression: string, plan: RulePlan | null, assumed: string, step: ZapStep): FoundSchedule {
  const zone = textAt(step.meta, 'timezone');
  const assumes = zone !== null && assumed === ZAP_SCHEDULE_SAID.zone ? [] : [assumed];
  return {
    host: 'zapier',
    kind,
    rules: [{ expression, plan, fault: null, place: { step: step.id } }],
    timezone: zone,
    assumes,
  };
}
