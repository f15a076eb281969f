import type { BeginRefusal } from './record.ts';
import type { StoredRecord } from './stored-record.ts';

/** The record that a begin names, and the claim whose token it shows. */
export interface BeginScene {
  /** The record that carries the token, or failing that one that the id names; null for an id that is not known. */
  readonly record: StoredRecord | null;
  /** True where the record carries the token now. */
  readonly isOwner: boolean;
  /** The end of the claim's lease; null where its row is lost. */
  readonly leaseUntil: number | null;
  readonly callTimeoutMs: number;
}

export type BeginDecision =
  | { readonly kind: 'begin' }
  /** Begun before by this very token: accepted, and counted once. */
  | { readonly kind: 'repeat' }
  | {
      readonly kind: 'refuse';
      readonly reason: BeginRefusal /** Its provider must be asked first. */;
      readonly flags: boolean;
    };

/** True while one call can still end inside the lease. */
export function leavesRoom(leaseUntil: number, callTimeoutMs: number, now: number): boolean {
  return leaseUntil - now > 0 && leaseUntil - now >= callTimeoutMs;
}

/**
 * Decides a begin. Accepted only while the lease outlasts the call that follows it, so that what the call does is
 * done before anybody else may ask for the record: a repeat is no exception, since the caller sends after it.
 */
export function decideBegin(scene: BeginScene, now: number): BeginDecision {
  const { record, isOwner, leaseUntil, callTimeoutMs } = scene;
  if (record === null) return { kind: 'refuse', reason: 'unknown_record', flags: false };
  if (!isOwner) return { kind: 'refuse', reason: 'not_owner', flags: false };
  if (record.state !== 'claimed' || record.unknownAt !== null) {
    return { kind: 'refuse', reason: 'not_claimed', flags: false };
  }
  if (leaseUntil === null || !leavesRoom(leaseUntil, callTimeoutMs, now))
    return { kind: 'refuse', reason: 'lease_over', flags: false };
  if (record.sendBefore !== null && record.sendBefore < now) {
    return { kind: 'refuse', reason: 'send_before', flags: true };
  }
  return record.isBegun ? { kind: 'repeat' } : { kind: 'begin' };
}
