import type { ReleaseAnswer } from '../../domain/answers.ts';
import type { ReleaseOutcome } from '../../domain/give-back.ts';
import type { CallOptions, ReleaseRequest } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { onlyRow, text, textOrNull } from './rows.ts';

export async function release(
  connection: Connection,
  request: ReleaseRequest,
  call?: CallOptions,
): Promise<ReleaseAnswer> {
  const { lock, token, status, afterMs, lost } = request;
  const row = onlyRow(await connection.call(CALLS.release, [lock, token, status, afterMs, lost], call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ReleaseOutcome,
    lock,
    runId: textOrNull(row, 'run_id'),
    message: text(row, 'message'),
  };
}
