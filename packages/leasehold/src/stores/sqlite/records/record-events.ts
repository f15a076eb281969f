import type { EventKind, Severity } from '../../../domain/answers.ts';
import { recordName } from '../../../domain/records/messages.ts';
import {
  type RequeueReason,
  requeuedMessage,
  type ReviewReason,
  reviewMessage,
  reviewWords,
} from '../../../domain/records/reasons.ts';
import type { StoredRecord } from '../../../domain/records/stored-record.ts';
import { appendEvent } from '../events.ts';
import type { Session } from '../session.ts';

/** Events of records. Each is written in the transaction of what it tells of. */

/** The claim that an event is about, as far as it is known. */
export interface AboutClaim {
  readonly claimId: string | null;
  readonly holder: string | null;
}

export interface RecordEvent {
  readonly kind: EventKind;
  readonly severity: Severity;
  readonly pool: string;
  readonly id: string;
  readonly holder: string | null;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export function tellRecord(session: Session, event: RecordEvent, now: number): void {
  const { kind, severity, pool, id, holder, message, data } = event;
  appendEvent(session, { at: now, kind, severity, lock: null, pool, recordId: id, runId: null, holder, message, data });
}

/**
 * `record` as it was before: the attempt, and whether it had begun, are those of the claim that lost it. Where a person
 * decides, its error is told as well, since the record forgets it.
 */
export function tellRequeued(
  session: Session,
  record: StoredRecord,
  how: {
    readonly reason: RequeueReason;
    readonly claim: AboutClaim;
    readonly words: string | null;
    readonly notBefore: number | null;
  },
  now: number,
): void {
  const { pool, id, version, attempt, isBegun } = record;
  const { reason, claim, words, notBefore } = how;
  const { claimId, holder } = claim;
  const wasBegun = isBegun || record.unknownAt !== null;
  const was = reason === 'person' ? { error: record.error } : {};
  const told = { version, reason, attempt, claimId, wasBegun, notBefore: toIso(notBefore), ...was };
  const message = requeuedMessage(recordName(pool, record), reason, { attempt, holder, words, wasBegun, notBefore });
  tellRecord(session, { kind: 'record.requeued', severity: 'info', pool, id, holder, message, data: told }, now);
}

/** Tells that a record needs a person; answers the words that say why, to be kept as its error. */
export function tellReview(
  session: Session,
  record: StoredRecord,
  why: {
    readonly reason: ReviewReason;
    readonly claim: AboutClaim;
    readonly words: string | null;
    readonly times: number;
  },
  now: number,
): string {
  const { pool, id, version, attempt } = record;
  const { reason, claim, words, times } = why;
  const said = reviewWords(reason, { attempt, holder: claim.holder, words, times });
  const message = reviewMessage(recordName(pool, record), pool, said);
  const data = { version, reason, attempt, claimId: claim.claimId };
  const event = { pool, id, holder: claim.holder, message, data };
  tellRecord(session, { kind: 'record.review', severity: 'warning', ...event }, now);
  return said;
}

export function toIso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
