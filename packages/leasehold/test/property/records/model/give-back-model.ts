import { type ModelClaim, type ModelRecord, nameOf } from './model-rows.ts';
import type { PoolModel } from './pool-model.ts';

function waiting(pool: PoolModel, claim: ModelClaim): ModelRecord[] {
  return pool.records.filter((record) => record.claim === claim && record.state === 'claimed');
}

export function extend(pool: PoolModel, claim: ModelClaim | null, leaseMs: number | null): object {
  if (claim === null) return { outcome: 'lost', reason: 'unknown_token' };
  const isSettled = waiting(pool, claim).length === 0;
  const isExpired = !pool.isLive(claim);
  if (isSettled || isExpired) return { outcome: 'lost', reason: isExpired ? 'expired' : 'settled' };
  claim.leaseMs = leaseMs ?? claim.leaseMs;
  // Who extends has not ended, whatever was proven before.
  claim.endedAt = null;
  claim.until = Math.min(pool.now + claim.leaseMs, Math.max(claim.until, latestEnd(pool, claim)));
  return { outcome: 'extended', reason: null, leaseUntil: claim.until, remainingMs: claim.until - pool.now };
}

/** Where records begin with their claim, none asks before each is sent: so no longer than their provider knows them. */
function latestEnd(pool: PoolModel, claim: ModelClaim): number {
  if (claim.isExplicit) return Number.POSITIVE_INFINITY;
  const ends = waiting(pool, claim).map(({ sendBefore }) => sendBefore ?? Number.POSITIVE_INFINITY);
  return Math.min(...ends) + pool.settings.callTimeoutMs;
}

export function giveBack(pool: PoolModel, claim: ModelClaim | null, ids: readonly string[] | null): object {
  if (claim === null) return { outcome: 'not_holder', returned: [] };
  const returned: string[] = [];
  for (const record of waiting(pool, claim)) {
    if (record.unknownAt !== null) continue;
    const isNamed = ids?.includes(record.id) ?? false;
    const goes = claim.isExplicit ? !record.isBegun && (ids === null || isNamed) : isNamed;
    if (!goes) continue;
    if (!claim.isExplicit) unbegin(record);
    returned.push(nameOf(record));
    if (pool.isSuperseded(record)) {
      pool.leave(record);
      pool.end(record, 'cancelled');
    } else pool.requeue(record, 'returned');
  }
  return { outcome: 'returned', returned: returned.toSorted() };
}

function unbegin(record: ModelRecord): void {
  record.attempt -= 1;
  record.isBegun = false;
  if (record.attempt > 0) return;
  record.begunAt = null;
  record.firstBegunAt = null;
}
