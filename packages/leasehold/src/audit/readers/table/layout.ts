import { type Attempts, attemptsIn } from './attempts.ts';
import { type ColumnMap, type Field, FIELDS } from './column-map.ts';
import { fitOf, SPAN_FIT, unitIn, VAGUE_FIT, zoneIn } from './column-names.ts';
import { bareNumber, type DurationUnit, isShortClock } from './durations.ts';
import { InstantReader } from './instants.ts';
import { settleIds, valuesOf } from './ids-of-runs.ts';
import { jobsOfRunNames, namedByRun } from './run-names.ts';
import { sampleTimes } from './sample-times.ts';
import { type ToldApart, toldApart } from './told-apart.ts';
import { TABLE_SAID } from './table-said.ts';
import { workersIn } from './workers.ts';
import { type DateOrder, orderShownBy, readWritten } from './written-instant.ts';

/** A column: its name, and how to get at a row's value of it. */
export interface Column {
  readonly name: string;
  readonly of: (row: unknown) => unknown;
}

/** Which column is what, and how its values are meant: decided once for a table, from its first rows. */
export interface Layout {
  readonly columns: Readonly<Partial<Record<Field, Column>>>;
  readonly order: DateOrder | null;
  readonly unit: DurationUnit;
  /** IANA name that the names of columns carry. */
  readonly zone: string | null;
  readonly isExitCode: boolean;
  /** True where what is read for the trigger is called a type or a kind, which may be of the work. */
  readonly isTriggerKind: boolean;
  /** Null where no column tells the tries of one run apart. */
  readonly attempts: Attempts | null;
  /** Null where no column tells rows of one job apart, or not for certain. */
  readonly apart: ToldApart | null;
  /** True where somebody said that each host works by itself. */
  readonly isHostGiven: boolean;
  /** The column of workflows, where no two rows have the same one; null where some do. */
  readonly namedByRun: string | null;
  /** True where the rows are runs of Zaps, each started by a record unless they say otherwise. */
  readonly isByRecord: boolean;
  /** Sentences: what had to be taken for granted. */
  readonly assumes: readonly string[];
}

/** Why a table can't be read as a history; `isHistory` where it is one all the same, and something has to be said. */
export interface LayoutFault {
  readonly sentence: string;
  readonly isHistory: boolean;
}

/** So much of what stands in a column of instants has to be one. */
const READABLE_SHARE = 0.5;
const ORDERED: ReadonlySet<Field> = new Set<Field>(['start', 'end', 'slot']);
const COLUMNS_NAMED = 12;

export function decideLayout(
  columns: readonly Column[],
  sample: readonly unknown[],
  map: ColumnMap | null,
): Layout | LayoutFault {
  const chosen: Partial<Record<Field, Column>> = {};
  for (const [field, name] of Object.entries(map?.columns ?? {})) {
    const column = named(columns, name);
    if (column === null) return { sentence: TABLE_SAID.noSuchColumn(name, namesOf(columns)), isHistory: true };
    chosen[field as Field] = column;
  }
  const order = map?.dates ?? orderIn(columns, sample);
  const taken = new Set(Object.values(chosen));
  for (const field of FIELDS) {
    if (chosen[field] !== undefined) continue;
    const best = columns
      .filter((column) => !taken.has(column))
      .flatMap((column) => {
        const fit = fitOf(field, column.name);
        return fit !== null && suits(field, column, sample, order) ? [{ column, fit }] : [];
      })
      .toSorted((left, right) => left.fit - right.fit)[0];
    if (best === undefined) continue;
    chosen[field] = best.column;
    taken.add(best.column);
  }
  settleIds(chosen, sample, (field) => map?.columns[field] !== undefined);
  // Who says what the workflow is has said that the host is no part of it.
  const { host, workflow, name } = map?.columns ?? {};
  if (host === undefined && (workflow !== undefined || name !== undefined)) delete chosen.host;
  return checked(chosen, { columns, sample, order, map });
}

interface Known {
  readonly columns: readonly Column[];
  readonly sample: readonly unknown[];
  readonly order: DateOrder | null;
  readonly map: ColumnMap | null;
}

function checked(chosen: Partial<Record<Field, Column>>, { columns, sample, order, map }: Known): Layout | LayoutFault {
  const { start, end, duration } = chosen;
  if (start === undefined && (end === undefined || duration === undefined)) {
    return { sentence: TABLE_SAID.noStart(namesOf(columns)), isHistory: false };
  }
  const isEndVague = end !== undefined && map?.columns.end === undefined && (fitOf('end', end.name) ?? 0) >= VAGUE_FIT;
  const isVague =
    start !== undefined && map?.columns.start === undefined && (fitOf('start', start.name) ?? 0) >= VAGUE_FIT;
  // A list of customers has instants too.
  if (isVague && (end === undefined || isEndVague) && duration === undefined) {
    return { sentence: TABLE_SAID.noStart(namesOf(columns)), isHistory: false };
  }
  if (isSpanOfSomething(chosen, columns, map))
    return { sentence: TABLE_SAID.noStart(namesOf(columns)), isHistory: false };
  const times = [start, end, chosen.slot].filter((column) => column !== undefined);
  const unordered = order === null ? times.find((column) => valuesOf(column, sample).some(needsOrder)) : undefined;
  if (unordered !== undefined) {
    const example = valuesOf(unordered, sample).find(needsOrder);
    return { sentence: TABLE_SAID.dayOrMonth(unordered.name, String(example)), isHistory: true };
  }
  const isMapped = (field: Field): boolean => map?.columns[field] !== undefined;
  const assumes: string[] = [];
  const unit = map?.unit ?? (duration === undefined ? 's' : unitOf(duration, { start, end }, sample, order, assumes));
  const joined = jobsOfRunNames(chosen, sample, { isMapped, timesOf: sampleTimes(chosen, order, unit) });
  assumes.unshift(...joined.flatMap(({ column: { name }, kept }) => TABLE_SAID.runNames(name, kept)));
  const ofRuns = namedByRun(chosen, sample, isMapped);
  if (ofRuns?.isSure === true) return { sentence: TABLE_SAID.namesOfRuns(ofRuns.column.name), isHistory: true };
  const { apart, unsure } = toldApart(chosen, sample, { columns, isMapped, timesOf: sampleTimes(chosen, order, unit) });
  if (apart?.column === chosen.name) delete chosen.name;
  const job = (chosen.workflow ?? chosen.name)?.name ?? null;
  if (apart !== null)
    assumes.push(TABLE_SAID.toldApart(apart.column.name, { kind: apart.kind, job, id: chosen.id?.name }));
  if (unsure !== null) assumes.push(TABLE_SAID.notLookedAt(unsure.name));
  if (duration !== undefined && valuesOf(duration, sample).some(isShortClock)) {
    assumes.push(TABLE_SAID.shortClock(duration.name));
  }
  if (end === undefined && duration === undefined) assumes.push(TABLE_SAID.noEnds(start?.name ?? ''));
  if (start === undefined) assumes.push(TABLE_SAID.startFromEnd(end?.name ?? '', duration?.name ?? ''));
  if (isEndVague) assumes.push(TABLE_SAID.takenAsEnd(end.name));
  if (isVague) assumes.push(TABLE_SAID.takenAsStart(start.name));
  assumes.push(...workersIn(columns, { chosen, sample, map }));
  const isByRecord = isOfZaps(chosen);
  if (isByRecord) assumes.push(TABLE_SAID.byRecord);
  return {
    columns: chosen,
    order,
    unit,
    zone: times.map((column) => zoneIn(column.name)).find((zone) => zone !== null) ?? null,
    namedByRun: ofRuns?.column.name ?? null,
    isExitCode: /exit|code|\brc\b/i.test(chosen.status?.name ?? ''),
    isTriggerKind: /^(?:type|kind)$/i.test(chosen.trigger?.name ?? '') && !isMapped('trigger'),
    attempts:
      chosen.attempt === undefined
        ? null
        : attemptsIn(chosen.attempt, chosen, sample, apart?.kind === 'parts' ? apart.column : null),
    apart,
    isHostGiven: isMapped('host'),
    isByRecord,
    assumes,
  };
}

/** As Zapier calls them. What started a run is not in its exports. */
function isOfZaps({ id, workflow, name, trigger }: Partial<Record<Field, Column>>): boolean {
  return (
    trigger === undefined && [id, workflow, name].some((column) => /^zap\b|^zap(?:id|name)$/i.test(column?.name ?? ''))
  );
}

/** `from` and `to` beside columns of which none is of a run: a booking, a tariff, the span of a query. */
function isSpanOfSomething(
  { start, end, slot: _slot, timezone: _timezone, host: _host, ...others }: Partial<Record<Field, Column>>,
  columns: readonly Column[],
  map: ColumnMap | null,
): boolean {
  if (map !== null || start === undefined || end === undefined || columns.length === 2) return false;
  const isBare = (fitOf('start', start.name) ?? 0) >= SPAN_FIT && (fitOf('end', end.name) ?? 0) >= SPAN_FIT;
  return isBare && Object.keys(others).length === 0;
}

function named(columns: readonly Column[], name: string): Column | null {
  const exact = columns.find((column) => column.name === name);
  const alike = columns.find((column) => column.name.trim().toLowerCase() === name.trim().toLowerCase());
  const numbered = /^\d+$/.test(name) ? columns[Number(name) - 1] : undefined;
  return exact ?? alike ?? numbered ?? null;
}

/** A name alone may mislead (`finished: true`): what stands in the column has to be of that kind. */
function suits(field: Field, column: Column, sample: readonly unknown[], order: DateOrder | null): boolean {
  const values = valuesOf(column, sample);
  if (values.length === 0) return field !== 'start' && field !== 'trigger';
  if (ORDERED.has(field)) {
    const reader = new InstantReader(order ?? 'dmy', null);
    const readable = values.filter((value) => !Number.isNaN(reader.read(value) ?? 0));
    return readable.length >= values.length * READABLE_SHARE;
  }
  if (field === 'duration') return values.some((value) => bareNumber(value) !== null || /\d/.test(String(value)));
  return values.every((value) => typeof value !== 'object');
}

/** From all dates of the sample, in whichever column: a file has one order. */
function orderIn(columns: readonly Column[], sample: readonly unknown[]): DateOrder | null {
  for (const column of columns) {
    for (const value of valuesOf(column, sample)) {
      const order = typeof value === 'string' ? orderShownBy(value.trim()) : null;
      if (order !== null) return order;
    }
  }
  return null;
}

function needsOrder(value: unknown): boolean {
  return typeof value === 'string' && readWritten(value.trim(), null) === 'order';
}

/** By the name of the column, else by the end of the same rows, else by how large the numbers are. */
function unitOf(
  duration: Column,
  { start, end }: { readonly start: Column | undefined; readonly end: Column | undefined },
  sample: readonly unknown[],
  order: DateOrder | null,
  assumes: string[],
): DurationUnit {
  const inName = unitIn(duration.name);
  if (inName !== null) return inName;
  const numbers = valuesOf(duration, sample).flatMap((value) => bareNumber(value) ?? []);
  if (numbers.length === 0) return 's';
  if (start !== undefined && end !== undefined) return unitFromEnds(duration, start, end, sample, order);
  const middle = numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
  const unit = middle >= 1_000 && numbers.every(Number.isInteger) ? 'ms' : 's';
  assumes.push(TABLE_SAID.unitAssumed(duration.name, unit));
  return unit;
}

function unitFromEnds(
  duration: Column,
  start: Column,
  end: Column,
  sample: readonly unknown[],
  order: DateOrder | null,
): DurationUnit {
  const reader = new InstantReader(order, null);
  const perUnit = sample.flatMap((row) => {
    const tookMs = (reader.read(end.of(row)) ?? Number.NaN) - (reader.read(start.of(row)) ?? Number.NaN);
    const number = bareNumber(duration.of(row));
    return tookMs > 0 && number !== null && number > 0 ? [tookMs / number] : [];
  });
  const ratio = perUnit.toSorted((left, right) => left - right)[Math.floor(perUnit.length / 2)] ?? 1_000;
  if (ratio < 30) return 'ms';
  return ratio < 8_000 ? 's' : ratio < 500_000 ? 'min' : 'h';
}

function namesOf(columns: readonly Column[]): string {
  const names = columns.slice(0, COLUMNS_NAMED).map(({ name }) => `"${name}"`);
  return [...names, ...(columns.length > COLUMNS_NAMED ? [`${columns.length - COLUMNS_NAMED} more`] : [])].join(', ');
}
