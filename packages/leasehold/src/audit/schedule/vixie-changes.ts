/**
 * What Debian's cron (Vixie cron 3.0pl1, with its daylight-saving patch) does when the clocks change; cronie, ISC cron
 * 4.1 and OpenBSD have the same rule. It keeps a clock of its own that runs through each local minute once:
 *
 * - a job whose minute and hour both begin without `*` is started for each skipped minute at the instant of the change,
 *   and not again in a repeated hour;
 * - any other goes by the wall: not in a skipped hour, twice in a repeated one;
 * - a jump of three hours or more is taken for a clock that was set: what it skipped is not made up for.
 */
import type { DayPlan } from './day-plan.ts';
import type { ChangeRule } from './host-rules.ts';
import { wallStarts, wallTimes } from './wall-starts.ts';
import type { ClockChange, Zone } from './zone.ts';

const MINUTE_MS = 60_000;
const SET_BY_HAND_MS = 3 * 60 * MINUTE_MS;

export const vixieChange: ChangeRule = (plan, zone, change) => {
  const shift = change.afterMs - change.beforeMs;
  if (plan.fields.isWild || Math.abs(shift) >= SET_BY_HAND_MS) return null;
  if (shift < 0) return { fromMs: change.atMs, toMs: change.atMs - shift, starts: [] };
  return madeUp(plan, zone, change);
};

function madeUp(plan: DayPlan, zone: Zone, { atMs, beforeMs, afterMs }: ClockChange): ReturnType<ChangeRule> {
  const skipped = wallTimes(plan, atMs + beforeMs, atMs + afterMs).map(() => atMs);
  const toMs = atMs + MINUTE_MS;
  return { fromMs: atMs, toMs, starts: [...skipped, ...wallStarts(plan, zone, atMs, toMs)] };
}
