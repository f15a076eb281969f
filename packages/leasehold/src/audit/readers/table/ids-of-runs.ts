import type { Field } from './column-map.ts';
import type { Column } from './layout.ts';

type Chosen = Partial<Record<Field, Column>>;

/** Fewer rows have different ids by chance. */
const ROWS_MIN = 5;
const NEW_SHARE_MIN = 0.9;
const RECURRING_SHARE_MAX = 0.5;

/**
 * A name that is another one in each row, beside an id of workflows that is not, is the name of a run. An id of "tasks" or
 * "jobs" that is new in each row, beside a name that comes again, is the id of a run: queues of tasks call it so (Celery, RQ).
 */
export function settleIds(chosen: Chosen, sample: readonly unknown[], isMapped: (field: Field) => boolean): void {
  const { workflow, name } = chosen;
  if (workflow === undefined || name === undefined || sample.length < 2) return;
  const distinct = (column: Column): number => new Set(valuesOf(column, sample)).size;
  if (distinct(name) === sample.length && distinct(workflow) < sample.length) delete chosen.name;
  else if (
    !isMapped('workflow') &&
    sample.length >= ROWS_MIN &&
    distinct(workflow) >= sample.length * NEW_SHARE_MIN &&
    distinct(name) <= sample.length * RECURRING_SHARE_MAX
  ) {
    chosen.id ??= workflow;
    delete chosen.workflow;
  }
}

/** What stands in a column, without its empty fields. */
export function valuesOf(column: Column, sample: readonly unknown[]): unknown[] {
  return sample.map((row) => column.of(row)).filter((value) => value !== null && value !== undefined && value !== '');
}
