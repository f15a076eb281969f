import type { RecordState } from '../../../domain/records/record.ts';
import type { ReviewAnswer, ReviewRequest } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { onlyRow, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

/** `leasehold.decide_record`: a person's decision. */
export async function review(
  connection: Connection,
  { pool, id, version, action, providerRef, reason }: ReviewRequest,
  call?: CallOptions,
): Promise<ReviewAnswer> {
  const values = [pool, id, action, reason, version, providerRef];
  const row = onlyRow(await connection.call(CALLS.decide_record, values, call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ReviewAnswer['outcome'],
    pool,
    id,
    version: textOrNull(row, 'version'),
    state: textOrNull(row, 'state') as RecordState | null,
    why: textOrNull(row, 'why') as ReviewAnswer['why'],
    message: text(row, 'message'),
  };
}
