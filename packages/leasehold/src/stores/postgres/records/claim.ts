import type { ClaimAnswer, OwnedRecord, RefusalReason, RefusedRecord } from '../../../domain/records/record.ts';
import type { ClaimNextRequest, ClaimRequest } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { instantOrNull, number, numberOrNull, onlyRow, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';
import { columnsOf } from './keys.ts';

/** `leasehold.claim_records`; repeated after a lost connection it is the same claim by its id and holder. */
export async function claim(connection: Connection, request: ClaimRequest, call?: CallOptions): Promise<ClaimAnswer> {
  const values = [
    request.pool,
    request.holder,
    ...columnsOf(request.offers),
    request.limit,
    request.leaseMs,
    request.claimId,
    request.lockToken,
    request.explicitBegin,
    infoText(request),
    request.namespace,
    request.isContinued,
  ];
  return toAnswer(onlyRow(await connection.call(CALLS.claim_records, values, call?.timeoutMs)));
}

export async function claimNext(
  connection: Connection,
  request: ClaimNextRequest,
  call?: CallOptions,
): Promise<ClaimAnswer> {
  const values = [
    request.pool,
    request.holder,
    request.limit,
    request.leaseMs,
    request.claimId,
    request.lockToken,
    request.explicitBegin,
    infoText(request),
  ];
  return toAnswer(onlyRow(await connection.call(CALLS.claim_next_records, values, call?.timeoutMs)));
}

function infoText({ holderInfo }: ClaimRequest | ClaimNextRequest): string | null {
  return holderInfo === null ? null : JSON.stringify(holderInfo);
}

function toAnswer(row: Row): ClaimAnswer {
  return {
    outcome: text(row, 'outcome') as ClaimAnswer['outcome'],
    pool: text(row, 'pool'),
    claimId: text(row, 'claim_id'),
    token: textOrNull(row, 'token'),
    leaseUntil: instantOrNull(row, 'lease_until'),
    remainingMs: numberOrNull(row, 'remaining_ms'),
    owned: (row['owned'] as Row[]).map(toOwned),
    refused: (row['refused'] as Row[]).map(toRefused),
    settled: {
      requeued: number(row, 'requeued'),
      review: number(row, 'sent_to_review'),
      cancelled: number(row, 'cancelled'),
    },
    message: text(row, 'message'),
    isRepeat: row['is_repeat'] === true,
  };
}

function toOwned(row: Row): OwnedRecord {
  return {
    id: text(row, 'id'),
    version: text(row, 'version'),
    effectKey: text(row, 'effect_key'),
    attempt: number(row, 'attempt'),
    payload: textOrNull(row, 'payload'),
  };
}

function toRefused(row: Row): RefusedRecord {
  return {
    id: text(row, 'id'),
    version: text(row, 'version'),
    why: text(row, 'why') as RefusalReason,
    by: textOrNull(row, 'claimed_by'),
    since: instantOrNull(row, 'since'),
  };
}
