import type { EnqueueAnswer, EnqueueRequest } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { number, onlyRow } from '../rows.ts';
import { CALLS } from './calls.ts';
import { columnsOf } from './keys.ts';

/** `leasehold.enqueue_records`; repeated after a lost answer it finds its records known. */
export async function enqueue(
  connection: Connection,
  { pool, records, namespace }: EnqueueRequest,
  call?: CallOptions,
): Promise<EnqueueAnswer> {
  const values = [pool, ...columnsOf(records), namespace];
  const row = onlyRow(await connection.call(CALLS.enqueue_records, values, call?.timeoutMs));
  return { pool, added: number(row, 'added'), known: number(row, 'known'), superseded: number(row, 'superseded') };
}
