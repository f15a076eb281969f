import { isSpent, type StoredRecord } from '../../../domain/records/stored-record.ts';
import { done, inReview, queued } from '../../../domain/records/transitions.ts';
import type { LookupDecision } from '../../../domain/records/lookup.ts';
import type { ReviewReason } from '../../../domain/records/reasons.ts';
import type { ApplyLookupAnswer, ApplyLookupRequest, SeenRecord } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import type { Session } from '../session.ts';
import { findClaim } from './claims.ts';
import { tellOtherReference } from './evidence.ts';
import { findPool } from './pools.ts';
import { tellRequeued, tellReview } from './record-events.ts';
import { findRecord, leaveToken, writeRecord } from './records.ts';
import type { StoredClaim } from './rows.ts';
import { seenOf } from './seen.ts';
import { letNextIn } from './versions.ts';

const sql = loadSqlBlocks(new URL('../sql/record-look-up.sql', import.meta.url), ['ask_before_sending']);

/** Does what a look-up led to, by compare-and-set: an answer about another attempt or lease says nothing of this one. */
export function applyLookup(session: Session, request: ApplyLookupRequest, now: number): ApplyLookupAnswer {
  const { seen, decision } = request;
  const record = findRecord(session, seen.pool, seen);
  if (record === null) return { outcome: 'overtaken', state: null };
  const claim = record.token === null ? null : findClaim(session, record.token);
  if (!isAsSeen(record, claim, seen) || !isToAsk(record, claim, now)) {
    if (decision.kind === 'done' && mayBeSent(record))
      session.run(sql.ask_before_sending, { no: record.no, at: now - 1 });
    return { outcome: 'overtaken', state: record.state };
  }
  if (decision.kind === 'wait') return { outcome: 'applied', state: record.state };
  const applied = apply(session, record, claim, decision, now);
  writeRecord(session, applied);
  if (applied.state === 'done') letNextIn(session, applied);
  return { outcome: 'applied', state: applied.state };
}

/** Found, though not of what was asked about: nothing is sent before it has been asked for anew. */
function mayBeSent({ state, isBegun, unknownAt }: StoredRecord): boolean {
  return (state === 'queued' || state === 'claimed') && !isBegun && unknownAt === null;
}

function isAsSeen(record: StoredRecord, claim: StoredClaim | null, seen: SeenRecord): boolean {
  const found = seenOf(record, claim);
  return (
    found.claimId === seen.claimId &&
    found.holder === seen.holder &&
    found.begunAt === seen.begunAt.getTime() &&
    found.leaseUntil === seen.leaseUntil.getTime() &&
    record.attempt === seen.attempt
  );
}

function isToAsk(record: StoredRecord, claim: StoredClaim | null, now: number): boolean {
  if (record.state === 'review') return record.askSince !== null;
  if (record.state !== 'claimed') return false;
  return record.unknownAt !== null || claim === null || claim.leaseUntil <= now;
}

function apply(
  session: Session,
  record: StoredRecord,
  claim: StoredClaim | null,
  decision: Exclude<LookupDecision, { kind: 'wait' }>,
  now: number,
): StoredRecord {
  const about = { claimId: claim?.claimId ?? null, holder: claim?.holder ?? null };
  const review = (reason: ReviewReason, words: string | null): StoredRecord => {
    const times = record.attempt - record.attemptsForgiven;
    return inReview(record, tellReview(session, record, { reason, claim: about, words, times }, now), now);
  };
  if (decision.kind === 'done') {
    const providerRef = decision.providerRef ?? record.evidenceRef;
    tellOtherReference(session, record, { providerRef, holder: about.holder }, now);
    return done(record, { providerRef, token: record.token, spoken: record.verdict }, now);
  }
  // A former owner says that it is done: not found is then an index that lags, rather than nothing sent.
  if (decision.kind === 'review' || record.evidenceAt !== null) return review('looked_up', decision.reason);
  const attempts = findPool(session, record.pool)?.rules.attempts ?? 1;
  if (isSpent(record, attempts)) return review('attempts', record.error);
  leaveToken(session, record, claim, record.verdict, now);
  tellRequeued(session, record, { reason: 'looked_up', claim: about, words: decision.reason, notBefore: null }, now);
  const sendBefore = earlierOf(record.sendBefore, decision.sendBefore?.getTime() ?? null);
  return queued(record, { notBefore: null, sendBefore }, now);
}

/** The sender of an attempt before this one may still be running: what its provider needs to know it again holds on. */
function earlierOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
