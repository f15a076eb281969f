import type { FoundSchedule, RulePlan } from '../model/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The interval that a plain schedule speaks of, in ms: "every 15 minutes", "daily". Null for anything less plain: exact
 * gaps are worked out where schedules are, this is for comparing settings with what their author meant.
 */
export function nominalGapMs(schedule: FoundSchedule | null): number | null {
  if (schedule === null || schedule.rules.length !== 1) return null;
  const plan = schedule.rules[0]?.plan ?? null;
  return plan === null ? null : gapOf(plan);
}

function gapOf(plan: RulePlan): number | null {
  if (plan.kind === 'interval') return plan.everyMs;
  if (plan.kind === 'filtered-cron')
    return plan.every * { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY, month: 28 * DAY }[plan.unit];
  const fields = plan.expression.trim().split(/\s+/);
  const [second = '0', minute = '', hour = '', ...rest] = fields.length === 5 ? ['0', ...fields] : fields;
  if (!rest.every((field) => field === '*' || field === '?')) return null;
  if (second.startsWith('*')) return minute === '*' && hour === '*' ? stepOf(second, 60, SECOND) : null;
  if (!/^\d+$/.test(second)) return null;
  if (minute.startsWith('*')) return hour === '*' ? stepOf(minute, 60, MINUTE) : null;
  if (!/^\d+$/.test(minute)) return null;
  if (hour.startsWith('*')) return stepOf(hour, 24, HOUR);
  return /^\d+$/.test(hour) ? DAY : null;
}

function stepOf(field: string, of: number, unit: number): number | null {
  if (field === '*') return unit;
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1] ?? 0);
  return step > 0 && of % step === 0 ? step * unit : null;
}
