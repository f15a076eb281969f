import { InstantReader } from '../table/instants.ts';
import type { Column } from '../table/layout.ts';
import { causeOf, outcomeOf } from '../table/run-words.ts';

type Row = readonly string[];

/** So many of a column's values have to be words of that kind. */
const WORDS_SHARE = 0.9;
/** A text that is another one in each of so many rows is no name of a workflow. */
const DISTINCT_ROWS_MIN = 5;
const LENGTH = /^\d{1,2}:\d\d:\d\d|^\d+(?:[.,]\d+)?\s?(?:m?s|min|h)?$/;

/** A first line with an instant in it is no line of names. */
export function looksLikeRow(record: Row): boolean {
  return record.some(isInstant);
}

/**
 * What columns are that have no names. The first instant is a start, the second an end, a number or a length a duration.
 * Of texts, one that says how runs ended is a status, one that says what started them a trigger, one that differs in
 * each row an id, and the first of the others a name.
 */
export function columnsByContent(rows: readonly Row[]): Column[] {
  const [first = []] = rows;
  const free = new Set(['start', 'end', 'duration', 'status', 'trigger', 'id', 'workflow']);
  return first.map((cell, at) => {
    const values = rows.map((row) => row[at] ?? '').filter((value) => value.trim() !== '');
    const found = namesFor(cell, values, free).find((each) => free.has(each));
    if (found !== undefined) free.delete(found);
    return { name: found ?? `column ${at + 1}`, of: (row) => (row as Row)[at] };
  });
}

/** The names that it may have, best first. */
function namesFor(cell: string, values: readonly string[], free: ReadonlySet<string>): readonly string[] {
  if (isInstant(cell)) return ['start', 'end'];
  if (LENGTH.test(cell) && !free.has('start')) return ['duration'];
  if (shareOf(values, (value) => outcomeOf(value, false) !== null) >= WORDS_SHARE) return ['status'];
  if (shareOf(values, (value) => causeOf(value) !== 'unknown') >= WORDS_SHARE) return ['trigger'];
  if (!/\p{L}{2}/u.test(cell)) return [];
  const isDistinct = values.length >= DISTINCT_ROWS_MIN && new Set(values).size === values.length;
  return isDistinct ? ['id'] : ['workflow'];
}

function isInstant(cell: string): boolean {
  const reader = new InstantReader('dmy', null);
  return /\d[-/.:]\s?\d|^\d{10,13}$/.test(cell) && !Number.isNaN(reader.read(cell) ?? Number.NaN);
}

function shareOf(values: readonly string[], fits: (value: string) => boolean): number {
  return values.length === 0 ? 0 : values.filter(fits).length / values.length;
}
