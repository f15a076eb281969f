import { isHeldBy } from '../../../domain/lock-state.ts';
import { claimClockFaultMessage } from '../../../domain/records/messages.ts';
import { drawnInLeaseUntil } from '../../../domain/clock-fault.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import { readDateOrNull, readText, toJson } from '../columns.ts';
import { appendEvent } from '../events.ts';
import { findLock } from '../locks.ts';
import type { Session } from '../session.ts';
import { type StoredClaim, toClaim } from './rows.ts';

const sql = loadSqlBlocks(new URL('../sql/record-claims.sql', import.meta.url), [
  'claim_by_token',
  'claim_of_repeat',
  'insert_claim',
  'extend_claim',
  'share_claim',
  'draw_in_claim',
  'note_holder_ended',
  'claims_ahead',
  'lock_of_token',
]);

/** Leases of a faulty clock that one call draws in. */
const AHEAD_MAX = 100;

/** The claim of a token; null for a token that no claim has. Reads only. */
export function findClaim(session: Session, token: string): StoredClaim | null {
  const row = session.get(sql.claim_by_token, { token });
  return row === undefined ? null : toClaim(row);
}

/** The same for a call that writes, in its own pool: a lease that ends too far away is drawn in and told, once. */
export function findClaimToWrite(session: Session, pool: string, token: string, now: number): StoredClaim | null {
  const claim = findClaim(session, token);
  return claim === null || claim.pool !== pool ? null : drawIn(session, claim, now);
}

/** Another process than the one that claimed may have the token: that one's end proves nothing from now on. Written once. */
export function noteShared(session: Session, claim: StoredClaim | null): void {
  if (claim !== null && !claim.isShared) session.run(sql.share_claim, { token: claim.token });
}

/** The claim that this one repeats: same id **and** same holder. */
export function findRepeated(
  session: Session,
  { pool, claimId, holder }: { readonly pool: string; readonly claimId: string; readonly holder: string },
  now: number,
): StoredClaim | null {
  const row = session.get(sql.claim_of_repeat, { pool, claim_id: claimId, holder });
  return row === undefined ? null : drawIn(session, toClaim(row), now);
}

/** Draws in what a clock that was ahead has left: such a lease would keep its records for as long. */
export function drawInAhead(session: Session, pool: string, now: number): void {
  for (const row of session.all(sql.claims_ahead, { pool, now, limit: AHEAD_MAX })) drawIn(session, toClaim(row), now);
}

function drawIn(session: Session, claim: StoredClaim, now: number): StoredClaim {
  const leaseUntil = drawnInLeaseUntil(claim, now);
  if (leaseUntil === claim.leaseUntil) return claim;
  const { token, claimId, pool, holder } = claim;
  session.run(sql.draw_in_claim, { token, lease_until: leaseUntil });
  appendEvent(session, {
    at: now,
    kind: 'clock.fault',
    severity: 'warning',
    lock: null,
    pool,
    runId: null,
    holder,
    message: claimClockFaultMessage(pool, claimId, claim.leaseUntil, leaseUntil),
    data: {
      claimId,
      endedAt: new Date(claim.leaseUntil).toISOString(),
      leaseUntil: new Date(leaseUntil).toISOString(),
    },
  });
  return { ...claim, leaseUntil };
}

export function insertClaim(
  session: Session,
  claim: Omit<StoredClaim, 'holderEndedAt' | 'isShared'> & { readonly lock: string | null },
  now: number,
): void {
  session.run(sql.insert_claim, {
    token: claim.token,
    claim_id: claim.claimId,
    pool: claim.pool,
    holder: claim.holder,
    holder_info: toJson(claim.holderInfo),
    lock: claim.lock,
    explicit_begin: claim.explicitBegin ? 1 : 0,
    lease_ms: claim.leaseMs,
    lease_until: claim.leaseUntil,
    now,
  });
}

export function extendLease(
  session: Session,
  token: string,
  { leaseMs, leaseUntil }: { readonly leaseMs: number; readonly leaseUntil: number },
  now: number,
): void {
  session.run(sql.extend_claim, { token, lease_ms: leaseMs, lease_until: leaseUntil, now });
}

/** Remembers since when a claim's holder is proven to have ended; the first time counts. Null for no such claim, or a shared one. */
export function noteHolderEnded(
  session: Session,
  { pool, claimId, holder }: { readonly pool: string; readonly claimId: string; readonly holder: string },
  now: number,
): Date | null {
  const row = session.get(sql.note_holder_ended, { pool, claim_id: claimId, holder, now });
  return row === undefined ? null : readDateOrNull(row, 'holder_ended_at');
}

/** The lock that this token holds at `now`; null for a token that holds none. */
export function lockHeldBy(session: Session, token: string, now: number): string | null {
  const row = session.get(sql.lock_of_token, { token });
  const lock = row === undefined ? null : findLock(session, readText(row, 'lock'));
  return lock !== null && isHeldBy(lock, token, now) ? lock.name : null;
}
