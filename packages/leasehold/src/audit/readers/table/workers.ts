import type { ColumnMap, Field } from './column-map.ts';
import { isOfWorkers } from './column-names.ts';
import type { Column } from './layout.ts';
import { TABLE_SAID } from './table-said.ts';

interface Known {
  readonly chosen: Readonly<Partial<Record<Field, Column>>>;
  readonly sample: readonly unknown[];
  readonly map: ColumnMap | null;
}

/**
 * What is said of a column of some names again and again that were not taken for hosts: what takes runs from each other, or hosts
 * by another word. Empty where there is none, or somebody has said what the host or the workflow is.
 */
export function workersIn(columns: readonly Column[], { chosen, sample, map }: Known): string[] {
  const { host, workflow, name } = map?.columns ?? {};
  if (chosen.host !== undefined || (host ?? workflow ?? name) !== undefined) return [];
  const taken = new Set(Object.values(chosen));
  return columns
    .filter((column) => !taken.has(column) && isOfWorkers(column.name))
    .map((column) => ({ column, count: namesIn(column, sample) }))
    .filter(({ count }) => count > 1 && count < sample.length)
    .map(({ column, count }) => TABLE_SAID.workers(column.name, count))
    .slice(0, 1);
}

function namesIn(column: Column, sample: readonly unknown[]): number {
  const names = sample
    .map((row) => column.of(row))
    .filter((value) => value !== null && value !== undefined && value !== '');
  return new Set(names).size;
}
