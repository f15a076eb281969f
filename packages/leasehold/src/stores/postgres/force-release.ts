import type { ForceReleaseAnswer } from '../../domain/answers.ts';
import type { ForceReleaseOutcome } from '../../domain/give-back.ts';
import type { CallOptions, ForceReleaseRequest } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { instantOrNull, onlyRow, text, textOrNull } from './rows.ts';

export async function forceRelease(
  connection: Connection,
  request: ForceReleaseRequest,
  call?: CallOptions,
): Promise<ForceReleaseAnswer> {
  const { lock, reason, atOnce } = request;
  const row = onlyRow(await connection.call(CALLS.force_release, [lock, reason, atOnce], call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ForceReleaseOutcome,
    lock,
    runId: textOrNull(row, 'run_id'),
    holder: textOrNull(row, 'holder'),
    freeAt: instantOrNull(row, 'free_at'),
    message: text(row, 'message'),
  };
}
