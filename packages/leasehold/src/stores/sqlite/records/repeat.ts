import { decideRepeated, isGivenAgain } from '../../../domain/records/decide-claim.ts';
import type { RefusedRecord } from '../../../domain/records/record.ts';
import type { ClaimNextRequest, ClaimRequest } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import { findOffered, keyText } from './offers.ts';
import type { StoredClaim } from './rows.ts';
import { claimedKeys } from './taking.ts';

/**
 * What a claim that is asked for once more is given: what it has and nobody has begun. Each of the rest has its reason. Who
 * asks again may be another process, which knows of no begin; what was begun is settled when the lease is over.
 */
export function givenAgain(
  session: Session,
  request: ClaimRequest | ClaimNextRequest,
  claim: StoredClaim,
  limit: number,
  now: number,
): { readonly nos: readonly number[]; readonly refused: readonly RefusedRecord[] } {
  const { pool, token } = claim;
  const has = claimedKeys(session, pool, token);
  const given = has.filter((record) => !record.isFlagged && isGivenAgain(record, claim));
  const nos = given.map(({ no }) => no);
  const isGiven = new Set(given.map(keyText));
  if (!('offers' in request)) {
    const keptBack = has.filter((record) => !isGiven.has(keyText(record)));
    return { nos, refused: keptBack.map(({ id, version }) => refused({ id, version }, 'ask_first', null, null)) };
  }
  const isFull = has.filter(({ isFlagged }) => !isFlagged).length >= limit;
  const rest = request.offers.filter((offer) => !isGiven.has(keyText(offer)));
  const known = findOffered(session, pool, rest);
  return {
    nos,
    refused: rest.map(({ id, version }) => {
      const record = known.get(keyText({ id, version })) ?? null;
      const { why, since } = decideRepeated(record, { isOwn: record?.token === token, isFull }, now);
      return refused({ id, version }, why, why === 'claimed' ? (record?.claim.holder ?? null) : null, since);
    }),
  };
}

function refused(
  { id, version }: { readonly id: string; readonly version: string },
  why: RefusedRecord['why'],
  by: string | null,
  since: number | null,
): RefusedRecord {
  return { id, version, why, by, since: since === null ? null : new Date(since) };
}
