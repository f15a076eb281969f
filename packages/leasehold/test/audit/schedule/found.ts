import type { FoundSchedule, RulePlan } from '../../../src/audit/model/schedule.ts';

/** A schedule of cron expressions, as a reader would hand it over. */
export function cronSchedule(
  host: FoundSchedule['host'],
  timezone: string | null,
  ...expressions: readonly string[]
): FoundSchedule {
  return planned(
    host,
    timezone,
    expressions.map((expression) => ({ kind: 'cron', expression })),
  );
}

export function planned(
  host: FoundSchedule['host'],
  timezone: string | null,
  plans: readonly RulePlan[],
): FoundSchedule {
  return {
    host,
    kind: 'cron',
    timezone,
    assumes: [],
    rules: plans.map((plan) => ({
      expression: 'expression' in plan ? plan.expression : `every ${plan.everyMs} ms`,
      plan,
      fault: null,
      place: {},
    })),
  };
}

export const DAY_MS: number = 86_400_000;

/** 400 days from the start of a UTC day. */
export function horizon(
  from: string,
  timezone: string | null = null,
): {
  fromMs: number;
  toMs: number;
  timezone: string | null;
} {
  const fromMs = Date.parse(`${from}T00:00:00Z`);
  return { fromMs, toMs: fromMs + 400 * DAY_MS, timezone };
}

export const utc = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
