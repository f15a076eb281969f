import { withReason } from '../../../domain/messages.ts';
import { poolChangedMessage, verifierKind } from '../../../domain/records/pool-messages.ts';
import { checkClaimLease, POOL_DEFAULTS } from '../../../domain/records/pool-settings.ts';
import type { LiveClaim, PoolSettings, PoolStatus } from '../../../domain/records/record.ts';
import type { ChangePoolAnswer, ChangePoolRequest, PoolsQuery } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readDate, readDateOrNull, readInteger, readObjectOrNull, readText } from '../columns.ts';
import type { SqlRow } from '../driver.ts';
import { appendEvent } from '../events.ts';
import type { Session } from '../session.ts';
import { type Pool, toPool } from './rows.ts';

const sql = loadSqlBlocks(new URL('../sql/pools.sql', import.meta.url), [
  'make_pool',
  'pool_by_name',
  'pools_in_order',
  'write_pool',
  'pool_counts',
  'to_ask_count',
  'live_claims',
  'oldest_claim',
]);

/** Claims that a pool's status names. */
const CLAIMS_SHOWN = 20;

/** Null for a pool that nothing has touched. */
export function findPool(session: Session, pool: string): Pool | null {
  const row = session.get(sql.pool_by_name, { pool });
  return row === undefined ? null : toPool(row);
}

/** The pool, made where there is none. */
export function openPool(session: Session, pool: string, now: number): Pool {
  const found = findPool(session, pool);
  if (found !== null) return found;
  session.run(sql.make_pool, { pool, now });
  return toPool(session.get(sql.pool_by_name, { pool }) ?? {});
}

/** Records of a pool that wait for their provider's answer. */
export function countToAsk(session: Session, pool: string, now: number): number {
  return readInteger(session.get(sql.to_ask_count, { pool, now }) ?? {}, 'to_ask');
}

/** Changes what a pool is set to, and tells it as an event where that was anything. */
export function changePool(session: Session, request: ChangePoolRequest, now: number): ChangePoolAnswer {
  const pool = openPool(session, request.pool, now);
  const before = { settings: pool.settings, paused: pool.pausedAt !== null };
  const after = {
    settings: { ...pool.settings, ...request.settings },
    paused: request.paused ?? before.paused,
  };
  checkClaimLease(after.settings.leaseMs, after.settings.callTimeoutMs);
  const message = poolChangedMessage(request.pool, before, after);
  const changed = [...settingNames].filter((name) => before.settings[name] !== after.settings[name]);
  if (changed.length === 0 && before.paused === after.paused) {
    return { outcome: 'unchanged', pool: request.pool, ...after, message };
  }
  writePool(session, request.pool, after.settings, after.paused ? (pool.pausedAt ?? now) : null);
  appendEvent(session, {
    at: now,
    kind: 'settings.changed',
    severity: 'info',
    lock: null,
    pool: request.pool,
    runId: null,
    holder: null,
    message: request.reason === null ? message : withReason(message, request.reason),
    data: { before: told(before, changed), after: told(after, changed), reason: request.reason },
  });
  return { outcome: 'changed', pool: request.pool, ...after, message };
}

const settingNames = Object.keys(POOL_DEFAULTS) as readonly (keyof PoolSettings)[];

/** What changed, without a verifier's inside: that may name what is nobody's business. */
function told(
  { settings, paused }: { readonly settings: PoolSettings; readonly paused: boolean },
  changed: readonly (keyof PoolSettings)[],
): Record<string, unknown> {
  const values = changed.map((name) => [name, name === 'verifier' ? verifierKind(settings[name]) : settings[name]]);
  return { ...(Object.fromEntries(values) as Record<string, unknown>), paused };
}

function writePool(session: Session, pool: string, settings: PoolSettings, pausedAt: number | null): void {
  session.run(sql.write_pool, {
    pool,
    redo: settings.redo,
    redo_window_ms: settings.redoWindowMs,
    attempts: settings.attempts,
    lease_ms: settings.leaseMs,
    claim_limit: settings.limit,
    call_timeout_ms: settings.callTimeoutMs,
    verifier: settings.verifier,
    paused_at: pausedAt,
  });
}

/** One pool or all by name, as they are at `now`. Nothing here writes. */
export function listPools(session: Session, { pool, limit }: PoolsQuery, now: number): PoolStatus[] {
  if (pool === null)
    return session.all(sql.pools_in_order, { limit }).map((row) => toStatus(session, toPool(row), now));
  const found = findPool(session, pool);
  return found === null ? [] : [toStatus(session, found, now)];
}

function toStatus(session: Session, { pool, settings, pausedAt }: Pool, now: number): PoolStatus {
  const counts = session.get(sql.pool_counts, { pool, now }) ?? {};
  const count = (column: string): number => readInteger(counts, column);
  const queued = count('queued') + count('waiting');
  const [claimed, failed, review, cancelled] = ['claimed', 'failed', 'review', 'cancelled'].map(count) as [
    number,
    number,
    number,
    number,
  ];
  return {
    pool,
    ...settings,
    paused: pausedAt !== null,
    queued,
    deferred: count('deferred'),
    claimed,
    toAsk: countToAsk(session, pool, now),
    done: count('total') - queued - claimed - failed - review - cancelled,
    failed,
    review,
    cancelled,
    oldestClaimAt: readDateOrNull(session.get(sql.oldest_claim, { pool }) ?? { oldest_at: null }, 'oldest_at'),
    claims: session.all(sql.live_claims, { pool, limit: CLAIMS_SHOWN }).map(toLiveClaim),
  };
}

function toLiveClaim(row: SqlRow): LiveClaim {
  return {
    claimId: readText(row, 'claim_id'),
    holder: readText(row, 'holder'),
    holderInfo: readObjectOrNull(row, 'holder_info'),
    records: readInteger(row, 'records'),
    since: readDate(row, 'claimed_at'),
    leaseUntil: readDate(row, 'lease_until'),
  };
}
