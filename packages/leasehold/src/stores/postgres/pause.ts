import type { PauseAnswer } from '../../domain/answers.ts';
import type { CallOptions, PauseRequest, ResumeRequest } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { onlyRow, type Row, text } from './rows.ts';

export async function pause(connection: Connection, request: PauseRequest, call?: CallOptions): Promise<PauseAnswer> {
  return toAnswer(await connection.call(CALLS.pause, [request.lock, request.reason], call?.timeoutMs));
}

export async function resume(connection: Connection, request: ResumeRequest, call?: CallOptions): Promise<PauseAnswer> {
  return toAnswer(await connection.call(CALLS.resume, [request.lock], call?.timeoutMs));
}

function toAnswer(rows: readonly Row[]): PauseAnswer {
  const row = onlyRow(rows);
  return {
    outcome: text(row, 'outcome') as PauseAnswer['outcome'],
    lock: text(row, 'lock'),
    message: text(row, 'message'),
  };
}
