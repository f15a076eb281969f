import type { AcquireAnswer, CurrentLease, EarlierRun } from '../../domain/answers.ts';
import type { HolderInfo } from '../../domain/lock-state.ts';
import type { PreviousLease, RunStatus, SkipReason } from '../../domain/run.ts';

/**
 * The server's flat snake_case columns as Leasehold's values. They come as one JSON object a row, so
 * that numbers are numbers and instants are ISO 8601, whatever the session's settings are.
 */
export type Row = Readonly<Record<string, unknown>>;

export const text = (row: Row, column: string): string => row[column] as string;
export const textOrNull = (row: Row, column: string): string | null => (row[column] ?? null) as string | null;
export const number = (row: Row, column: string): number => row[column] as number;
export const numberOrNull = (row: Row, column: string): number | null => (row[column] ?? null) as number | null;
export const instant = (row: Row, column: string): Date => new Date(text(row, column));
export const statusOrNull = (row: Row, column: string): RunStatus | null => (row[column] ?? null) as RunStatus | null;

/** A JSON object; null for anything else, because a person may have written it. */
export function infoOrNull(row: Row, column: string): HolderInfo | null {
  const value = row[column];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as HolderInfo) : null;
}

/** Null also for `infinity`, which is no instant. */
export function instantOrNull(row: Row, column: string): Date | null {
  const date = new Date(textOrNull(row, column) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The only row of an answer. */
export function onlyRow(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new TypeError('the server answered no row');
  return row;
}

export function acquireAnswer(row: Row): AcquireAnswer {
  const start = {
    lock: text(row, 'lock'),
    runId: text(row, 'run_id'),
    slotAt: instantOrNull(row, 'slot_at'),
    skipsInRow: number(row, 'skips_in_row'),
    missed: (row['missed'] as string[]).map((slot) => new Date(slot)),
    message: text(row, 'message'),
  };
  const outcome = text(row, 'outcome') as AcquireAnswer['outcome'];
  switch (outcome) {
    case 'acquired':
      return { outcome, proceed: true, ...start, ...lease(row) };
    case 'reclaimed':
      return { outcome, proceed: true, ...start, ...lease(row), previous: previousLease(row) };
    case 'skipped':
      return {
        outcome,
        proceed: false,
        ...start,
        reason: text(row, 'reason') as SkipReason,
        current: currentLease(row),
      };
    case 'bypassed':
      return { outcome, proceed: true, ...start, reason: text(row, 'reason') };
    case 'already_ran':
      return { outcome, proceed: false, ...start, earlier: earlierRun(row) };
  }
}

function lease(row: Row): { token: string; fence: number; leaseUntil: Date; remainingMs: number } {
  return {
    token: text(row, 'token'),
    fence: number(row, 'fence'),
    leaseUntil: instant(row, 'lease_until'),
    remainingMs: number(row, 'remaining_ms'),
  };
}

function previousLease(row: Row): PreviousLease {
  return {
    holder: textOrNull(row, 'previous_holder'),
    runId: textOrNull(row, 'previous_run_id'),
    since: instantOrNull(row, 'previous_since'),
    ageMs: numberOrNull(row, 'previous_age_ms'),
    renewedAt: instantOrNull(row, 'previous_renewed_at'),
    progress: textOrNull(row, 'previous_progress'),
    probe: textOrNull(row, 'previous_probe'),
  };
}

function currentLease(row: Row): CurrentLease {
  return {
    holder: textOrNull(row, 'current_holder'),
    runId: textOrNull(row, 'current_run_id'),
    since: instantOrNull(row, 'current_since'),
    ageMs: numberOrNull(row, 'current_age_ms'),
    remainingMs: numberOrNull(row, 'current_remaining_ms'),
  };
}

function earlierRun(row: Row): EarlierRun {
  return {
    runId: textOrNull(row, 'earlier_run_id'),
    holder: textOrNull(row, 'earlier_holder'),
    startedAt: instantOrNull(row, 'earlier_started_at'),
    endedAt: instantOrNull(row, 'earlier_ended_at'),
  };
}
