import type { RenewAnswer } from '../../domain/answers.ts';
import type { LossReason } from '../../domain/give-back.ts';
import type { CallOptions, RenewRequest } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { instant, number, onlyRow, text, textOrNull } from './rows.ts';

export async function renew(connection: Connection, request: RenewRequest, call?: CallOptions): Promise<RenewAnswer> {
  const { lock, token, leaseMs, progress } = request;
  const holderInfo = request.holderInfo === null ? null : JSON.stringify(request.holderInfo);
  const row = onlyRow(
    await connection.call(CALLS.renew, [lock, token, leaseMs, progress, holderInfo], call?.timeoutMs),
  );
  const answer = { lock, runId: textOrNull(row, 'run_id'), message: text(row, 'message') };
  if (text(row, 'outcome') === 'lost') {
    return { outcome: 'lost', ...answer, reason: text(row, 'reason') as LossReason };
  }
  return {
    outcome: 'renewed',
    ...answer,
    leaseUntil: instant(row, 'lease_until'),
    remainingMs: number(row, 'remaining_ms'),
  };
}

/** `leasehold.is_holder`: reads without a row lock. */
export async function isHolder(
  connection: Connection,
  lock: string,
  token: string,
  call?: CallOptions,
): Promise<boolean> {
  const [answer] = await connection.call<boolean>(CALLS.is_holder, [lock, token], call?.timeoutMs);
  return answer === true;
}
