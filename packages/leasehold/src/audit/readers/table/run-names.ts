import type { Field } from './column-map.ts';
import type { Column } from './layout.ts';

/** Fewer names may differ by chance. */
const ROWS_MIN = 20;
/** So many rows have to have one stem, on average. */
const ROWS_PER_STEM_MIN = 5;

type Chosen = Partial<Record<Field, Column>>;

/**
 * Schedulers name each run by its job and a number (`report-29000001`). Taken for names of workflows, each would be one
 * of a single run. Where every row has a name of its own, the job is what stands before the number. Returns the columns
 * that were replaced.
 */
export function jobsOfRunNames(
  chosen: Chosen,
  sample: readonly unknown[],
  isMapped: (field: Field) => boolean,
): Column[] {
  if (sample.length < ROWS_MIN) return [];
  return (['workflow', 'name'] as const).flatMap((field) => {
    const column = chosen[field];
    if (column === undefined || isMapped(field)) return [];
    const values = sample.map((row) => column.of(row));
    if (!values.every((value) => typeof value === 'string') || new Set(values).size < values.length) return [];
    const stems = new Set(values.map(stemOf));
    if (stems.has('') || stems.size * ROWS_PER_STEM_MIN > values.length) return [];
    chosen[field] = { name: column.name, of: (row) => stemOf(column.of(row)) };
    return [column];
  });
}

/** What stands before the first number of three digits or more. */
function stemOf(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[\s._:#/-]*\d{3,}.*$/s, '') : value;
}
