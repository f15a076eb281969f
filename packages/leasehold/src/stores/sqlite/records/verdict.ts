import { decideVerdict, spokenOf, type VerdictDecision } from '../../../domain/records/decide-verdict.ts';
import { recordName, verdictLateMessage, verdictRefusedMessage } from '../../../domain/records/messages.ts';
import type { VerdictAnswer, VerdictRefusal } from '../../../domain/records/record.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import { done, failed, flagged, inReview, isSettled, queued } from '../../../domain/records/transitions.ts';
import type { VerdictItem } from '../../../ports/record-store.ts';
import type { Session } from '../session.ts';
import type { FindClaim } from './begin.ts';
import { takeEvidence } from './evidence.ts';
import { type AboutClaim, tellRecord, tellRequeued, tellReview } from './record-events.ts';
import { fillProviderRef, findNamed, findSecondDone, leaveToken, noteRefused, writeRecord } from './records.ts';
import type { Pool } from './rows.ts';
import { accepted, type Said } from './said.ts';
import { letNextIn } from './versions.ts';

export function giveVerdict(
  session: Session,
  pool: Pool,
  item: VerdictItem,
  findClaim: FindClaim,
  now: number,
): VerdictAnswer {
  const { id, token, verdict, isPermanent, providerRef } = item;
  const { record, speaker, former } = findNamed(session, pool.pool, id, token);
  const before = speaker === 'owner' && record !== null ? findSecondDone(session, record) : former;
  const formerWord = { formerVerdict: before?.verdict ?? null, formerRef: before?.providerRef ?? null };
  const { attempts } = pool.rules;
  const scene = { record, speaker, ...formerWord, verdict, isPermanent, providerRef, attempts };
  const decision = decideVerdict(scene, now);
  const by = findClaim(token) ?? former ?? { claimId: null, holder: null };
  if (record === null || decision.kind === 'refuse') {
    const reason = decision.kind === 'refuse' ? decision.reason : 'unknown_record';
    return refuse(session, pool, { item, record, by, reason }, now);
  }
  const said: Said = { pool, item, record, speaker, by };
  switch (decision.kind) {
    case 'done':
    case 'failed':
    case 'flag':
    case 'review':
    case 'requeue':
    case 'spent':
    case 'idle':
      return accepted(said, settle(session, said, decision, now));
    case 'repeat':
      return accepted(said, decision.fills ? fill(session, said) : record);
    case 'evidence_done':
    case 'evidence_waits':
    case 'evidence_settles':
    case 'evidence_known':
    case 'doubled':
      return takeEvidence(session, said, decision, now);
  }
}

type OwnWord = Extract<VerdictDecision, { kind: 'done' | 'failed' | 'flag' | 'review' | 'requeue' | 'spent' | 'idle' }>;

/** Does what the owner's word asks for; the record as it is then. */
function settle(session: Session, { item, record, by }: Said, decision: OwnWord, now: number): StoredRecord {
  const { error, providerRef } = item;
  const { spoken } = decision;
  const settled = ((): StoredRecord => {
    switch (decision.kind) {
      case 'done':
        return done(record, { providerRef, token: record.token, spoken }, now);
      case 'failed':
        return failed(record, error, spoken, now);
      case 'flag':
        return { ...flagged(record, now), verdict: spoken, error };
      case 'requeue': {
        const claim = by.claimId === null || by.holder === null ? null : { claimId: by.claimId, holder: by.holder };
        const { notBefore, idleRequeues } = decision;
        leaveToken(session, record, claim, spoken, now);
        tellRequeued(session, record, { reason: 'failed', claim: by, words: error, notBefore }, now);
        return queued({ ...record, error, idleRequeues }, { notBefore, sendBefore: record.sendBefore }, now);
      }
      case 'idle': {
        const { times } = decision;
        const words = tellReview(session, record, { reason: 'idle', claim: by, words: error, times }, now);
        return { ...inReview(record, words, now), verdict: spoken, idleRequeues: times };
      }
      case 'review':
      case 'spent': {
        const reason = decision.kind === 'spent' ? 'attempts' : 'said';
        const times = record.attempt - record.attemptsForgiven;
        const words = tellReview(session, record, { reason, claim: by, words: error, times }, now);
        return { ...inReview(record, words, now), verdict: spoken };
      }
    }
  })();
  writeRecord(session, settled);
  if (isSettled(settled)) letNextIn(session, settled);
  return settled;
}

function fill(session: Session, { item, record }: Said): StoredRecord {
  const { providerRef } = item;
  if (providerRef === null) return record;
  fillProviderRef(session, record.no, providerRef);
  return { ...record, providerRef };
}

/** Refused, told as an event, and what was said kept with it. */
function refuse(
  session: Session,
  { pool }: Pool,
  refused: {
    readonly item: VerdictItem;
    readonly record: StoredRecord | null;
    readonly by: AboutClaim;
    readonly reason: VerdictRefusal;
  },
  now: number,
): VerdictAnswer {
  const { item, record, by } = refused;
  const { id, verdict, error, providerRef } = item;
  const reason = refused.reason === 'invalid' ? 'unknown_record' : refused.reason;
  const version = record?.version ?? null;
  const name = recordName(pool, { id, version });
  const message =
    reason === 'settled' && record !== null
      ? verdictLateMessage(name, { verdict, error }, { state: record.state, since: record.updatedAt })
      : verdictRefusedMessage(name, reason === 'settled' ? 'unknown_record' : reason, {
          verdict,
          given: record?.verdict ?? null,
        });
  const data = { verdict: spokenOf(verdict, item.isPermanent), reason, version, error, providerRef };
  const severity = reason === 'other_verdict' || reason === 'settled' ? 'info' : 'warning';
  const event = { pool, id, holder: by.holder, message, data };
  if (reason !== 'settled' || record === null || isNews(session, record, { item, by }, now)) {
    tellRecord(session, { kind: 'verdict.refused', severity, ...event }, now);
  }
  return { outcome: 'refused', pool, id, version, state: record?.state ?? null, notBefore: null, reason, message };
}

/** What an owner says of a record that was settled without it is told once, however often it is said. */
function isNews(
  session: Session,
  record: StoredRecord,
  { item, by }: { readonly item: VerdictItem; readonly by: AboutClaim },
  now: number,
): boolean {
  const { claimId, holder } = by;
  leaveToken(session, record, claimId === null || holder === null ? null : { claimId, holder }, record.verdict, now);
  const spoken = spokenOf(item.verdict, item.isPermanent);
  return noteRefused(session, record, item.error === null ? spoken : `${spoken} ${item.error}`);
}
