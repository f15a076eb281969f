import type { Field } from './column-map.ts';
import type { Column } from './layout.ts';

/** Fewer names may differ by chance. */
const ROWS_MIN = 20;
/** So many rows have to have one stem, on average. */
const ROWS_PER_STEM_MIN = 5;
/** So many of what is cut off have to look made up by a machine; by chance a few words do. */
const MADE_UP_SHARE_MIN = 0.4;
/** So many have to have a number, where that tells run from run: in some made-up endings digits stand together by chance. */
const NUMBERED_SHARE_MIN = 0.9;
/** Of so many rows that are all named differently, the names are those of runs. */
const ROWS_SURE = 1_000;

type Chosen = Partial<Record<Field, Column>>;

/**
 * Schedulers name each run by its job and a number (`report-29000001`), or its job and a made-up ending
 * (`report-7d9f8b6c5d-x2x4z`). Taken for names of workflows, each would be one of a single run. Where every row has a name of
 * its own, the job is what stands before. Returns the columns that were replaced.
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
    const names = sample.map((row) => column.of(row));
    if (!names.every((name) => typeof name === 'string') || !isOwnEach(names)) return [];
    const stemOf = [beforeNumber, ...[3, 2, 1].map(firstWords)].find((candidate) => isOfJobs(names, candidate));
    if (stemOf === undefined) return [];
    chosen[field] = { name: column.name, of: (row) => stemOfValue(column.of(row), stemOf) };
    return [column];
  });
}

/** What names the workflow, where it is another one in each row; null where it is not, or nobody knows. */
export function namedByRun(
  { workflow, name }: Chosen,
  sample: readonly unknown[],
  isMapped: (field: Field) => boolean,
): { readonly column: Column; readonly isSure: boolean } | null {
  const column = workflow ?? name;
  if (column === undefined || sample.length < ROWS_MIN) return null;
  if (isMapped(column === workflow ? 'workflow' : 'name')) return null;
  return isOwnEach(sample.map((row) => column.of(row))) ? { column, isSure: sample.length >= ROWS_SURE } : null;
}

const isOwnEach = (names: readonly unknown[]): boolean => new Set(names).size === names.length;

type StemOf = (name: string) => string;

const stemOfValue = (value: unknown, stemOf: StemOf): unknown => (typeof value === 'string' ? stemOf(value) : value);

function isOfJobs(names: readonly string[], stemOf: StemOf): boolean {
  const stems = new Set(names.map(stemOf));
  if (stems.has('') || stems.size * ROWS_PER_STEM_MIN > names.length) return false;
  if (stemOf === beforeNumber) return names.filter(hasNumber).length >= names.length * NUMBERED_SHARE_MIN;
  const madeUp = names.filter((name) => MADE_UP.test(name.slice(stemOf(name).length)));
  return madeUp.length >= names.length * MADE_UP_SHARE_MIN;
}

const hasNumber = (name: string): boolean => /\d{3}/.test(name);

/** What stands before the first number of three digits or more. */
function beforeNumber(name: string): string {
  return name.replace(/[\s._:#/-]*\d{3,}.*$/s, '');
}

/** A digit with a letter behind it, in five characters at least: no word, and no number behind one (`host12`). */
const MADE_UP = /(?=[a-z0-9]{5})[a-z0-9]*\d[a-z]/i;

function firstWords(count: number): StemOf {
  const words = new RegExp(`^[^\\s._:#/-]*(?:[\\s._:#/-]+[^\\s._:#/-]+){${count - 1}}(?=[\\s._:#/-])`);
  return (name) => words.exec(name)?.[0] ?? '';
}
