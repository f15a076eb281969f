import type { RecordRow, RecordState } from '../../../domain/records/record.ts';
import type { RecordsQuery, WorkTimes } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { instant, instantOrNull, number, numberOrNull, onlyRow, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

export async function records(connection: Connection, query: RecordsQuery, call?: CallOptions): Promise<RecordRow[]> {
  const { pool, state, id, after, limit } = query;
  const values = [pool, state, id, after?.id ?? null, after?.version ?? null, limit];
  return (await connection.call(CALLS.records, values, call?.timeoutMs)).map(toRecord);
}

function toRecord(row: Row): RecordRow {
  return {
    pool: text(row, 'pool'),
    id: text(row, 'id'),
    version: text(row, 'version'),
    state: text(row, 'state') as RecordState,
    effectKey: text(row, 'effect_key'),
    attempt: number(row, 'attempt'),
    claimedBy: textOrNull(row, 'claimed_by'),
    claimedAt: instantOrNull(row, 'claimed_at'),
    leaseUntil: instantOrNull(row, 'lease_until'),
    begunAt: instantOrNull(row, 'begun_at'),
    providerRef: textOrNull(row, 'provider_ref'),
    error: textOrNull(row, 'error'),
    notBefore: instantOrNull(row, 'not_before'),
    updatedAt: instant(row, 'updated_at'),
    evidenceRef: textOrNull(row, 'evidence_ref'),
    evidenceAt: instantOrNull(row, 'evidence_at'),
  };
}

export async function workTimes(connection: Connection, pool: string, call?: CallOptions): Promise<WorkTimes> {
  const row = onlyRow(await connection.call(CALLS.work_times, [pool], call?.timeoutMs ?? WORK_TIMES_MS));
  return {
    pool,
    records: number(row, 'records'),
    slowestMs: numberOrNull(row, 'slowest_ms'),
    p50Ms: numberOrNull(row, 'p50_ms'),
    p95Ms: numberOrNull(row, 'p95_ms'),
    eachP95Ms: numberOrNull(row, 'each_p95_ms'),
  };
}

/** Of millions of records the newest have to be found first. */
const WORK_TIMES_MS = 60_000;
