import type { Field } from './column-map.ts';
import type { Column } from './layout.ts';
import { isOneJob, type NamedRow } from './one-job.ts';

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

/** What stands before the numbers of its names, where they were not joined since they keep to no clock. */
export interface JoinedNames {
  readonly column: Column;
  readonly kept: readonly string[];
}

interface Known {
  readonly isMapped: (field: Field) => boolean;
  readonly timesOf: (row: unknown) => Omit<NamedRow, 'name'>;
}

type Chosen = Partial<Record<Field, Column>>;

/**
 * Schedulers name each run by its job and a number (`report-29000001`), or its job and a made-up ending
 * (`report-7d9f8b6c5d-x2x4z`). Taken for names of workflows, each would be one of a single run. Where every row has a name of
 * its own and they keep to a clock, the job is what stands before; names that don't stay as they are. Returns the columns that
 * were replaced.
 */
export function jobsOfRunNames(
  chosen: Chosen,
  sample: readonly unknown[],
  { isMapped, timesOf }: Known,
): JoinedNames[] {
  if (sample.length < ROWS_MIN) return [];
  return (['workflow', 'name'] as const).flatMap((field) => {
    const column = chosen[field];
    if (column === undefined || isMapped(field)) return [];
    const names = sample.map((row) => column.of(row));
    if (!names.every((name) => typeof name === 'string') || !isOwnEach(names)) return [];
    const rows = sample.map((row, at) => ({ name: names[at] ?? '', ...timesOf(row) }));
    const candidates = [beforeNumber, ...[3, 2, 1].map(firstWords)].filter((candidate) => isOfJobs(names, candidate));
    for (const stemOf of candidates) {
      const { jobs, others } = apartBy(stemOf, rows);
      if (jobs.size === 0) continue;
      // What the first rows don't show is taken for what they show.
      const isJob = (stem: string): boolean => jobs.has(stem) || others.size === 0;
      chosen[field] = { name: column.name, of: (row) => stemOfValue(column.of(row), stemOf, isJob) };
      return [{ column, kept: [...others] }];
    }
    return [];
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

function stemOfValue(value: unknown, stemOf: StemOf, isJob: (stem: string) => boolean): unknown {
  const stem = typeof value === 'string' ? stemOf(value) : '';
  return isJob(stem) && stem !== '' ? stem : value;
}

/** What stands before: of jobs that keep to a clock, and of whatever else. */
function apartBy(
  stemOf: StemOf,
  rows: readonly NamedRow[],
): { jobs: ReadonlySet<string>; others: ReadonlySet<string> } {
  const [jobs, others] = [new Set<string>(), new Set<string>()];
  for (const [stem, own] of Map.groupBy(rows, ({ name }) => stemOf(name))) (isOneJob(own) ? jobs : others).add(stem);
  return { jobs, others };
}

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
