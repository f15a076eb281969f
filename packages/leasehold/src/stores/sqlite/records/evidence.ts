import type { VerdictDecision } from '../../../domain/records/decide-verdict.ts';
import { effectDoubledMessage, evidenceMessage, recordName } from '../../../domain/records/messages.ts';
import type { VerdictAnswer } from '../../../domain/records/record.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import { done, inReview } from '../../../domain/records/transitions.ts';
import type { Session } from '../session.ts';
import { findClaim } from './claims.ts';
import { tellRecord, tellReview } from './record-events.ts';
import { fillProviderRef, leaveToken, noteFormerDone, writeRecord } from './records.ts';
import { accepted, type Said } from './said.ts';
import { letNextIn } from './versions.ts';

/** What is done with a `done` that isn't its record's owner's, or that contradicts what was said before. */

type Evidence = Extract<
  VerdictDecision,
  { kind: 'evidence_done' | 'evidence_waits' | 'evidence_settles' | 'evidence_known' | 'doubled' }
>;

export function takeEvidence(session: Session, said: Said, decision: Evidence, now: number): VerdictAnswer {
  const { item, record, speaker } = said;
  if (speaker === 'former') noteFormerDone(session, record, item);
  switch (decision.kind) {
    case 'evidence_settles':
      return settleEvidenced(session, said, decision, now);
    case 'evidence_done': {
      const finished = { ...said, record: finishByEvidence(session, said, now) };
      return decision.isDoubled
        ? doubled(session, finished, { kept: record.evidenceRef ?? '', isTold: false }, now)
        : evidence(session, said, { record: finished.record, isTold: false }, now);
    }
    case 'evidence_waits': {
      const held = holdForEvidence(session, said, now);
      return decision.isDoubled
        ? doubled(session, { ...said, record: held }, { kept: record.evidenceRef ?? '', isTold: decision.isTold }, now)
        : evidence(session, said, { record: held, isTold: decision.isTold }, now);
    }
    case 'evidence_known':
      if (decision.fills && item.providerRef !== null) fillProviderRef(session, record.no, item.providerRef);
      return evidence(session, said, { record, isTold: decision.isTold }, now);
    case 'doubled':
      return doubled(session, said, { kept: record.providerRef ?? '', isTold: decision.isTold }, now);
  }
}

/** Done by the word of one who had it; whoever has it now has lost it. */
function finishByEvidence(session: Session, { item, record, speaker }: Said, now: number): StoredRecord {
  const isOwn = speaker === 'owner';
  if (!isOwn) revoke(session, record, now);
  const providerRef = record.evidenceRef ?? item.providerRef;
  const spoken = isOwn ? ('done' as const) : null;
  const finished = done(record, { providerRef, token: isOwn ? record.token : null, spoken }, now);
  writeRecord(session, finished);
  letNextIn(session, finished);
  return finished;
}

function revoke(session: Session, record: StoredRecord, now: number): void {
  if (record.token === null) return;
  leaveToken(session, record, findClaim(session, record.token), record.verdict, now);
}

/** Another one has begun it: nobody can say yet whether there will be one effect or two. */
function holdForEvidence(session: Session, { item, record }: Said, now: number): StoredRecord {
  const evidenceRef = record.evidenceRef ?? item.providerRef;
  const evidenceAt = record.evidenceAt ?? now;
  if (record.state === 'review') {
    const known = { ...record, evidenceRef, evidenceAt };
    writeRecord(session, known);
    return known;
  }
  const owner = record.token === null ? null : findClaim(session, record.token);
  const claim = { claimId: owner?.claimId ?? null, holder: owner?.holder ?? null };
  const times = record.attempt - record.attemptsForgiven;
  const words = tellReview(session, record, { reason: 'evidence', claim, words: null, times }, now);
  const held = { ...inReview(record, words, now), evidenceRef, evidenceAt };
  writeRecord(session, held);
  return held;
}

/** The one that worked it has spoken: it is done either way, and two references are two effects, which its answer says. */
function settleEvidenced(
  session: Session,
  said: Said,
  { own, isDoubled, spoken }: Extract<Evidence, { kind: 'evidence_settles' }>,
  now: number,
): VerdictAnswer {
  const { item, record } = said;
  const providerRef = record.evidenceRef ?? (own ? item.providerRef : null);
  const finished = done(record, { providerRef, token: record.token, spoken }, now);
  writeRecord(session, finished);
  letNextIn(session, finished);
  if (!isDoubled) return accepted(said, finished);
  const { message } = doubled(session, said, { kept: record.evidenceRef ?? '', isTold: false }, now);
  return { ...accepted(said, finished), message };
}

/** Told once, however often it is said. */
function evidence(
  session: Session,
  { pool, item, by }: Said,
  { record, isTold }: { readonly record: StoredRecord; readonly isTold: boolean },
  now: number,
): VerdictAnswer {
  const { id, version, state } = record;
  const message = evidenceMessage(recordName(pool.pool, record), state);
  if (isTold) return answer(pool.pool, record, message);
  const data = { version, state, providerRef: item.providerRef };
  const event = { pool: pool.pool, id, holder: by.holder, message, data };
  tellRecord(session, { kind: 'verdict.evidence', severity: 'warning', ...event }, now);
  return answer(pool.pool, record, message);
}

/** The same of a second effect: the owner's word on it is kept beside its verdict. */
function doubled(
  session: Session,
  { pool, item, record, by, speaker }: Said,
  { kept, isTold }: { readonly kept: string; readonly isTold: boolean },
  now: number,
): VerdictAnswer {
  const other = item.providerRef ?? '';
  if (isTold) return answer(pool.pool, record, effectDoubledMessage(recordName(pool.pool, record), kept, other));
  if (speaker === 'owner') {
    const { claimId, holder } = by;
    leaveToken(session, record, claimId === null || holder === null ? null : { claimId, holder }, 'done', now);
    noteFormerDone(session, record, item);
  }
  return answer(pool.pool, record, tellDoubled(session, record, { kept, other, holder: by.holder }, now));
}

/** Tells of two effects, in the words that are returned. `kept` is the reference that the record has. */
function tellDoubled(
  session: Session,
  record: StoredRecord,
  { kept, other, holder }: { readonly kept: string; readonly other: string; readonly holder: string | null },
  now: number,
): string {
  const { pool, id, version } = record;
  const message = effectDoubledMessage(recordName(pool, record), kept, other);
  const data = { version, providerRef: kept, otherRef: other };
  tellRecord(session, { kind: 'effect.doubled', severity: 'critical', pool, id, holder, message, data }, now);
  return message;
}

/** The same of one whose word makes it done against a former owner's: a person's, or its provider's. Nothing for one reference. */
export function tellOtherReference(
  session: Session,
  record: StoredRecord,
  { providerRef, holder }: { readonly providerRef: string | null; readonly holder: string | null },
  now: number,
): void {
  const { evidenceRef } = record;
  if (providerRef === null || evidenceRef === null || providerRef === evidenceRef) return;
  tellDoubled(session, record, { kept: providerRef, other: evidenceRef, holder }, now);
}

function answer(pool: string, { id, version, state }: StoredRecord, message: string): VerdictAnswer {
  return { outcome: 'evidence', pool, id, version, state, notBefore: null, reason: null, message };
}
