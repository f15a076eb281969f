import { returnMessage } from '../../../domain/records/messages.ts';
import type { RecordKey, ReturnAnswer } from '../../../domain/records/record.ts';
import { queued, unbegun } from '../../../domain/records/transitions.ts';
import type { ReturnRequest } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import { findClaim } from './claims.ts';
import { tellRequeued } from './record-events.ts';
import { leaveToken, readRecord, writeRecord } from './records.ts';
import type { StoredClaim } from './rows.ts';
import { type ClaimedKey, claimedKeys } from './taking.ts';
import { cancel, isSuperseded } from './versions.ts';

/**
 * Gives back what a claim has not begun, also after its lease while nobody has settled it. Where records begin with their
 * claim only its holder knows which of them it has not touched: those that it names.
 */
export function returnUnworked(session: Session, request: ReturnRequest, now: number): ReturnAnswer {
  const { pool, token } = request;
  const claim = findClaim(session, token);
  if (claim === null || claim.pool !== pool) {
    return {
      outcome: 'not_holder',
      pool,
      claimId: null,
      returned: [],
      kept: [],
      message: returnMessage(pool, null, 0, 0),
    };
  }
  const named = request.ids === null ? null : new Set(request.ids);
  const goes = ({ id, isBegun, isFlagged }: ClaimedKey): boolean => {
    if (isFlagged || (named !== null && !named.has(id))) return false;
    return claim.explicitBegin ? !isBegun : named !== null;
  };
  const all = claimedKeys(session, pool, token);
  const returned = all.filter(goes);
  const kept = all.filter((each) => !goes(each));
  for (const { no } of returned) giveBack(session, no, claim, now);
  return {
    outcome: 'returned',
    pool,
    claimId: claim.claimId,
    returned: returned.map(toKey),
    kept: kept.map(toKey),
    message: returnMessage(pool, claim.claimId, returned.length, kept.length),
  };
}

function giveBack(session: Session, no: number, claim: StoredClaim, now: number): void {
  const record = unbegun(readRecord(session, no));
  if (isSuperseded(session, record)) {
    cancel(session, record, now);
    return;
  }
  leaveToken(session, record, claim, record.verdict, now);
  writeRecord(session, queued(record, { notBefore: null, sendBefore: record.sendBefore }, now));
  tellRequeued(session, record, { reason: 'returned', claim, words: null, notBefore: null }, now);
}

function toKey({ id, version }: RecordKey): RecordKey {
  return { id, version };
}
