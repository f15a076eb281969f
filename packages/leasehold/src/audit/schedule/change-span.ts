/**
 * The local times of a rule that a clock change skips or repeats, and whether each of them counts.
 *
 * Somebody who writes `30 1,2` means two starts a day: each that is lost or comes twice counts. Somebody who writes
 * each hour, or every ten minutes, means a rhythm: as long as that goes on through the change, nothing is lost.
 */
import { DAY_MS, type DayPlan } from './day-plan.ts';
import { wallTimes } from './wall-starts.ts';
import type { ClockChange } from './zone.ts';

export interface ChangeSpan {
  /** Local times, as if they were UTC, ascending. */
  readonly times: readonly number[];
  /** The largest gap from the time before the span through it to the first one behind it, in ms; Infinity where none is near. */
  readonly rhythmMs: number;
  /** True where a rhythm goes through it. */
  readonly isRhythm: boolean;
  /** The instants between which that rhythm is to go on. */
  readonly fromMs: number;
  readonly toMs: number;
}

const NEAR_MS = DAY_MS + 3_600_000;
const HOURS = 24;

export function spanOf(days: DayPlan, { atMs, beforeMs, afterMs }: ClockChange): ChangeSpan {
  const shift = Math.abs(afterMs - beforeMs);
  const from = atMs + Math.min(beforeMs, afterMs);
  const to = atMs + Math.max(beforeMs, afterMs);
  const times = wallTimes(days, from, to);
  const before = wallTimes(days, from - NEAR_MS, from).at(-1) ?? Number.NEGATIVE_INFINITY;
  const [behind = Number.POSITIVE_INFINITY] = wallTimes(days, to, to + NEAR_MS);
  const all = [before, ...times, behind];
  const rhythmMs = all.slice(1).reduce((most, time, at) => Math.max(most, time - (all[at] ?? time)), 0);
  // Each hour of the day is a rhythm; two or five of them are so many starts.
  const isRhythm = rhythmMs < shift || (rhythmMs === shift && days.fields.hours.length === HOURS);
  return { times, rhythmMs, isRhythm, fromMs: before - beforeMs, toMs: behind - afterMs };
}
