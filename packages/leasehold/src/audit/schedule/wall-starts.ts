/** The starts of one rule by the clock on the wall alone: none in a skipped hour, twice in a repeated one. */
import { DAY_MS, type DayPlan, indexFrom } from './day-plan.ts';
import type { Zone } from './zone.ts';

/** Instants from `fromMs` (in) to `toMs` (out), ascending. */
export function* wallStarts(plan: DayPlan, zone: Zone, fromMs: number, toMs: number): Generator<number> {
  for (const span of zone.spans(fromMs, toMs)) yield* startsWithin(plan, span.offsetMs, span.fromMs, span.toMs);
}

function* startsWithin(plan: DayPlan, offsetMs: number, fromMs: number, toMs: number): Generator<number> {
  const from = fromMs + offsetMs;
  const to = toMs + offsetMs;
  for (let day = Math.floor(from / DAY_MS); day * DAY_MS < to; day++) {
    if (!plan.matches(day)) continue;
    const midnight = day * DAY_MS;
    for (let index = indexFrom(plan.times, from - midnight); index < plan.times.length; index++) {
      const local = midnight + (plan.times[index] ?? 0);
      if (local >= to) return;
      yield local - offsetMs;
    }
  }
}

/** The first local time of the plan after `localMs`, both as if they were UTC; null where none is near. */
export function nextWallTime(plan: DayPlan, localMs: number): number | null {
  const today = Math.floor(localMs / DAY_MS);
  for (let day = today; day <= today + DAYS_AHEAD_MAX; day++) {
    if (!plan.matches(day)) continue;
    const index = indexFrom(plan.times, localMs + 1 - day * DAY_MS);
    const time = plan.times[index];
    if (time !== undefined) return day * DAY_MS + time;
  }
  return null;
}

/** A 29th of February can be eight years away; `cron` gives up then, too. */
const DAYS_AHEAD_MAX = 8 * 366;

/** Local times of the plan in a local span, as if they were UTC. */
export function wallTimes(days: DayPlan, fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day++) {
    if (!days.matches(day)) continue;
    const from = indexFrom(days.times, fromMs - day * DAY_MS);
    const to = indexFrom(days.times, toMs - day * DAY_MS);
    for (let index = from; index < to; index++) times.push(day * DAY_MS + (days.times[index] ?? 0));
  }
  return times;
}
