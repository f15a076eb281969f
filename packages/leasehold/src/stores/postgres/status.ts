import type { LockStateName } from '../../domain/answers.ts';
import type { CallOptions, LockMarks, StatusQuery, StoredStatus } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { infoOrNull, instantOrNull, number, numberOrNull, onlyRow, type Row, text, textOrNull } from './rows.ts';

export async function status(connection: Connection, query: StatusQuery): Promise<StoredStatus[]> {
  const rows = await connection.call(CALLS.status, [query.lock, query.limit]);
  return rows.map((row) => ({
    lock: text(row, 'lock'),
    state: text(row, 'state') as LockStateName,
    holder: textOrNull(row, 'holder'),
    holderInfo: infoOrNull(row, 'holder_info'),
    since: instantOrNull(row, 'since'),
    ageMs: numberOrNull(row, 'age_ms'),
    usualMs: numberOrNull(row, 'usual_ms'),
    leaseUntil: instantOrNull(row, 'lease_until'),
    remainingMs: numberOrNull(row, 'remaining_ms'),
    skipsInRow: number(row, 'skips_in_row'),
    lastSuccessAt: instantOrNull(row, 'last_success_at'),
    nextSlotAt: instantOrNull(row, 'next_slot_at'),
    paused: row['paused'] === true,
    schedule: scheduleOf(row),
  }));
}

function scheduleOf(row: Row): StoredStatus['schedule'] {
  const expression = textOrNull(row, 'schedule');
  return expression === null ? null : { expression, timezone: textOrNull(row, 'timezone') };
}

export async function marks(connection: Connection, lock: string, call?: CallOptions): Promise<LockMarks> {
  const row = onlyRow(await connection.call(CALLS.marks, [lock], call?.timeoutMs));
  return { lastSuccessSlotAt: instantOrNull(row, 'last_success_slot_at'), progress: textOrNull(row, 'progress') };
}
