import { withReason } from '../../../domain/messages.ts';
import { recordName } from '../../../domain/records/messages.ts';
import { decidedMessage, undecidedMessage } from '../../../domain/records/pool-messages.ts';
import type { RecordState } from '../../../domain/records/record.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import { done, failed, isSettled } from '../../../domain/records/transitions.ts';
import type { ReviewAnswer, ReviewRequest } from '../../../ports/record-store.ts';
import { loadSqlBlocks } from '../../sql-blocks.ts';
import type { Session } from '../session.ts';
import { findClaim } from './claims.ts';
import { findPool } from './pools.ts';
import { tellOtherReference } from './evidence.ts';
import { tellRecord, tellRequeued } from './record-events.ts';
import { leaveToken, writeRecord } from './records.ts';
import { toStoredRecord } from './rows.ts';
import { letNextIn, requeueInOrder } from './versions.ts';

const sql = loadSqlBlocks(new URL('../sql/record-review.sql', import.meta.url), ['versions_to_decide']);

/** Versions of one id that are looked at, the newest first. */
const VERSIONS_MAX = 1_000;

const DECIDABLE: Readonly<Record<ReviewRequest['action'], readonly RecordState[]>> = {
  ask: ['review'],
  done: ['review', 'failed'],
  requeue: ['review', 'failed'],
  fail: ['review'],
};

/** A person's decision on a record in review, or one that failed. */
export function review(session: Session, request: ReviewRequest, now: number): ReviewAnswer {
  const { pool, id, action } = request;
  const rows = session.all(sql.versions_to_decide, { pool, id, version: request.version, limit: VERSIONS_MAX });
  const versions = rows.map(toStoredRecord);
  const newest = versions[0];
  if (newest === undefined) return undecided(request, null, 'no_such_record');
  const fitting = versions.filter(({ state }) => DECIDABLE[action].includes(state));
  const record = fitting[0];
  if (record === undefined) return undecided(request, newest, 'wrong_state');
  if (fitting.length > 1) return undecided(request, null, 'several_versions');
  if (action === 'ask' && findPool(session, pool)?.rules.hasVerifier !== true) {
    return undecided(request, record, 'no_verifier');
  }
  const decided = decide(session, record, request, now);
  if (action !== 'requeue') writeRecord(session, decided);
  if (isSettled(decided)) letNextIn(session, decided);
  const { version, state } = decided;
  const message = decidedMessage(recordName(pool, record), action);
  return { outcome: 'accepted', pool, id, version, state, why: null, message };
}

function undecided(
  request: ReviewRequest,
  record: StoredRecord | null,
  why: NonNullable<ReviewAnswer['why']>,
): ReviewAnswer {
  const { pool, id } = request;
  const version = record?.version ?? request.version;
  const state = record?.state ?? null;
  const message = undecidedMessage(recordName(pool, { id, version }), why, state);
  return { outcome: 'refused', pool, id, version, state, why, message };
}

function decide(session: Session, record: StoredRecord, request: ReviewRequest, now: number): StoredRecord {
  const { pool, action, reason } = request;
  const claim = record.token === null ? null : findClaim(session, record.token);
  const holder = claim?.holder ?? null;
  if (action !== 'ask') leaveToken(session, record, claim, record.verdict, now);
  if (action === 'requeue') {
    const about = { claimId: claim?.claimId ?? null, holder };
    tellRequeued(session, record, { reason: 'person', claim: about, words: reason, notBefore: null }, now);
    const forgiven = { ...record, attemptsForgiven: record.attempt, idleRequeues: 0 };
    return requeueInOrder(session, forgiven, now);
  }
  const message = withReason(decidedMessage(recordName(pool, record), action), reason);
  const data = { version: record.version, action, reason };
  const event = { pool, id: record.id, holder, message, data };
  tellRecord(session, { kind: 'record.review', severity: 'info', ...event }, now);
  switch (action) {
    case 'ask':
      return { ...record, askSince: now, askedAt: null };
    case 'done': {
      const providerRef = request.providerRef ?? record.evidenceRef;
      tellOtherReference(session, record, { providerRef, holder }, now);
      return done(record, { providerRef, token: null, spoken: null }, now);
    }
    case 'fail':
      return failed(record, reason, null, now);
  }
}
