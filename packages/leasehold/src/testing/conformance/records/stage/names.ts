import assert from 'node:assert/strict';
import type { ClaimAnswer, RecordKey, Verdict } from '../../../../domain/records/record.ts';
import type { VerdictItem } from '../../../../ports/record-store.ts';
import { HOUR } from '../../stage/timeline.ts';

/** A record as facts name it: an id alone is its empty version. */
export type Key = string | readonly [id: string, version: string];

export const keyOf = (key: Key): RecordKey =>
  typeof key === 'string' ? { id: key, version: '' } : { id: key[0], version: key[1] };

/** A claim that owns something. */
export type Claim = ClaimAnswer & { readonly token: string; readonly leaseUntil: Date };

/** What says which claim is meant. */
export interface Token {
  readonly token: string;
}

/** A token that no claim ever had. */
export const NO_TOKEN: Token = { token: 'token-of-nobody' };

/** The time in which claims of these facts are given, where they don't say otherwise. */
export const LEASE: number = HOUR;

export function verdictItem(
  { token }: Token,
  id: string,
  verdict: Verdict,
  patch: Partial<VerdictItem> = {},
): VerdictItem {
  return { id, token, verdict, providerRef: null, error: null, isPermanent: false, ...patch };
}

/** `a`, or `a/2` where it has a version. */
export function nameOf({ id, version }: RecordKey): string {
  return version === '' ? id : `${id}/${version}`;
}

/** What a claim owns, in its order. */
export function idsOf({ owned }: Pick<ClaimAnswer, 'owned'>): string[] {
  return owned.map(nameOf);
}

/** What a claim was refused, and why: `a done`. */
export function refusalsOf({ refused }: Pick<ClaimAnswer, 'refused'>): string[] {
  return refused.map((record) => `${nameOf(record)} ${record.why}`);
}

export function grantedOf(answer: ClaimAnswer): Claim {
  const { token, leaseUntil } = answer;
  assert.ok(token !== null && leaseUntil !== null, answer.message);
  return { ...answer, token, leaseUntil };
}
