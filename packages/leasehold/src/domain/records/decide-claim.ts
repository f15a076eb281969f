import type { RefusalReason } from './record.ts';
import type { StoredRecord } from './stored-record.ts';

/**
 * Which records a claim gets.
 *
 * A record is given while it is queued, due, the first of its id in the order of versions, and may be sent without its
 * provider being asked. One that has cost several claims before its work ever began is given by itself, so that if it
 * kills its worker it takes no neighbour along.
 */

/** Claims of a record that expired before its work began, after which it is handed out alone. */
export const IDLE_REQUEUES_ALONE = 2;

export type OfferDecision =
  | { readonly kind: 'take' }
  /** Its provider no longer knows a second effect for a repeat: it is claimed and flagged, and not given. */
  | { readonly kind: 'ask_first' }
  /** `since`: when it came into that state, or with `not_before` from when on it may be had. */
  | { readonly kind: 'refuse'; readonly why: RefusalReason; readonly since: number | null };

/** What of a record decides whether it may be had. */
export type OfferedState = Pick<
  StoredRecord,
  'state' | 'waits' | 'notBefore' | 'sendBefore' | 'idleRequeues' | 'claimedAt' | 'updatedAt'
>;

/** The claim that asks, and what it has so far. */
export interface ClaimSoFar {
  /** The latest instant at which it may send, as far as the store will know: null where it says of each when it begins. */
  readonly sendsUntil: number | null;
  readonly owned: number;
  /** True where what it has is a record that is handed out alone. */
  readonly isAlone: boolean;
}

/**
 * Until when a claim may send: while it says of each record when it begins, each begin is looked at by itself; else at any
 * time of its lease, but for the call that a begin at its end would not leave room for.
 */
export function lastSendAt(
  { explicitBegin, leaseUntil }: { readonly explicitBegin: boolean; readonly leaseUntil: number },
  callTimeoutMs: number,
): number | null {
  return explicitBegin ? null : leaseUntil - callTimeoutMs;
}

/** True where its provider may no longer know it again, whoever sends it. */
export function mustAskFirst({ sendBefore }: Pick<StoredRecord, 'sendBefore'>, now: number): boolean {
  return sendBefore !== null && sendBefore < now;
}

/**
 * True where its provider knows it again now, and might not any more when this claim sends it: it is left to a shorter one,
 * or to one that says when it begins.
 */
export function isTooLong(
  { sendBefore }: Pick<StoredRecord, 'sendBefore'>,
  claimSendsUntil: number | null,
  now: number,
): boolean {
  return sendBefore !== null && sendBefore >= now && sendBefore < (claimSendsUntil ?? now);
}

/** True for a record that is handed out by itself. */
export function goesAlone({ idleRequeues }: Pick<StoredRecord, 'idleRequeues'>): boolean {
  return idleRequeues >= IDLE_REQUEUES_ALONE;
}

/**
 * Decides on one record of an offer, those before it being decided. `isIdWorked`: another version of its id is claimed.
 * That the claim is full is its caller's to see.
 */
export function decideOffer(record: OfferedState, isIdWorked: boolean, claim: ClaimSoFar, now: number): OfferDecision {
  switch (record.state) {
    case 'claimed':
      return { kind: 'refuse', why: 'claimed', since: record.claimedAt };
    case 'done':
    case 'failed':
    case 'review':
    case 'cancelled':
      return { kind: 'refuse', why: record.state, since: record.updatedAt };
    case 'queued':
      return decideQueued(record, isIdWorked, claim, now);
  }
}

function decideQueued(
  record: OfferedState,
  isIdWorked: boolean,
  { owned, isAlone, sendsUntil }: ClaimSoFar,
  now: number,
): OfferDecision {
  if (record.waits || isIdWorked) return { kind: 'refuse', why: 'earlier_version', since: null };
  if (record.notBefore !== null && record.notBefore > now) {
    return { kind: 'refuse', why: 'not_before', since: record.notBefore };
  }
  if (mustAskFirst(record, now)) return { kind: 'ask_first' };
  if (isTooLong(record, sendsUntil, now)) return { kind: 'refuse', why: 'ask_first', since: null };
  const isRefusedForOthers = owned > 0 && (isAlone || goesAlone(record));
  return isRefusedForOthers ? { kind: 'refuse', why: 'alone', since: null } : { kind: 'take' };
}

/** What the arrival of a newer version does to an older one of its id: an end that nobody has worked, or a wait for it. */
export function decideArrival(older: Pick<StoredRecord, 'state' | 'attempt'>): 'cancels' | 'waits' | 'ignores' {
  if (older.state === 'queued') return older.attempt === 0 ? 'cancels' : 'waits';
  return older.state === 'claimed' || older.state === 'review' ? 'waits' : 'ignores';
}

/**
 * Whether a record that a person puts back in the queue waits for this other version of its id: the order of versions holds
 * for it too. `isOlder`: the other one is.
 */
export function mustWaitFor(other: Pick<StoredRecord, 'state'>, isOlder: boolean): boolean {
  return other.state === 'claimed' || other.state === 'review' || (other.state === 'queued' && isOlder);
}
