import type { Outcome, Run } from '../../domain/run.ts';
import type { RunsQuery } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { infoOrNull, instant, instantOrNull, numberOrNull, statusOrNull, text, textOrNull } from './rows.ts';

export async function runs(connection: Connection, query: RunsQuery): Promise<Run[]> {
  const rows = await connection.call(CALLS.runs, [query.lock, query.runId, query.limit]);
  return rows.map((row) => ({
    runId: text(row, 'run_id'),
    lock: text(row, 'lock'),
    outcome: text(row, 'outcome') as Outcome,
    reason: textOrNull(row, 'reason'),
    slotAt: instantOrNull(row, 'slot_at'),
    holder: text(row, 'holder'),
    holderInfo: infoOrNull(row, 'holder_info'),
    trigger: textOrNull(row, 'trigger'),
    fence: numberOrNull(row, 'fence'),
    startedAt: instant(row, 'started_at'),
    endedAt: instantOrNull(row, 'ended_at'),
    status: statusOrNull(row, 'status'),
    leaseMs: numberOrNull(row, 'lease_ms'),
    renewedAt: instantOrNull(row, 'renewed_at'),
    ageMs: numberOrNull(row, 'age_ms'),
    previousRunId: textOrNull(row, 'previous_run_id'),
    message: text(row, 'message'),
  }));
}
