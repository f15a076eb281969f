import type { Column } from './layout.ts';

/**
 * Identity. Where each try of a run is a row of its own, the rows have one run id and count up: the first of them is the run,
 * the others repeat it. Where no two rows have one id, the number tells how often a run was tried in all, and the
 * row is the run. Which of the two it is is told by the ids of the first rows.
 */
export interface Attempts {
  readonly column: Column;
  /** The number of a run's first try: 0 or 1. */
  readonly first: number;
}

const COUNT = /^\s*\d{1,6}(?:\.0+)?\s*$/;

/** Null where the column doesn't tell rows of one run apart, or of one part of it. */
export function attemptsIn(
  column: Column,
  { id, workflow, name }: { readonly id?: Column; readonly workflow?: Column; readonly name?: Column },
  sample: readonly unknown[],
  part: Column | null,
): Attempts | null {
  if (id === undefined) return null;
  const seen = new Map<string, Set<number>>();
  let first = 1;
  for (const row of sample) {
    const [number, run] = [attemptOf(column, row), id.of(row)];
    if (number === null || run === null || run === undefined || run === '') continue;
    first = Math.min(first, number);
    const key = JSON.stringify([(workflow ?? name)?.of(row), run, part?.of(row)]);
    const known = seen.get(key);
    if (known === undefined) seen.set(key, new Set([number]));
    else known.add(number);
  }
  return [...seen.values()].some(({ size }) => size > 1) ? { column, first } : null;
}

/** Null where no number stands there. */
export function attemptOf(column: Column, row: unknown): number | null {
  const value = column.of(row);
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return COUNT.test(String(value)) ? Number(value) : null;
}
