/**
 * Identity. A table may have a column that tells rows of one job apart, besides its host: tenants, shards, the steps of a
 * run. Judged as one, they would all start at once and overlap. That it does is shown by the first rows: rows of one run id are
 * parts of one run, where they lie together; else each value is a workflow, where what overlaps in all of them hardly does
 * within one. By chance it would do so as often as two rows have the same value. What a process or a worker is called tells no
 * jobs apart, though it does no two things at a time: three of them that start one job at once are the very fault that is looked for.
 */
import { haveOwnSchedules } from '../../collect/hosts.ts';
import { isApartByName, isWorkedBy } from './apart-names.ts';
import { arePartsOfRuns } from './parts-of-runs.ts';
import type { Field } from './column-map.ts';
import type { Column } from './layout.ts';
import type { SampleTimes } from './sample-times.ts';

export interface ToldApart {
  readonly column: Column;
  /** `parts`: rows of one id are one run, from the first start to the last end. */
  readonly kind: 'workflows' | 'parts';
  /** Jobs of which the first rows show one value only: those stay as they are. */
  readonly whole: ReadonlySet<unknown>;
}

export interface ApartFound {
  readonly apart: ToldApart | null;
  /** A column that may explain what overlaps, though nothing shows that it does. */
  readonly unsure: Column | null;
}

/** A row of the sample, by the job and the host that it names. */
export interface SampleRow {
  readonly row: unknown;
  readonly job: unknown;
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
}

type Chosen = Readonly<Partial<Record<Field, Column>>>;

interface Known {
  readonly columns: readonly Column[];
  readonly isMapped: (field: Field) => boolean;
  readonly timesOf: (row: unknown) => SampleTimes;
}

const NOTHING: ApartFound = { apart: null, unsure: null };
const VALUES_MAX = 200;
const VALUE_LENGTH_MAX = 100;
/** So many rows of a value, on average. */
const ROWS_PER_VALUE_MIN = 3;
/** What has less to be explained is left to the findings. */
const CLASHES_MIN = 3;
const CLASH_SHARE_MIN = 0.02;
/** So many were to be expected within values by chance, and of those so few are there. */
const EXPECTED_MIN = 3;
const LEFT_SHARE_MAX = 0.1;
const UNSURE_SHARE_MAX = 0.5;
const TOGETHER_MS = 2_000;

/** How the rows of one job are told apart, if any column does. */
export function toldApart(
  chosen: Chosen,
  sample: readonly unknown[],
  { columns, isMapped, timesOf }: Known,
): ApartFound {
  const rows = rowsOf(chosen, sample, timesOf);
  const taken = new Set(Object.values(chosen));
  // Beside an id of the workflow, a name may be that of its part.
  if (chosen.workflow !== undefined && chosen.name !== undefined && !isMapped('name')) taken.delete(chosen.name);
  const candidates = columns.filter((column) => !taken.has(column) && !isWorkedBy(column.name) && recurs(column, rows));
  const parts = candidates.find((column) => arePartsOfRuns(column, chosen.id, rows));
  if (parts !== undefined) return { apart: { column: parts, kind: 'parts', whole: new Set() }, unsure: null };
  // Who says what the workflow is has said that nothing else is part of it.
  if (isMapped('workflow') || isMapped('name') || isMapped('host')) return NOTHING;
  const clashes = [overlapsIn, startsTogetherIn].map((countOf) => ({ countOf, all: sumOf(rows, null, countOf) }));
  if (clashes.every(({ all }) => all < CLASHES_MIN || all < rows.length * CLASH_SHARE_MIN)) return NOTHING;
  const sorted = candidates.toSorted(
    (one, other) => Number(isApartByName(other.name)) - Number(isApartByName(one.name)),
  );
  for (const column of sorted) {
    const isNamed = isApartByName(column.name);
    const [overlapping, together] = clashes.map(({ countOf, all }) => explained(column, rows, all, countOf));
    const isSteady = (): boolean => ownSchedules(column, rows);
    const isTold = isNamed
      ? overlapping === 'yes' || together === 'yes' || isSteady()
      : together === 'yes' && isSpoken(column, rows) && isSteady();
    if (isTold) return { apart: { column, kind: 'workflows', whole: wholeJobs(column, rows) }, unsure: null };
  }
  const unsure = sorted.find((column) =>
    clashes.some((each) => explained(column, rows, each.all, each.countOf) !== 'no'),
  );
  return { apart: null, unsure: unsure ?? null };
}

function rowsOf({ workflow, name, host }: Chosen, sample: readonly unknown[], timesOf: Known['timesOf']): SampleRow[] {
  return sample
    .flatMap((row) => {
      const { startMs, tookMs } = timesOf(row);
      if (startMs === null) return [];
      const job = (workflow ?? name)?.of(row);
      return [
        { row, job, key: JSON.stringify([job, host?.of(row)]), startMs, endMs: startMs + Math.max(tookMs ?? 0, 0) },
      ];
    })
    .toSorted((one, other) => one.startMs - other.startMs);
}

/** Few values, that come again, in nearly all rows. */
function recurs(column: Column, rows: readonly SampleRow[]): boolean {
  const values = rows.flatMap(({ row }) => {
    const value = column.of(row);
    return isValue(value) ? [value] : [];
  });
  const distinct = new Set(values).size;
  const isFew = distinct > 1 && distinct <= VALUES_MAX && values.length >= distinct * ROWS_PER_VALUE_MIN;
  return isFew && values.length >= rows.length * (1 - LEFT_SHARE_MAX);
}

const isValue = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= VALUE_LENGTH_MAX);

/** Words, and not the numbers and flags that a run comes to. */
const isSpoken = (column: Column, rows: readonly SampleRow[]): boolean =>
  rows.every(({ row }) => {
    const value = column.of(row);
    return typeof value === 'string' && !/^(?:[\d.,\s-]*|true|false|yes|no|[yntf])$/i.test(value);
  });

type Count = (rows: readonly SampleRow[]) => number;

function sumOf(rows: readonly SampleRow[], column: Column | null, countOf: Count): number {
  return [...groups(rows, column).values()].reduce((sum, own) => sum + countOf(own), 0);
}

const groups = (rows: readonly SampleRow[], column: Column | null): ReadonlyMap<string, SampleRow[]> =>
  Map.groupBy(rows, ({ key, row }) => (column === null ? key : JSON.stringify([key, column.of(row)])));

function overlapsIn(rows: readonly SampleRow[]): number {
  let latestMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const { startMs, endMs } of rows) {
    if (startMs < latestMs) count += 1;
    latestMs = Math.max(latestMs, endMs);
  }
  return count;
}

const startsTogetherIn = (rows: readonly SampleRow[]): number =>
  rows.filter(({ startMs }, at) => at > 0 && startMs - (rows[at - 1]?.startMs ?? startMs) < TOGETHER_MS).length;

function explained(column: Column, rows: readonly SampleRow[], all: number, countOf: Count): 'yes' | 'perhaps' | 'no' {
  const expected = all * sameShare(column, rows);
  const left = sumOf(rows, column, countOf);
  if (expected >= EXPECTED_MIN && left <= expected * LEFT_SHARE_MAX) return 'yes';
  return all >= CLASHES_MIN && left <= expected * UNSURE_SHARE_MAX ? 'perhaps' : 'no';
}

/** How many pairs of rows of a job have the same value by chance. */
function sameShare(column: Column, rows: readonly SampleRow[]): number {
  let pairs = 0;
  for (const own of groups(rows, null).values()) {
    const counts = Map.groupBy(own, ({ row }) => column.of(row));
    const squares = [...counts.values()].reduce((sum, { length }) => sum + length * length, 0);
    pairs += squares / own.length;
  }
  return pairs / rows.length;
}

/** In each job that has several, or most of their rows. */
function ownSchedules(column: Column, rows: readonly SampleRow[]): boolean {
  const several = [...groups(rows, null).values()].flatMap((own) => {
    const values = [...groups(own, column).values()].map((each) => Float64Array.from(each, ({ startMs }) => startMs));
    return values.length > 1 ? [{ rows: own.length, isSteady: haveOwnSchedules(values) }] : [];
  });
  const count = (of: readonly { rows: number }[]): number => of.reduce((sum, { rows: own }) => sum + own, 0);
  return (
    several.length > 0 && count(several.filter(({ isSteady }) => isSteady)) >= count(several) * (1 - LEFT_SHARE_MAX)
  );
}

function wholeJobs(column: Column, rows: readonly SampleRow[]): ReadonlySet<unknown> {
  const jobs = Map.groupBy(rows, ({ job }) => job);
  return new Set(
    [...jobs].flatMap(([job, own]) => (new Set(own.map(({ row }) => column.of(row))).size > 1 ? [] : [job])),
  );
}
