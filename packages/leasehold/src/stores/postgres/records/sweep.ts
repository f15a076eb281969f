import type { RecordState } from '../../../domain/records/record.ts';
import type {
  ApplyLookupAnswer,
  ApplyLookupRequest,
  AskedRecord,
  HolderEndedRequest,
  SettleAnswer,
  SettleRequest,
  TakeToAskRequest,
} from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { infoOrNull, instant, instantOrNull, number, onlyRow, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

export async function settleExpired(
  connection: Connection,
  { pool, limit, isBrief = false }: SettleRequest,
  call?: CallOptions,
): Promise<SettleAnswer> {
  const row = onlyRow(await connection.call(CALLS.sweep, [pool, limit, isBrief], call?.timeoutMs));
  return {
    pool,
    requeued: number(row, 'requeued'),
    review: number(row, 'sent_to_review'),
    cancelled: number(row, 'cancelled'),
    toAsk: number(row, 'to_ask'),
    isComplete: row['is_complete'] === true,
  };
}

export async function takeToAsk(
  connection: Connection,
  { pool, limit, everyMs }: TakeToAskRequest,
  call?: CallOptions,
): Promise<AskedRecord[]> {
  const rows = await connection.call(CALLS.take_to_ask, [pool, limit, everyMs], call?.timeoutMs);
  return rows.map(toAsked);
}

function toAsked(row: Row): AskedRecord {
  return {
    pool: text(row, 'pool'),
    id: text(row, 'id'),
    version: text(row, 'version'),
    effectKey: text(row, 'effect_key'),
    payload: textOrNull(row, 'payload'),
    providerRef: textOrNull(row, 'provider_ref'),
    claimId: text(row, 'claim_id'),
    holder: text(row, 'holder'),
    holderInfo: infoOrNull(row, 'holder_info'),
    attempt: number(row, 'attempt'),
    begunAt: instant(row, 'begun_at'),
    firstBegunAt: instant(row, 'first_begun_at'),
    leaseUntil: instant(row, 'lease_until'),
    unknownAt: instantOrNull(row, 'unknown_at'),
    sendBefore: instantOrNull(row, 'send_before'),
    holderEndedAt: instantOrNull(row, 'holder_ended_at'),
    askedAt: instant(row, 'asked_at'),
    askSince: instant(row, 'ask_since'),
    isInReview: row['is_in_review'] === true,
  };
}

export async function noteHolderEnded(
  connection: Connection,
  { pool, claimId, holder }: HolderEndedRequest,
  call?: CallOptions,
): Promise<Date | null> {
  const [endedAt] = await connection.call<string | null>(
    CALLS.note_holder_ended,
    [pool, claimId, holder],
    call?.timeoutMs,
  );
  return endedAt === null || endedAt === undefined ? null : new Date(endedAt);
}

export async function applyLookup(
  connection: Connection,
  { seen, decision }: ApplyLookupRequest,
  call?: CallOptions,
): Promise<ApplyLookupAnswer> {
  const values = [
    seen.pool,
    seen.id,
    seen.version,
    seen.claimId,
    seen.holder,
    seen.attempt,
    seen.begunAt,
    seen.leaseUntil,
    decision.kind,
    decision.kind === 'done' ? decision.providerRef : null,
    decision.kind === 'requeue' ? decision.sendBefore : null,
    decision.kind === 'done' ? null : decision.reason,
  ];
  const row = onlyRow(await connection.call(CALLS.apply_lookup, values, call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ApplyLookupAnswer['outcome'],
    state: textOrNull(row, 'state') as RecordState | null,
  };
}
