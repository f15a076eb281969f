import type { CallOptions, PruneReport, PruneRequest } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { number, onlyRow } from './rows.ts';

/** `leasehold.prune`: one batch, in one transaction; while it rests it only reads. */
export async function prune(
  connection: Connection,
  { runsMs, eventsMs, everyMs, limit }: PruneRequest,
  call?: CallOptions,
): Promise<PruneReport> {
  const row = onlyRow(await connection.call(CALLS.prune, [runsMs, eventsMs, everyMs, limit], call?.timeoutMs));
  return {
    isDue: row['is_due'] === true,
    runs: number(row, 'runs'),
    events: number(row, 'events'),
    isComplete: row['is_complete'] === true,
  };
}
