import { fitOf, SPAN_FIT } from '../table/column-names.ts';
import type { Column } from '../table/layout.ts';
import { isObject, type JsonObject } from './json-value.ts';

/** Of a nested object these say nothing without the name of the object. */
const VAGUE = new Set(['id', 'name', 'title', 'type', 'status', 'key']);
const COLUMNS_MAX = 200;

/** The fields of all rows, and those of the objects in them, as columns. */
export function columnsOfObjects(sample: readonly unknown[]): Column[] {
  const columns = new Map<string, Column>();
  for (const row of sample) {
    if (!isObject(row)) continue;
    for (const [key, value] of Object.entries(row)) {
      if (columns.size >= COLUMNS_MAX) return [...columns.values()];
      if (isObject(value)) addNested(columns, key, value);
      else if (!columns.has(key)) columns.set(key, { name: key, of: (from) => (from as JsonObject)[key] });
    }
  }
  return [...columns.values()];
}

function addNested(columns: Map<string, Column>, key: string, value: JsonObject): void {
  for (const inner of Object.keys(value)) {
    const path = `${key}.${inner}`;
    if (columns.has(path) || columns.size >= COLUMNS_MAX) continue;
    const of = (row: unknown): unknown => {
      const outer = (row as JsonObject)[key];
      return isObject(outer) ? outer[inner] : undefined;
    };
    columns.set(path, { name: VAGUE.has(inner) ? path : inner, of });
  }
}

/**
 * True for an object that may be a row of a history: one of its fields is called like an instant of a run and has a
 * text or a number. An object that has nothing but other objects is a wrapper of something.
 */
export function isRowOfRuns(value: JsonObject): boolean {
  const inside = Object.values(value);
  if (!inside.some(isScalar)) return false;
  const isWrapper = inside.some((inner) => Array.isArray(inner) && isObject(inner[0]));
  return columnsOfObjects([value]).some(({ name, of }) => {
    const fit = fitOf('start', name) ?? fitOf('end', name);
    return fit !== null && (!isWrapper || fit < SPAN_FIT) && isScalar(of(value));
  });
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
