import type { HostColumn } from '../model/sink.ts';
import { quotedColumn } from '../readers/table/table-said.ts';
import { quoted } from '../quoted.ts';
import { redact } from '../redact.ts';
import { grouped } from '../words.ts';
import type { Collector, RunGroup } from './collector.ts';
import type { RunTable } from './run-table.ts';

/**
 * Identity. A row may name the host that it ran on. `backup` of three hosts is three workflows, each with its own schedule:
 * judged as one, it would start three times a slot. Yet where hosts take the runs of one schedule from each other
 * (workers of a queue, the new host after the old one), it is one workflow, and two runs of it on two hosts overlap. Which of the two it is
 * is told by the starts: a host has a schedule of its own where its own starts are regular, all the time. Of a schedule whose runs
 * are shared out, a host gets every second start, then the fourth, then the next. Either way it is told.
 */
export interface Part {
  /** Null where it is all that ran by that name. */
  readonly host: string | null;
  readonly group: RunGroup;
  readonly rows: Int32Array;
  /** What is to be said of it; null where only one host was named, or none. */
  readonly sentence: string | null;
}

export const HOSTS_SAID: {
  readonly apart: (name: string, hosts: readonly string[], columns: HostColumn | undefined) => string;
  readonly together: (hosts: readonly string[], columns: HostColumn | undefined) => string;
} = {
  apart: (name, hosts, columns) =>
    `"${name}" ran on ${listed(hosts)}${by(columns)}, on each by a schedule of its own, and was taken for a workflow on each. If the hosts share their work, it is done ${grouped(hosts.length)} times over: --map workflow=${named(columns?.workflow)} judges them together.`,
  together: (hosts, columns) =>
    `It ran on ${listed(hosts)}${by(columns)}, and was taken for one workflow. If each host works by itself, --map host=${named(columns?.host)} judges them apart.`,
};

const NAMED_MAX = 5;
/** Two gaps: fewer are as long as each other by chance. */
const STARTS_MIN = 3;
const GAP_TOLERANCE = 0.25;
const ALIKE_SHARE_MIN = 0.75;
/** Of all the time that it ran at all. */
const SPAN_SHARE_MIN = 0.5;
/** Hosts without a schedule of their own may have so few of the runs. */
const STEADY_SHARE_MIN = 0.8;

const by = (columns: HostColumn | undefined): string =>
  columns === undefined ? '' : ` by the column "${redact(columns.host)}"`;
const named = (column: string | null | undefined): string => quotedColumn(redact(column ?? 'COLUMN'));
const listed = (hosts: readonly string[]): string => `${grouped(hosts.length)} hosts (${quoted(hosts, NAMED_MAX)})`;

/** What ran by one name: one part for each host with a schedule of its own, else all as one. */
export function partsOf(
  groups: readonly RunGroup[],
  rowsOf: (group: RunGroup) => Int32Array,
  { table, hostColumns, isDefined }: Pick<Collector, 'table' | 'hostColumns'> & { readonly isDefined: boolean },
): readonly Part[] {
  const hosts = groups.flatMap(({ host }) => (host === null ? [] : [redact(host)]));
  const [first] = groups;
  if (first === undefined) return [];
  if (groups.length === 1) return [{ host: null, group: first, rows: rowsOf(first), sentence: null }];
  const columns = hostColumns.get(first.lastSource);
  // One definition is one workflow, wherever it runs.
  if (!isDefined && haveOwnSchedules(groups.map((group) => startsOf(rowsOf(group), table)))) {
    const sentence = HOSTS_SAID.apart(redact(first.name ?? first.id), hosts, columns);
    return groups.map((group) => ({ host: group.host, group, rows: rowsOf(group), sentence }));
  }
  const sentence = hosts.length > 1 ? HOSTS_SAID.together(hosts, columns) : null;
  return [{ host: null, group: joined(first, groups), rows: joinedRows(groups.map(rowsOf)), sentence }];
}

/** One array, sorted where it lies: of a million runs each copy would count. */
function startsOf(rows: Int32Array, table: RunTable): Float64Array {
  const starts = new Float64Array(rows.length);
  let count = 0;
  for (const row of rows) {
    const ms = table.startMs[row] ?? Number.NaN;
    if (Number.isNaN(ms)) continue;
    starts[count] = ms;
    count += 1;
  }
  const known = starts.subarray(0, count);
  known.sort();
  return known;
}

/** True where most of these starts are of hosts, or of whatever else, that keep to schedules of their own. */
export function haveOwnSchedules(hosts: readonly Float64Array[]): boolean {
  const firstMs = hosts.reduce((least, [ms = least]) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const lastMs = hosts.reduce((most, starts) => Math.max(most, starts.at(-1) ?? most), Number.NEGATIVE_INFINITY);
  const steady = hosts.filter((starts) => spanOf(starts) >= (lastMs - firstMs) * SPAN_SHARE_MIN && isRegular(starts));
  return steady.length > 1 && countOf(steady) >= countOf(hosts) * STEADY_SHARE_MIN;
}

const spanOf = (starts: Float64Array): number => (starts.at(-1) ?? 0) - (starts[0] ?? 0);
const countOf = (hosts: readonly Float64Array[]): number => hosts.reduce((sum, { length }) => sum + length, 0);

function isRegular(starts: Float64Array): boolean {
  if (starts.length < STARTS_MIN) return false;
  const gaps = new Float64Array(starts.length - 1);
  for (let at = 0; at < gaps.length; at += 1) gaps[at] = (starts[at + 1] ?? 0) - (starts[at] ?? 0);
  gaps.sort();
  const middle = gaps[gaps.length >> 1] ?? 0;
  let alike = 0;
  for (const gap of gaps) if (Math.abs(gap - middle) <= middle * GAP_TOLERANCE) alike += 1;
  return middle > 0 && alike >= gaps.length * ALIKE_SHARE_MIN;
}

function joined(first: RunGroup, groups: readonly RunGroup[]): RunGroup {
  return {
    ...first,
    host: null,
    name: groups.find(({ name }) => name !== null)?.name ?? null,
    sources: new Set(groups.flatMap(({ sources }) => [...sources])),
    repeated: groups.reduce((sum, { repeated }) => sum + repeated, 0),
    clashing: groups.reduce((sum, { clashing }) => sum + clashing, 0),
  };
}

/** In the order they were found. */
function joinedRows(lists: readonly Int32Array[]): Int32Array {
  const rows = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    rows.set(list, at);
    at += list.length;
  }
  rows.sort();
  return rows;
}
