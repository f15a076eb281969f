import type { FileHead } from '../files/file-format.ts';
import { isObject } from './json-value.ts';

/** What lists of runs and workflows are called in exports and answers of APIs. */
const LISTS = new Set([
  'data',
  'result',
  'results',
  'executions',
  'runs',
  'items',
  'workflows',
  'scenarios',
  'rows',
  'records',
  'history',
  'logs',
  'entries',
  'list',
  'scenariologs',
  'zap_runs',
  'zaps',
]);
/** A list may lie so deep in wrappers. */
const WRAPPERS_MAX = 4;
/** An answer with nothing in it is short. */
const LENGTH_MAX = 4_096;

/**
 * Whether a file, of which nothing was recognised, is an export with nothing in it: `[]` or `{"data": [], …}`. The first
 * says so little that it counts only where somebody named the file.
 */
export function isEmptyHistory({ text, isWhole }: FileHead, isNamed: boolean): boolean {
  if (!isWhole || text.length > LENGTH_MAX) return false;
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? isNamed && value.length === 0 : hasEmptyList(value, 0);
  } catch {
    return false;
  }
}

function hasEmptyList(value: unknown, depth: number): boolean {
  if (!isObject(value) || depth > WRAPPERS_MAX) return false;
  return Object.entries(value).some(([name, inner]) =>
    Array.isArray(inner) ? inner.length === 0 && LISTS.has(name.toLowerCase()) : hasEmptyList(inner, depth + 1),
  );
}
