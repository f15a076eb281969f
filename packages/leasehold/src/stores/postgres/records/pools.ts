import type { HolderInfo } from '../../../domain/lock-state.ts';
import type { LiveClaim, PoolSettings, PoolStatus, Redo } from '../../../domain/records/record.ts';
import type { ChangePoolAnswer, ChangePoolRequest, PoolsQuery } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { instantOrNull, number, numberOrNull, onlyRow, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

export async function changePool(
  connection: Connection,
  { pool, settings, paused, reason }: ChangePoolRequest,
  call?: CallOptions,
): Promise<ChangePoolAnswer> {
  const values = [pool, JSON.stringify(settings), paused ?? null, reason];
  const row = onlyRow(await connection.call(CALLS.change_pool, values, call?.timeoutMs));
  return {
    outcome: text(row, 'outcome') as ChangePoolAnswer['outcome'],
    pool,
    settings: settingsIn(row),
    paused: row['paused'] === true,
    message: text(row, 'message'),
  };
}

export async function pools(
  connection: Connection,
  { pool, limit }: PoolsQuery,
  call?: CallOptions,
): Promise<PoolStatus[]> {
  const rows = await connection.call(CALLS.pools, [pool, limit], call?.timeoutMs);
  return rows.map((row) => ({
    pool: text(row, 'pool'),
    ...settingsIn(row),
    paused: row['paused'] === true,
    queued: number(row, 'queued'),
    deferred: number(row, 'deferred'),
    claimed: number(row, 'claimed'),
    toAsk: number(row, 'to_ask'),
    done: number(row, 'done'),
    failed: number(row, 'failed'),
    review: number(row, 'review'),
    cancelled: number(row, 'cancelled'),
    oldestClaimAt: instantOrNull(row, 'oldest_claim_at'),
    claims: (row['claims'] as StoredLiveClaim[]).map(toLiveClaim),
  }));
}

function settingsIn(row: Row): PoolSettings {
  return {
    redo: text(row, 'redo') as Redo,
    redoWindowMs: numberOrNull(row, 'redo_window_ms'),
    attempts: number(row, 'attempts'),
    leaseMs: number(row, 'lease_ms'),
    limit: number(row, 'claim_limit'),
    callTimeoutMs: number(row, 'call_timeout_ms'),
    verifier: textOrNull(row, 'verifier'),
  };
}

/** A live claim in JSON, with its instants as text. */
interface StoredLiveClaim {
  readonly claimId: string;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  readonly records: number;
  readonly since: string;
  readonly leaseUntil: string;
}

function toLiveClaim(claim: StoredLiveClaim): LiveClaim {
  return { ...claim, since: new Date(claim.since), leaseUntil: new Date(claim.leaseUntil) };
}
