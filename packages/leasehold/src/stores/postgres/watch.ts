import type { CallOptions, WatchReport } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { number, onlyRow } from './rows.ts';

/** `leasehold.watch`: one transaction; without anything to tell it writes nothing. */
export async function watch(connection: Connection, call?: CallOptions): Promise<WatchReport> {
  const row = onlyRow(await connection.call(CALLS.watch, [], call?.timeoutMs));
  return { raised: number(row, 'raised'), isComplete: row['is_complete'] === true };
}
