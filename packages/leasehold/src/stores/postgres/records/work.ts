import type {
  BeginAnswer,
  BeginRefusal,
  RecordState,
  VerdictAnswer,
  VerdictRefusal,
} from '../../../domain/records/record.ts';
import type { WorkAnswer, WorkRequest } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { instantOrNull, number, numberOrNull, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

/** `leasehold.work`; an item said again after a lost answer counts once. */
export async function work(
  connection: Connection,
  { pool, verdicts, begins }: WorkRequest,
  call?: CallOptions,
): Promise<WorkAnswer> {
  const values = [
    pool,
    verdicts.map(({ id }) => id),
    verdicts.map(({ token }) => token),
    verdicts.map(({ verdict }) => verdict),
    verdicts.map(({ providerRef }) => providerRef),
    verdicts.map(({ error }) => error),
    verdicts.map(({ isPermanent }) => isPermanent),
    begins.map(({ id }) => id),
    begins.map(({ token }) => token),
  ];
  const rows = await connection.call(CALLS.work, values, call?.timeoutMs);
  return {
    verdicts: inOrder(rows, false).map((row) => toVerdict(pool, row)),
    begins: inOrder(rows, true).map((row) => toBegin(pool, row)),
  };
}

function inOrder(rows: readonly Row[], isBegin: boolean): Row[] {
  return rows
    .filter((row) => row['is_begin'] === isBegin)
    .toSorted((one, other) => number(one, 'ordinal') - number(other, 'ordinal'));
}

function toVerdict(pool: string, row: Row): VerdictAnswer {
  return {
    outcome: text(row, 'outcome') as VerdictAnswer['outcome'],
    pool,
    id: text(row, 'id'),
    version: textOrNull(row, 'version'),
    state: textOrNull(row, 'state') as RecordState | null,
    notBefore: instantOrNull(row, 'not_before'),
    reason: textOrNull(row, 'reason') as VerdictRefusal | null,
    message: text(row, 'message'),
  };
}

function toBegin(pool: string, row: Row): BeginAnswer {
  return {
    outcome: text(row, 'outcome') as BeginAnswer['outcome'],
    pool,
    id: text(row, 'id'),
    version: textOrNull(row, 'version'),
    attempt: numberOrNull(row, 'attempt'),
    begunAt: instantOrNull(row, 'begun_at'),
    remainingMs: numberOrNull(row, 'remaining_ms'),
    reason: textOrNull(row, 'reason') as BeginRefusal | null,
    message: text(row, 'message'),
  };
}
