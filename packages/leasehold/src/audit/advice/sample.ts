import type { AdviceSample } from '../../domain/advise.ts';
import { type History, percentileOf } from '../history/history.ts';

const DAY_MS = 86_400_000;

/**
 * The sample that `domain/advise` takes of a list of runs, taken from columns: a million runs would be three million
 * objects. A crashed run is left out: when it really ended isn't known.
 */
export function sampleOf({ used, table }: History): AdviceSample | null {
  const took = new Float64Array(used.startMs.length);
  let count = 0;
  let days = 0;
  let slowDay = { day: 0, p95Ms: Number.NEGATIVE_INFINITY };
  let slowest = { at: -1, ms: Number.NEGATIVE_INFINITY };
  let dayFrom = 0;
  let day = Number.NaN;
  const endDay = (): void => {
    if (count === dayFrom) return;
    days += 1;
    const p95Ms = percentileOf(took.subarray(dayFrom, count).toSorted(), 0.95) ?? 0;
    if (p95Ms > slowDay.p95Ms) slowDay = { day, p95Ms };
    dayFrom = count;
  };
  for (let at = 0; at < used.startMs.length; at += 1) {
    const startMs = used.startMs[at] ?? Number.NaN;
    if (used.isCrashed[at] === 1) continue;
    const ownDay = Math.floor(startMs / DAY_MS);
    if (ownDay !== day) {
      endDay();
      day = ownDay;
    }
    const ms = (used.endMs[at] ?? startMs) - startMs;
    took[count] = ms;
    count += 1;
    if (ms > slowest.ms) slowest = { at, ms };
  }
  endDay();
  if (count === 0) return null;
  const sorted = took.subarray(0, count);
  // In place: nobody needs them in the order of the runs any more.
  sorted.sort();
  return {
    runs: count,
    days,
    usualMs: percentileOf(sorted, 0.5) ?? 0,
    p95Ms: percentileOf(sorted, 0.95) ?? 0,
    slowDay: new Date(slowDay.day * DAY_MS).toISOString().slice(0, 10),
    slowDayP95Ms: slowDay.p95Ms,
    slowestMs: slowest.ms,
    slowestRunId: table.ids.text(used.rows[slowest.at] ?? 0),
  };
}
