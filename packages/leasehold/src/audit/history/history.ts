import type { RunTable } from '../collect/run-table.ts';
import { RowList } from '../collect/row-list.ts';
import { hasCrashed, hasFailed, isOfWebhook, stateOf } from '../collect/run-words.ts';
import type { Subject } from '../collect/subjects.ts';
import type { AuditedHistory, ExclusionReason } from '../model/report.ts';
import { redactId } from '../redact.ts';
import { byStart } from './by-start.ts';
import { AHEAD_MS_MAX, EARLIEST_MS, exclusionOf, KINDS, PLAIN, PLANNED } from './exclusion.ts';
import { type Overlaps, overlapsOf, type UsedRuns } from './overlaps.ts';

/**
 * What one workflow's runs tell, before anything is judged.
 *
 * Which instant is "now" differs by source: a file ends with its newest instant, and nothing that it doesn't say
 * happened after; a live source ends now.
 */
export interface History {
  readonly figures: AuditedHistory;
  readonly used: UsedRuns & {
    /** Their rows in the table. */
    readonly rows: Int32Array;
  };
  readonly overlaps: Overlaps;
  /** Every start of the schedule, whatever became of it, ascending; and their rows. */
  readonly plannedMs: Float64Array;
  readonly plannedRows: Int32Array;
  readonly counts: Readonly<Record<ExclusionReason, number>>;
  /** Rows that have no end: running, waiting, queued, or ended without one. */
  readonly openRows: Int32Array;
  /** Rows whose instants can't be believed. */
  readonly clockRows: Int32Array;
  /** Where none of several runs went well, those that did are not kept. */
  readonly hasOnlyFailures: boolean;
  /** Until when the history tells what happened; null where there is none. */
  readonly untilMs: number | null;
  /** False where it is of a file: what came after `untilMs` isn't known. */
  readonly isLive: boolean;
  readonly table: RunTable;
}

/** `excluded` names so many runs, the newest; the findings have the counts. */
const EXCLUDED_MAX = 1_000;
/** Fewer may have failed by chance. */
const FAILURES_MIN = 3;

export function historyOf(subject: Subject, table: RunTable, nowMs: number): History {
  const { rows } = subject;
  const { used, planned, open, clock, excluded, counts, failures } = tellApart(rows, table, nowMs);
  const [usedFound, plannedFound] = [used.rows(), planned.rows()];
  const usedRows = byStart(usedFound, table);
  const runs = { rows: usedRows, ...columnsOf(usedRows, table) };
  const sortedMs = durationsOf(runs);
  // In place: a copy of a million would take as much again.
  sortedMs.sort();
  const overlaps = overlapsOf(runs);
  const plannedRows = isSame(plannedFound, usedFound)
    ? usedRows
    : withoutGhosts(byStart(plannedFound, table), runs.startMs[0], table);
  const isLive = subject.sources.some((source) => LIVE.test(source));
  return {
    figures: {
      runs: rows.length,
      used: usedRows.length,
      excluded: named({ rows: excluded.rows.rows(), reasons: excluded.reasons.rows() }, table),
      overlaps: overlaps.count,
      overlapsLast100: overlaps.last100,
      maxConcurrent: overlaps.maxConcurrent,
      p50Ms: percentileOf(sortedMs, 0.5),
      p95Ms: percentileOf(sortedMs, 0.95),
      slowestMs: sortedMs.at(-1) ?? null,
    },
    used: runs,
    overlaps,
    plannedMs: plannedRows === usedRows ? runs.startMs : columnsOf(plannedRows, table).startMs,
    plannedRows,
    counts,
    openRows: open.rows(),
    clockRows: clock.rows(),
    hasOnlyFailures: usedRows.length >= FAILURES_MIN && failures === usedRows.length,
    untilMs: isLive ? nowMs : subject.newestMs,
    isLive,
    table,
  };
}

interface ToldApart {
  readonly used: RowList;
  readonly planned: RowList;
  readonly open: RowList;
  readonly clock: RowList;
  readonly excluded: { readonly rows: RowList; readonly reasons: RowList };
  readonly counts: Record<ExclusionReason, number>;
  readonly failures: number;
}

/** Which rows count, and for which reason the others don't. */
function tellApart(
  rows: Int32Array,
  { startMs: starts, endMs: ends, words: packed }: RunTable,
  nowMs: number,
): ToldApart {
  const counts = { 'no-start': 0, clock: 0, waiting: 0, open: 0, 'sub-workflow': 0, manual: 0, retry: 0 };
  const [used, planned] = [new RowList(rows.length), new RowList(rows.length)];
  const [open, clock] = [new RowList(0), new RowList(0)];
  const excluded = { rows: new RowList(0), reasons: new RowList(0) };
  const latestMs = nowMs + AHEAD_MS_MAX;
  let failures = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    const startMs = starts[row] ?? Number.NaN;
    const words = packed[row] ?? 0;
    const endMs = ends[row] ?? Number.NaN;
    const kind = KINDS[words] ?? 0;
    const isPlain = (kind & PLAIN) !== 0 && EARLIEST_MS <= startMs && startMs <= endMs && endMs <= latestMs;
    const reason = isPlain ? null : exclusionOf(startMs, endMs, words, nowMs);
    // Of a run whose end can't be believed the start can't be either.
    if ((kind & PLANNED) !== 0 && startMs >= EARLIEST_MS && reason !== 'clock') planned.add(row);
    if (reason === null) {
      used.add(row);
      if (hasFailed(words)) failures += 1;
      continue;
    }
    counts[reason] += 1;
    excluded.rows.add(row);
    excluded.reasons.add(REASONS.indexOf(reason));
    if (reason === 'open' || reason === 'waiting') open.add(row);
    if (reason === 'clock') clock.add(row);
  }
  return { used, planned, open, clock, excluded, counts, failures };
}

interface Excluded {
  readonly rows: Int32Array;
  /** Places in `REASONS`. */
  readonly reasons: Int32Array;
}

const REASONS = ['no-start', 'clock', 'waiting', 'open', 'sub-workflow', 'manual', 'retry'] as const;
const LIVE = /^(?:n8n:|postgres(?:ql)?:|sqlite:)/;

/** The nearest rank of ascending values: the smallest that at least that share of all does not exceed. */
export function percentileOf(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export const isWaiting = ({ words }: RunTable, row: number): boolean => stateOf(words[row] ?? 0) === 'waiting';

/** The newest thousand, in the order they were found. One without a start is older than all others. */
function named({ rows, reasons }: Excluded, table: RunTable): { runId: string; reason: ExclusionReason }[] {
  const starts = Float64Array.from(rows, (row) => startOf(table, row)).toSorted();
  const oldestMs = starts.length <= EXCLUDED_MAX ? OLDEST_MS : (starts[starts.length - EXCLUDED_MAX] ?? OLDEST_MS);
  const list: { runId: string; reason: ExclusionReason }[] = [];
  for (let at = 0; at < rows.length && list.length < EXCLUDED_MAX; at += 1) {
    const row = rows[at] ?? 0;
    if (startOf(table, row) < oldestMs) continue;
    list.push({ runId: redactId(table.ids.text(row)), reason: REASONS[reasons[at] ?? 0] ?? 'clock' });
  }
  return list;
}

/** Older than all others. */
const OLDEST_MS: number = Number.NEGATIVE_INFINITY;

function startOf({ startMs }: RunTable, row: number): number {
  const start = startMs[row] ?? Number.NaN;
  return Number.isNaN(start) ? OLDEST_MS : start;
}

/** Plain loops: `Float64Array.from` takes five times as long. */
function columnsOf(rows: Int32Array, { startMs: starts, endMs: ends, words: packed }: RunTable): UsedRuns {
  const startMs = new Float64Array(rows.length);
  const endMs = new Float64Array(rows.length);
  const isCrashed = new Uint8Array(rows.length);
  const isWebhook = new Uint8Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    startMs[at] = starts[row] ?? Number.NaN;
    endMs[at] = ends[row] ?? Number.NaN;
    const words = packed[row] ?? 0;
    if (hasCrashed(words)) isCrashed[at] = 1;
    if (isOfWebhook(words)) isWebhook[at] = 1;
  }
  return { startMs, endMs, isCrashed, isWebhook };
}

/** A run that is open since before the first one that counts tells nothing of slots: history begins later. */
function withoutGhosts(rows: Int32Array, firstMs: number | undefined, { startMs, words }: RunTable): Int32Array {
  if (firstMs === undefined) return rows;
  return rows.filter((row) => (startMs[row] ?? firstMs) >= firstMs || stateOf(words[row] ?? 0) === 'ended');
}

function isSame(one: Int32Array, other: Int32Array): boolean {
  return one.length === other.length && one.every((row, at) => row === other[at]);
}

function durationsOf({ startMs, endMs }: UsedRuns): Float64Array {
  return startMs.map((start, at) => (endMs[at] ?? start) - start);
}
