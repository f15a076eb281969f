import { beginNow } from './claim-model.ts';
import { differ, type ModelClaim, type ModelRecord, nameOf, type Word } from './model-rows.ts';
import type { PoolModel } from './pool-model.ts';

const BACKOFF_MS_MIN = 30_000;
const BACKOFF_MS_MAX = 3_600_000;

export interface Answered {
  readonly outcome: string;
  readonly reason: string | null;
  readonly state?: string | null;
  readonly version?: string;
  readonly attempt?: number;
  readonly notBefore?: number | null;
}

/** The record that a token of `claim` speaks of: one that it has, else one that it had. */
function spokenOf(pool: PoolModel, claim: ModelClaim | null, id: string): ModelRecord | undefined {
  const versions = pool.ofId(id);
  if (claim === null) return undefined;
  return versions.find((record) => record.claim === claim) ?? versions.find((record) => record.formers.has(claim));
}

export function begin(pool: PoolModel, claim: ModelClaim | null, id: string): Answered {
  const record = spokenOf(pool, claim, id);
  const refuseBegin = (reason: string): Answered => {
    pool.told.expected.push(`verdict.refused ${id} begin ${reason}`);
    return { outcome: 'refused', reason };
  };
  if (pool.ofId(id).length === 0) return refuseBegin('unknown_record');
  if (record === undefined || claim === null || record.claim !== claim) return refuseBegin('not_owner');
  if (record.state !== 'claimed' || record.unknownAt !== null) return refuseBegin('not_claimed');
  const remaining = claim.until - pool.now;
  if (remaining <= 0 || remaining < pool.settings.callTimeoutMs) return refuseBegin('lease_over');
  if (record.sendBefore !== null && record.sendBefore < pool.now) {
    pool.flag(record);
    return refuseBegin('send_before');
  }
  if (!record.isBegun) beginNow(record, pool.now);
  return { outcome: 'accepted', reason: null, version: record.version, attempt: record.attempt };
}

/** One verdict, by whom it is, and for what it counts. */
export function verdict(
  pool: PoolModel,
  claim: ModelClaim | null,
  id: string,
  { word, ref, error }: { readonly word: Word; readonly ref: string | null; readonly error: string | null },
): Answered {
  const record = spokenOf(pool, claim, id);
  const speech = { pool, id, word, ref, error };
  if (pool.ofId(id).length === 0) return refuse(speech, 'unknown_record');
  if (record === undefined || claim === null) return refuse(speech, 'not_owner');
  if (record.claim !== claim) return ofFormer(speech, record, claim);
  if (record.state === 'claimed') return ofOwner(speech, record, claim);
  if (record.state === 'review' && record.evidenceAt !== null) return ofOwnerWithEvidence(speech, record);
  return ofOwnerAfterwards(speech, record, claim);
}

interface Speech {
  readonly pool: PoolModel;
  readonly id: string;
  readonly word: Word;
  readonly ref: string | null;
  readonly error: string | null;
}

function refuse({ pool, id, word }: Speech, reason: string): Answered {
  pool.told.expected.push(`verdict.refused ${id} ${word} ${reason}`);
  return { outcome: 'refused', reason };
}

/** Told only where it says something else than the last time. */
function refuseSettled(speech: Speech, record: ModelRecord, claim: ModelClaim): Answered {
  const said = `${speech.word} ${speech.error}`;
  if (record.toldRefused.get(claim) === said) return { outcome: 'refused', reason: 'settled' };
  record.toldRefused.set(claim, said);
  return refuse(speech, 'settled');
}

const answer = (outcome: 'accepted' | 'evidence', { state, version }: ModelRecord): Answered => ({
  outcome,
  reason: null,
  state,
  version,
});

function ofOwner(speech: Speech, record: ModelRecord, claim: ModelClaim): Answered {
  const { pool, word, ref, error } = speech;
  // A person has decided against what another one's done named: it is known all the same.
  if (word === 'done' && record.evidenceRef !== null) return ofOwnerWithEvidence(speech, record);
  // Flagged already, by this word or by the store: nothing is new.
  if (word === 'unknown' && record.unknownAt !== null) return answer('accepted', record);
  pool.say(record, claim, word);
  switch (word) {
    case 'done':
      pool.finish(record, ref);
      break;
    case 'failed_permanent':
      pool.end(record, 'failed', error !== null);
      break;
    case 'unknown':
      pool.flag(record);
      record.hasError = error !== null;
      break;
    case 'review':
      pool.toReview(record, 'said');
      break;
    case 'failed':
      failed(pool, record, error !== null);
      break;
  }
  return answer('accepted', record);
}

/** Where its work was never begun no attempt counts the failures: a claim came to nothing. */
function failed(pool: PoolModel, record: ModelRecord, hasError: boolean): void {
  if (pool.isSpent(record)) {
    pool.toReview(record, 'attempts');
    return;
  }
  if (!record.isBegun) record.idle += 1;
  if (!record.isBegun && pool.isIdleSpent(record)) pool.toReview(record, 'idle');
  else {
    pool.requeue(record, 'failed', { notBefore: pool.now + waitMs(record) });
    record.hasError = hasError;
  }
}

function waitMs({ attempt, forgiven, idle, isBegun }: ModelRecord): number {
  let wait = BACKOFF_MS_MIN;
  for (let nth = 1; nth < attempt - forgiven + (isBegun ? 0 : idle); nth += 1)
    wait = Math.min(BACKOFF_MS_MAX, wait * 2);
  return wait;
}

/** Another has said done meanwhile: it is, whatever its owner says now, and the first reference stays. */
function ofOwnerWithEvidence({ pool, word, ref }: Speech, record: ModelRecord): Answered {
  const kept = record.evidenceRef;
  if (word === 'done' && differ(ref, kept)) doubled(pool, record, record.claim, ref);
  record.said = word;
  pool.finish(record, kept ?? (word === 'done' ? ref : null));
  return answer('accepted', record);
}

function ofOwnerAfterwards(speech: Speech, record: ModelRecord, claim: ModelClaim): Answered {
  const { pool, word, ref } = speech;
  if (word !== 'done') {
    if (record.said === null) return refuseSettled(speech, record, claim);
    return record.said === word ? answer('accepted', record) : refuse(speech, 'other_verdict');
  }
  if (record.state === 'done') {
    if (differ(ref, record.ref)) return doubled(pool, record, record.claim, ref);
    record.ref ??= ref;
    return answer('accepted', record);
  }
  record.said = 'done';
  return evidenced(speech, record, record.claim, 'owner');
}

function ofFormer(speech: Speech, record: ModelRecord, claim: ModelClaim): Answered {
  const { pool, word, ref } = speech;
  if (word !== 'done') {
    return record.formers.get(claim) === word ? answer('accepted', record) : refuse(speech, 'not_owner');
  }
  pool.say(record, claim, 'done');
  if (record.state === 'done') {
    if (differ(ref, record.ref)) return doubled(pool, record, claim, ref);
    record.ref ??= ref;
    if (isNews(record, claim, ref)) pool.told.expected.push(`verdict.evidence ${nameOf(record)}`);
    return answer('evidence', record);
  }
  const isHeld = record.state === 'review' && record.evidenceAt !== null;
  const isAtWork = isHeld || (record.state === 'claimed' && record.said !== 'unknown');
  if (!record.isBegun || !isAtWork) return evidenced(speech, record, claim, 'former');
  const isNew = isNews(record, claim, ref) || !isHeld;
  if (isNew) tellDone(speech, record);
  record.evidenceRef ??= ref;
  record.evidenceAt ??= pool.now;
  if (!isHeld) pool.toReview(record, 'evidence');
  return answer('evidence', record);
}

/** As evidence, or as a second effect where an earlier one's reference is known. */
function tellDone({ pool, ref }: Speech, record: ModelRecord): void {
  const kind = differ(ref, record.evidenceRef) ? 'effect.doubled' : 'verdict.evidence';
  pool.told.expected.push(`${kind} ${nameOf(record)}`);
}

/** By a former owner’s word the present one loses it. */
function evidenced(
  speech: Speech,
  record: ModelRecord,
  claim: ModelClaim | null,
  speaker: 'owner' | 'former',
): Answered {
  const { pool, ref } = speech;
  // Beside its own verdict an owner's second effect is kept.
  if (speaker === 'former' || differ(ref, record.evidenceRef)) isNews(record, claim, ref);
  tellDone(speech, record);
  if (speaker === 'former') pool.leave(record);
  pool.finish(record, record.evidenceRef ?? ref);
  return answer('evidence', record);
}

function doubled(pool: PoolModel, record: ModelRecord, claim: ModelClaim | null, ref: string | null): Answered {
  if (isNews(record, claim, ref)) pool.told.expected.push(`effect.doubled ${nameOf(record)}`);
  return answer('evidence', record);
}

/** Keeps what a claim's done named; true where it has not said that before. */
function isNews(record: ModelRecord, claim: ModelClaim | null, ref: string | null): boolean {
  if (claim === null) return true;
  const known = record.toldDone.get(claim);
  if (known !== undefined && (ref === null || ref === known)) return false;
  record.toldDone.set(claim, ref ?? known ?? null);
  return true;
}
