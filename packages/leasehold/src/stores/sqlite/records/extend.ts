import { extendMessage } from '../../../domain/records/messages.ts';
import { checkClaimLease } from '../../../domain/records/pool-settings.ts';
import type { ExtendAnswer } from '../../../domain/records/record.ts';
import type { ExtendRequest } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import { extendLease, findClaimToWrite, noteShared } from './claims.ts';
import { openPool } from './pools.ts';
import type { StoredClaim } from './rows.ts';
import { earliestSendBefore, hasClaimedRecords } from './taking.ts';

/** Extends a live lease of a claim that still has something to work. Throws INVALID_ARGUMENT for a lease too short for its pool. */
export function extendClaim(session: Session, request: ExtendRequest, now: number): ExtendAnswer {
  const { pool, token } = request;
  const claim = findClaimToWrite(session, pool, token, now);
  if (request.isByToken === true) noteShared(session, claim);
  if (claim === null) return lost({ pool, claimId: null, leaseUntil: null }, 'unknown_token', now);
  if (claim.leaseUntil <= now) return lost(claim, 'expired', now);
  if (!hasClaimedRecords(session, pool, token)) return lost(claim, 'settled', now);
  const { callTimeoutMs } = openPool(session, pool, now).settings;
  const leaseMs = checkClaimLease(request.leaseMs ?? claim.leaseMs, callTimeoutMs);
  const latest = Math.max(claim.leaseUntil, latestEnd(session, claim, callTimeoutMs));
  const leaseUntil = Math.min(now + leaseMs, latest);
  extendLease(session, token, { leaseMs, leaseUntil }, now);
  return {
    outcome: 'extended',
    pool,
    claimId: claim.claimId,
    leaseUntil: new Date(leaseUntil),
    remainingMs: leaseUntil - now,
    reason: null,
    message: extendMessage({ ...claim, leaseUntil }, null, now),
  };
}

/** Where records begin with their claim nobody asks before each is sent: the lease ends before their provider forgets one. */
function latestEnd(session: Session, { pool, token, explicitBegin }: StoredClaim, callTimeoutMs: number): number {
  const sendBefore = explicitBegin ? null : earliestSendBefore(session, pool, token);
  return sendBefore === null ? Number.POSITIVE_INFINITY : sendBefore + callTimeoutMs;
}

function lost(
  claim: { readonly pool: string; readonly claimId: string | null; readonly leaseUntil: number | null },
  reason: NonNullable<ExtendAnswer['reason']>,
  now: number,
): ExtendAnswer {
  const { pool, claimId, leaseUntil } = claim;
  return {
    outcome: 'lost',
    pool,
    claimId,
    leaseUntil: leaseUntil === null ? null : new Date(leaseUntil),
    remainingMs: leaseUntil === null ? null : Math.max(0, leaseUntil - now),
    reason,
    message: extendMessage(claim, reason, now),
  };
}
