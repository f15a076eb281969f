/**
 * Start and end of a row from what its columns say, each of them one instant, or two in an hour that clocks showed twice.
 * A row may settle that by itself: an end before its start is the later of two, and a duration fits one pair only.
 */
import type { HistoryRun } from '../../model/run.ts';
import { believable, type Instant } from './instants.ts';

export type RowTimes = Pick<HistoryRun, 'startedAtMs' | 'endedAtMs' | 'slotAtMs'>;

type Span = Pick<HistoryRun, 'startedAtMs' | 'endedAtMs'>;

export const NO_TIMES: RowTimes = { startedAtMs: null, endedAtMs: null, slotAtMs: null };

interface RowSays {
  readonly starts: readonly Instant[];
  readonly ends: readonly Instant[];
  readonly tookMs: number | null;
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
}

/** A planned instant of that hour may be this much after its start. */
const EARLY_MS = 5_000;

/** The spans that the row leaves possible: one, or two with the earlier start first. */
export function spansOf({ starts, ends, tookMs, hasStart, hasEnd }: RowSays): readonly Span[] {
  if (!hasEnd) return starts.map((start) => span(start, plus(start, tookMs)));
  if (!hasStart) return ends.map((end) => span(tookMs === null ? null : plus(end, -tookMs), end));
  if (starts.length + ends.length === 2) return [span(starts[0] ?? null, ends[0] ?? null)];
  const all = starts.flatMap((start) => ends.map((end) => span(start, end)));
  const possible = all.filter(({ startedAtMs, endedAtMs }) => (endedAtMs ?? Infinity) >= (startedAtMs ?? -Infinity));
  const fitting = possible.filter((each) => fits(each, tookMs, shiftOf(starts, ends)));
  const left = fitting.length > 0 ? fitting : possible;
  // Of several ends of one start the earlier: nothing is made to overlap by a guess.
  const byStart = new Map(left.toReversed().map((each) => [each.startedAtMs, each]));
  const spans = [...byStart.values()].toReversed();
  return spans.length > 0 ? spans : all.slice(0, 1);
}

const plus = (instant: Instant, ms: number | null): Instant => (instant === null || ms === null ? null : instant + ms);

const span = (start: Instant, end: Instant): Span => ({ startedAtMs: believable(start), endedAtMs: believable(end) });

function shiftOf(starts: readonly Instant[], ends: readonly Instant[]): number {
  const [first, later] = starts.length === 2 ? starts : ends;
  return (later ?? 0) - (first ?? 0);
}

/** Nearer to the duration than the other reading is. */
function fits({ startedAtMs, endedAtMs }: Span, tookMs: number | null, shiftMs: number): boolean {
  if (tookMs === null || startedAtMs === null || endedAtMs === null) return false;
  return Math.abs(endedAtMs - startedAtMs - tookMs) < shiftMs / 2;
}

/** Of two readings the one that is no later than the start. */
export function slotOf([first = null, later]: readonly Instant[], startMs: number | null): number | null {
  if (later === undefined || later === null || startMs === null) return believable(first);
  return later <= startMs + EARLY_MS ? later : believable(first);
}
