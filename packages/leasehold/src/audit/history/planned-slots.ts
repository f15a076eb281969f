import { indexFrom } from '../schedule/day-plan.ts';
import { slotFacts, type SlotFacts } from './slots.ts';

/** When starts are planned, as far as the slots need to know. */
export interface Plan {
  /** Ascending, each once, from `fromMs` (in) to `toMs` (out), at most so many from the first on. */
  between(fromMs: number, toMs: number, limit: number): readonly number[];
  /** How many rules plan this instant. */
  countAt(atMs: number): number;
  readonly minGapMs: number | null;
  readonly maxGapMs: number | null;
}

/** Until when the history goes, and how long nothing ran before each start, where that is known. */
export interface Judged {
  readonly untilMs: number;
  readonly idleMs: Float64Array | null;
}

const SLOTS_MAX = 200_000;
/** Timers fire a little early. */
const EARLY_MS_MAX = 2_000;
/** A schedule names the minute; hosts spread the seconds of it. */
const OFFSET_MS_MIN = 90_000;
const STEADY_SHARE = 0.8;

/**
 * Slots of a known plan. A start belongs to the newest slot at or before it; where all come late by the same time, to
 * the one that they are late for. Null where the plan has no instants there, or the starts don't keep to it.
 */
export function slotsByPlan(starts: Float64Array, plan: Plan, { untilMs, idleMs }: Judged): SlotFacts | null {
  const gapMs = plan.minGapMs;
  const firstMs = starts[0];
  if (gapMs === null || firstMs === undefined) return null;
  const reachMs = Math.min(plan.maxGapMs ?? gapMs, SLOTS_MAX * gapMs);
  const fromMs = Math.max(firstMs, untilMs - SLOTS_MAX * gapMs);
  const planned = plan.between(fromMs - reachMs, untilMs + 1, 2 * SLOTS_MAX);
  const from = starts.findIndex((start) => start >= fromMs);
  const own = starts.subarray(Math.max(0, from));
  if (planned.length < 2 || own.length === 0) return null;
  const lags = lagsOf(own, planned);
  const steadyMs = steadyLag(lags, gapMs);
  if (steadyMs === null && plan.maxGapMs === gapMs) return null;
  const offsetMs = steadyMs !== null && steadyMs > OFFSET_MS_MIN ? steadyMs : 0;
  const numbers = numbersOf(own, planned, offsetMs);
  const overMs = untilMs - Math.max(EARLY_MS_MAX, gapMs / 2) - offsetMs;
  return slotFacts(
    {
      numbers,
      starts: own,
      idleMs: idleMs?.subarray(Math.max(0, from)) ?? null,
      offset: Math.max(0, from),
      dueMs: (number) => planned[number] ?? Number.NaN,
      expected: (number) => Math.max(1, plan.countAt(planned[number] ?? 0)),
      // Planned instants are whole milliseconds: those up to `overMs` are below the next one.
      last: indexFrom(planned, Math.floor(overMs) + 1) - 1,
    },
    { basis: 'planned', gapMs, offsetMs: offsetMs === 0 ? null : offsetMs },
  );
}

function lagsOf(starts: Float64Array, planned: readonly number[]): Float64Array {
  let next = 0;
  return starts.map((start) => {
    while (next + 1 < planned.length && (planned[next + 1] ?? 0) <= start + EARLY_MS_MAX) next += 1;
    return start - (planned[next] ?? 0);
  });
}

/** By how much all come late, in ms; null where they don't, or not by the same time. */
export function offsetOf(lags: Float64Array, gapMs: number): number | null {
  const steadyMs = steadyLag(lags, gapMs);
  return steadyMs !== null && steadyMs > OFFSET_MS_MIN ? steadyMs : null;
}

/** The lag that nearly all have, in ms; null where they differ. */
function steadyLag(lags: Float64Array, gapMs: number): number | null {
  const sorted = lags.toSorted();
  const middle = sorted[sorted.length >> 1] ?? 0;
  const near = Math.max(Math.min(60_000, gapMs / 4), gapMs / 20);
  let steady = 0;
  for (const lag of lags) if (Math.abs(lag - middle) <= near) steady += 1;
  return steady >= STEADY_SHARE * lags.length ? middle : null;
}

/** The newest slot at or before; with an offset, the nearest to where it should have been. */
function numbersOf(starts: Float64Array, planned: readonly number[], offsetMs: number): Int32Array {
  let next = 0;
  const numbers = new Int32Array(starts.length);
  for (let at = 0; at < starts.length; at += 1) {
    const start = starts[at] ?? Number.NaN;
    const wanted = offsetMs === 0 ? start + EARLY_MS_MAX : start - offsetMs;
    while (next + 1 < planned.length && (planned[next + 1] ?? 0) <= wanted) next += 1;
    const here = planned[next] ?? 0;
    const after = planned[next + 1] ?? Number.POSITIVE_INFINITY;
    numbers[at] = offsetMs !== 0 && after - wanted < wanted - here ? next + 1 : next;
  }
  return numbers;
}
