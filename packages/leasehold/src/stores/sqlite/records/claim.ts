import { isDeepStrictEqual } from 'node:util';
import { claimMessage } from '../../../domain/records/messages.ts';
import { checkClaimLease, checkClaimLimit } from '../../../domain/records/pool-settings.ts';
import { goesAlone, isGivenAgain, lastSendAt } from '../../../domain/records/decide-claim.ts';
import type { ClaimAnswer, RefusedRecord, SettledCounts } from '../../../domain/records/record.ts';
import type { Ids } from '../../../ports/ids.ts';
import type { ClaimNextRequest, ClaimRequest } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import { findRepeated, insertClaim, lockHeldBy, noteShared } from './claims.ts';
import { decideOffers } from './offers.ts';
import { openPool } from './pools.ts';
import { takeNext } from './queue.ts';
import { givenAgain } from './repeat.ts';
import type { Pool, StoredClaim } from './rows.ts';
import { NOTHING_SETTLED, SETTLED_MAX, settleExpired } from './settle.ts';
import { flagRecords, holdingsOf, ownedRecords, takeRecords } from './taking.ts';

/** What a claim has come to before its message. */
interface Came {
  readonly nos: readonly number[];
  readonly leaseUntil: number | null;
  readonly token: string | null;
  readonly refused: readonly RefusedRecord[];
  readonly settled: SettledCounts;
  readonly isRepeat: boolean;
}

type AnyClaim = ClaimRequest | ClaimNextRequest;

/**
 * Takes what it can of the offered records. The order: the lock that must be held, the same claim asked again, a pause, then
 * what expired claims have left, then its own.
 */
export function claim(session: Session, request: ClaimRequest, ids: Ids, now: number): ClaimAnswer {
  const start = begin(session, request, ids, now);
  if ('outcome' in start) return start;
  const { pool, repeated, fresh, limit, lock } = start;
  if (repeated !== null && !request.isContinued) return repeat(session, request, repeated, limit, now);
  const settled = settleExpired(session, pool, SETTLED_MAX, now);
  const taker = repeated ?? fresh;
  const holdings = repeated === null ? [] : holdingsOf(session, pool.pool, repeated.token);
  const given = holdings.filter((holding) => isGivenAgain(holding, taker));
  const has = {
    sendsUntil: lastSendAt(taker, pool.rules.callTimeoutMs),
    owned: holdings.length,
    isAlone: holdings.some(goesAlone),
    given: new Set(given.map(({ no }) => no)),
  };
  const { offers, namespace } = request;
  const offering = decideOffers(session, { pool, offers, namespace, has, token: repeated?.token ?? null, limit }, now);
  takeRecords(session, taker, offering.taken, now);
  flagRecords(session, taker.token, offering.flagged, now);
  const isMade = offering.taken.length + offering.flagged.length > 0;
  if (repeated === null && isMade) insertClaim(session, { ...fresh, lock }, now);
  return answer(
    session,
    request,
    {
      nos: [...has.given, ...offering.taken],
      token: taker.token,
      leaseUntil: taker.leaseUntil,
      refused: offering.refused,
      settled: add(settled, offering.settled),
      isRepeat: false,
    },
    now,
  );
}

/** Takes the next records of the queue. */
export function claimNext(session: Session, request: ClaimNextRequest, ids: Ids, now: number): ClaimAnswer {
  const start = begin(session, request, ids, now);
  if ('outcome' in start) return start;
  const { pool, repeated, fresh, limit, lock } = start;
  if (repeated !== null) return repeat(session, request, repeated, limit, now);
  const settled = settleExpired(session, pool, SETTLED_MAX, now);
  const { taken, flagged } = takeNext(session, pool, fresh, limit, now);
  if (taken.length + flagged > 0) insertClaim(session, { ...fresh, lock }, now);
  const { token, leaseUntil } = fresh;
  return answer(session, request, { nos: taken, token, leaseUntil, refused: [], settled, isRepeat: false }, now);
}

interface Start {
  readonly pool: Pool;
  /** The claim that this one repeats, its lease alive; null for a new one. */
  readonly repeated: StoredClaim | null;
  readonly fresh: StoredClaim;
  readonly limit: number;
  readonly lock: string | null;
}

/** Throws INVALID_ARGUMENT for a lease or a limit that the pool can't grant. */
function begin(session: Session, request: AnyClaim, ids: Ids, now: number): Start | ClaimAnswer {
  const pool = openPool(session, request.pool, now);
  const limit = checkClaimLimit(request.limit ?? pool.settings.limit);
  const leaseMs = checkClaimLease(request.leaseMs ?? pool.settings.leaseMs, pool.settings.callTimeoutMs);
  const lock = request.lockToken === null ? null : lockHeldBy(session, request.lockToken, now);
  if (request.lockToken !== null && lock === null) return nothing(request, 'lock_lost');
  const repeated = findRepeated(session, request, now);
  if (repeated !== null && repeated.leaseUntil <= now) return nothing(request, 'claim_ended');
  const { claimId, holder, holderInfo, explicitBegin } = request;
  if (repeated !== null && !isDeepStrictEqual(repeated.holderInfo, holderInfo)) noteShared(session, repeated);
  if (pool.pausedAt !== null && (repeated === null || isContinued(request))) return nothing(request, 'paused');
  const lease = { leaseMs, leaseUntil: now + leaseMs, holderEndedAt: null, isShared: false };
  const fresh = { token: ids.newId(), claimId, pool: pool.pool, holder, holderInfo, explicitBegin, ...lease };
  return { pool, repeated, fresh, limit, lock };
}

function isContinued(request: AnyClaim): boolean {
  return 'isContinued' in request && request.isContinued;
}

/** The answer to a claim whose answer was lost: what it still has to work, and nothing more. */
function repeat(session: Session, request: AnyClaim, same: StoredClaim, limit: number, now: number): ClaimAnswer {
  const { token, leaseUntil } = same;
  const { nos, refused } = givenAgain(session, request, same, limit, now);
  return answer(session, request, { nos, token, leaseUntil, refused, settled: NOTHING_SETTLED, isRepeat: true }, now);
}

function answer(session: Session, request: AnyClaim, came: Came, now: number): ClaimAnswer {
  const { pool, claimId } = request;
  const owned = ownedRecords(session, came.nos);
  const leaseUntil = owned.length === 0 ? null : came.leaseUntil;
  const offered = 'offers' in request ? request.offers.length : null;
  return {
    outcome: 'claimed',
    pool,
    claimId,
    token: leaseUntil === null ? null : came.token,
    leaseUntil: leaseUntil === null ? null : new Date(leaseUntil),
    remainingMs: leaseUntil === null ? null : leaseUntil - now,
    owned,
    refused: came.refused,
    settled: came.settled,
    message: claimMessage('claimed', request, { owned: owned.length, offered, leaseUntil, isRepeat: came.isRepeat }),
    isRepeat: came.isRepeat,
  };
}

/** Of a pool that is paused each offered record is refused for that; else nothing was looked at. */
function nothing(request: AnyClaim, outcome: 'lock_lost' | 'claim_ended' | 'paused'): ClaimAnswer {
  const { pool, claimId } = request;
  const offers = outcome === 'paused' && 'offers' in request ? request.offers : [];
  return {
    outcome,
    pool,
    claimId,
    token: null,
    leaseUntil: null,
    remainingMs: null,
    owned: [],
    refused: offers.map(({ id, version }) => ({ id, version, why: 'paused', by: null, since: null })),
    settled: NOTHING_SETTLED,
    message: claimMessage(outcome, request, { owned: 0, offered: offers.length, leaseUntil: null, isRepeat: false }),
    isRepeat: false,
  };
}

function add(one: SettledCounts, other: SettledCounts): SettledCounts {
  return {
    requeued: one.requeued + other.requeued,
    review: one.review + other.review,
    cancelled: one.cancelled + other.cancelled,
  };
}
