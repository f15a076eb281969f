import type { Field } from './column-map.ts';
import type { Column } from './layout.ts';

type Chosen = Partial<Record<Field, Column>>;

/** Fewer rows have different ids by chance. */
const ROWS_MIN = 5;
const NEW_SHARE_MIN = 0.9;
const RECURRING_SHARE_MAX = 0.5;
const IDS_MIN = 10;
/** Runs that meet are mixed a little. */
const PASSES_MAX = 1.5;

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
    ((distinct(workflow) >= sample.length * NEW_SHARE_MIN && distinct(name) <= sample.length * RECURRING_SHARE_MAX) ||
      arePassing(workflow, name, sample))
  ) {
    chosen.id ??= workflow;
    delete chosen.workflow;
  }
}

/**
 * Ids of which each has several names, and which come and go, while the names stay: a pipeline's, each time it runs. As often
 * as an id comes in the order of the rows, it comes in one go.
 */
function arePassing(workflow: Column, name: Column, sample: readonly unknown[]): boolean {
  const rows = sample.map((row) => ({ id: workflow.of(row), name: name.of(row) }));
  const ids = new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => [id, new Set(own.map((row) => row.name))]),
  );
  const names = new Map(
    [...Map.groupBy(rows, (row) => row.name)].map(([each, own]) => [each, new Set(own.map(({ id }) => id))]),
  );
  if (ids.size < IDS_MIN || ids.size <= names.size) return false;
  const changes = rows.filter(({ id }, at) => at > 0 && id !== rows[at - 1]?.id).length;
  const several = [...ids.values()].filter(({ size }) => size > 1);
  const spread = [...names.values()].filter(({ size }) => size >= ids.size * RECURRING_SHARE_MAX);
  return (
    several.length >= ids.size * NEW_SHARE_MIN &&
    spread.length >= names.size * RECURRING_SHARE_MAX &&
    changes <= ids.size * PASSES_MAX
  );
}

/** What stands in a column, without its empty fields. */
export function valuesOf(column: Column, sample: readonly unknown[]): unknown[] {
  return sample.map((row) => column.of(row)).filter((value) => value !== null && value !== undefined && value !== '');
}
