import type { ExtendAnswer, RecordKey, ReturnAnswer } from '../../../domain/records/record.ts';
import type { ExtendRequest, ReturnRequest } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { instantOrNull, numberOrNull, onlyRow, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

export async function extendClaim(
  connection: Connection,
  { pool, token, leaseMs, isByToken = false }: ExtendRequest,
  call?: CallOptions,
): Promise<ExtendAnswer> {
  const row = onlyRow(await connection.call(CALLS.extend, [pool, token, leaseMs, !isByToken], call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ExtendAnswer['outcome'],
    pool,
    claimId: textOrNull(row, 'claim_id'),
    leaseUntil: instantOrNull(row, 'lease_until'),
    remainingMs: numberOrNull(row, 'remaining_ms'),
    reason: textOrNull(row, 'reason') as ExtendAnswer['reason'],
    message: text(row, 'message'),
  };
}

export async function returnUnworked(
  connection: Connection,
  { pool, token, ids, isByToken = false }: ReturnRequest,
  call?: CallOptions,
): Promise<ReturnAnswer> {
  const row = onlyRow(await connection.call(CALLS.return_unworked, [pool, token, ids, !isByToken], call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ReturnAnswer['outcome'],
    pool,
    claimId: textOrNull(row, 'claim_id'),
    returned: keysIn(row, 'returned'),
    kept: keysIn(row, 'kept'),
    message: text(row, 'message'),
  };
}

function keysIn(row: Row, which: 'returned' | 'kept'): RecordKey[] {
  const versions = row[`${which}_versions`] as string[];
  return (row[`${which}_ids`] as string[]).map((id, index) => ({ id, version: versions[index] ?? '' }));
}
