import { MAKE_SAID } from './make-said.ts';

/** A timestamp of unknown meaning, and how long the run took. */
export interface MakeTimes {
  readonly atMs: number;
  readonly tookMs: number;
}

/** With fewer gaps than this nothing is told apart. */
const GAPS_MIN = 8;
/** So much steadier has one reading to be. */
const STEADIER = 2;
const DIFFERENCE_MS_MIN = 500;

/**
 * Starts on an interval keep a near constant distance, or a multiple of it; ends vary with how long runs take. So
 * the reading is right by which starts vary less. Where that can't be seen, a timestamp is taken for a start.
 */
export function readingOf(runs: readonly MakeTimes[]): {
  readonly reading: 'start' | 'end';
  readonly sentence: string;
} {
  const asStarts = spreadOf(runs.map(({ atMs }) => atMs));
  const asEnds = spreadOf(runs.map(({ atMs, tookMs }) => atMs - tookMs));
  if (asStarts === null || asEnds === null || Math.abs(asStarts - asEnds) < DIFFERENCE_MS_MIN) {
    return { reading: 'start', sentence: MAKE_SAID.takenForStart(runs.length) };
  }
  if (asStarts * STEADIER <= asEnds) return { reading: 'start', sentence: MAKE_SAID.seenAsStart(asStarts, asEnds) };
  if (asEnds * STEADIER <= asStarts) return { reading: 'end', sentence: MAKE_SAID.seenAsEnd(asEnds, asStarts) };
  return { reading: 'start', sentence: MAKE_SAID.takenForStart(runs.length) };
}

/**
 * How far a gap between starts is from a multiple of the usual gap, in all but the worst tenth, where somebody changed
 * the interval; null for too few.
 */
function spreadOf(starts: readonly number[]): number | null {
  const sorted = starts.toSorted((left, right) => left - right);
  const gaps = sorted.slice(1).map((start, at) => start - (sorted[at] ?? start));
  const usual = rankOf(gaps, 0.5);
  if (gaps.length < GAPS_MIN || usual === null || usual <= 0) return null;
  return rankOf(
    gaps.map((gap) => Math.abs(gap - Math.max(1, Math.round(gap / usual)) * usual)),
    0.9,
  );
}

function rankOf(values: readonly number[], share: number): number | null {
  return values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? null;
}
