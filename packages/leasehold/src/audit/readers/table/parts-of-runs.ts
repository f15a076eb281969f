import type { Column } from './layout.ts';
import type { SampleRow } from './told-apart.ts';

/** So many runs have several rows, and each value once. */
const SEVERAL_SHARE_MIN = 0.5;
const DISTINCT_SHARE_MIN = 0.9;
/** Parts lie together: something runs for most of the time between the first start and the last end. */
const BUSY_SHARE_MIN = 0.5;
const TOGETHER_SHARE_MIN = 0.9;
const RUNS_MIN = 2;

/**
 * True where rows with one run id are parts of one run that the column names. Two installations that count alike have common
 * ids too: but what has one there starts whenever each of them comes to it.
 */
export function arePartsOfRuns(column: Column, id: Column | undefined, rows: readonly SampleRow[]): boolean {
  if (id === undefined) return false;
  const named = rows.filter(({ row }) => typeof id.of(row) === 'string' || typeof id.of(row) === 'number');
  const runs = [...Map.groupBy(named, ({ key, row }) => JSON.stringify([key, id.of(row)])).values()];
  const several = runs.filter(({ length }) => length > 1);
  if (several.length < RUNS_MIN || several.length < runs.length * SEVERAL_SHARE_MIN) return false;
  const distinct = several.filter((own) => {
    const values = own.map(({ row, startMs }) => ({ value: column.of(row), startMs }));
    const apart = new Set(values.map(({ value, startMs }) => JSON.stringify([value, startMs])));
    return new Set(values.map(({ value }) => value)).size === apart.size && apart.size > 1;
  });
  if (distinct.length < several.length * DISTINCT_SHARE_MIN) return false;
  const gapMs = middleGap(runs.map(([first]) => first?.startMs ?? 0));
  const together = several.filter((own) => lieTogether(own, gapMs));
  return together.length >= several.length * TOGETHER_SHARE_MIN;
}

function lieTogether(rows: readonly SampleRow[], gapMs: number): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  let [busyMs, untilMs] = [0, first.startMs];
  for (const { startMs, endMs } of rows) {
    busyMs += Math.max(endMs - Math.max(startMs, untilMs), 0);
    untilMs = Math.max(untilMs, endMs);
  }
  const spanMs = untilMs - first.startMs;
  const lastMs = (rows.at(-1)?.startMs ?? first.startMs) - first.startMs;
  return busyMs >= spanMs * BUSY_SHARE_MIN || lastMs < gapMs / 2;
}

function middleGap(starts: readonly number[]): number {
  const sorted = starts.toSorted((one, other) => one - other);
  const gaps = sorted.slice(1).map((ms, at) => ms - (sorted[at] ?? ms));
  return gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0;
}
