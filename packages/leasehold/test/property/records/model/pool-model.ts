import {
  type Key,
  type ModelClaim,
  type ModelRecord,
  type ModelSettings,
  newRecord,
  Told,
  type Word,
} from './model-rows.ts';

const DAY = 24 * 3_600_000;
const ALONE_AFTER = 2;

/** A pool as the contract has it: its records in the order of arrival, its claims, and what becomes of those that expire. */
export class PoolModel {
  now = 0;
  paused = false;
  readonly settings: ModelSettings = {
    redo: 'ask',
    redoWindowMs: null,
    attempts: 5,
    callTimeoutMs: 0,
    hasVerifier: false,
  };
  readonly records: ModelRecord[] = [];
  readonly claims: ModelClaim[] = [];
  told = new Told();

  find({ id, version }: Key): ModelRecord | undefined {
    return this.records.find((record) => record.id === id && record.version === version);
  }

  ofId(id: string): ModelRecord[] {
    return this.records.filter((record) => record.id === id);
  }

  isLive(claim: ModelClaim): boolean {
    return claim.until > this.now;
  }

  /** A record that arrives. A newer version cancels an older one that nobody has begun, and waits for any other. */
  arrive(key: Key, notBefore: number | null): { record: ModelRecord; superseded: number } {
    const record = newRecord(key, notBefore);
    let superseded = 0;
    for (const older of this.ofId(key.id)) {
      if (older.state === 'queued' && older.attempt === 0) {
        older.state = 'cancelled';
        older.hasError = true;
        superseded += 1;
      } else if (older.state === 'queued' || older.state === 'claimed' || older.state === 'review') {
        record.waits = true;
        older.hasNewer = true;
      }
    }
    this.records.push(record);
    return { record, superseded };
  }

  enqueue(keys: readonly Key[], notBefore: number | null): object {
    let added = 0;
    let superseded = 0;
    for (const key of keys) {
      if (this.find(key) !== undefined) continue;
      added += 1;
      superseded += this.arrive(key, notBefore).superseded;
    }
    return { added, known: keys.length - added, superseded };
  }

  /** It has an end: the next version that waited for it may be worked. */
  end(record: ModelRecord, state: 'done' | 'failed' | 'cancelled', hasError = state !== 'done'): void {
    record.state = state;
    record.hasError = hasError;
    record.evidenceAt = null;
    if (state === 'done') record.evidenceRef = null;
    record.unknownAt = null;
    this.#letNextIn(record.id);
  }

  /** One that a person sent back takes its place among the versions of its id: what is under way, or came before it, comes first. */
  putInOrder(record: ModelRecord): void {
    const versions = this.ofId(record.id);
    const others = versions.filter((other) => other !== record && isUnsettled(other));
    const comesFirst = (other: ModelRecord): boolean =>
      other.state !== 'queued' || versions.indexOf(other) < versions.indexOf(record);
    record.waits = others.some(comesFirst);
    if (others.length > 0 && !record.waits) record.hasNewer = true;
    for (const other of others) {
      if (record.waits) other.hasNewer = true;
      else other.waits = true;
    }
    if (record.waits) this.#letNextIn(record.id);
  }

  #letNextIn(id: string): void {
    const waiting = this.ofId(id).filter((other) => other.state === 'queued' && other.waits);
    const isHeld = this.ofId(id).some((other) => !waiting.includes(other) && isOpen(other));
    if (!isHeld && waiting[0] !== undefined) waiting[0].waits = false;
  }

  finish(record: ModelRecord, ref: string | null): void {
    record.ref = ref;
    record.askSince = null;
    this.end(record, 'done');
  }

  /** Its present owner is none any more; what that one said is remembered. */
  leave(record: ModelRecord): void {
    if (record.claim !== null) {
      record.formers.set(record.claim, record.said);
      if (record.said !== null) record.toldDone.delete(record.claim);
    }
    record.claim = null;
    record.said = null;
    record.isBegun = false;
  }

  requeue(record: ModelRecord, reason: string, due: { notBefore?: number; sendBefore?: number | null } = {}): void {
    this.leave(record);
    record.state = 'queued';
    record.unknownAt = null;
    record.askedAt = null;
    record.askSince = null;
    record.evidenceAt = null;
    record.notBefore = due.notBefore ?? null;
    if (due.sendBefore !== undefined) record.sendBefore = due.sendBefore;
    this.told.requeued(record, reason);
  }

  /** Nobody knows its outcome: it is to be asked for, from now on. */
  flag(record: ModelRecord): void {
    if (record.unknownAt !== null) return;
    record.unknownAt = this.now;
    record.askedAt = null;
    record.askSince = null;
  }

  toReview(record: ModelRecord, reason: string): void {
    record.state = 'review';
    record.hasError = true;
    record.askedAt = null;
    record.askSince = null;
    this.told.review(record, reason);
  }

  isSpent(record: ModelRecord): boolean {
    return record.attempt - record.forgiven >= this.settings.attempts;
  }

  /** What of expired claims, and of flagged records, can be said without the provider. */
  settle(): { requeued: number; review: number; cancelled: number } {
    const counts = { requeued: 0, review: 0, cancelled: 0 };
    for (const record of this.records) {
      const { claim } = record;
      if (record.state !== 'claimed' || claim === null) continue;
      if (this.isLive(claim) && record.unknownAt === null) continue;
      if (record.isBegun || record.unknownAt !== null) this.#settleBegun(record, claim, counts);
      else this.#settleIdle(record, counts);
    }
    return counts;
  }

  /** Nothing was ever done for it, and one that arrived later waits: a person may have made an older one wait as well. */
  isSuperseded(record: ModelRecord): boolean {
    const versions = this.ofId(record.id);
    const later = versions.slice(versions.indexOf(record) + 1);
    return record.hasNewer && record.attempt === 0 && later.some(isUnsettled);
  }

  /** True where so many claims came to nothing before its work began that a person must look. */
  isIdleSpent({ idle }: ModelRecord): boolean {
    return idle > ALONE_AFTER + this.settings.attempts;
  }

  #settleIdle(record: ModelRecord, counts: { requeued: number; review: number; cancelled: number }): void {
    if (this.isSuperseded(record)) {
      counts.cancelled += 1;
      this.leave(record);
      this.end(record, 'cancelled');
      return;
    }
    record.idle += 1;
    if (this.isIdleSpent(record)) {
      counts.review += 1;
      this.toReview(record, 'idle');
      return;
    }
    counts.requeued += 1;
    this.requeue(record, 'expired');
  }

  #settleBegun(record: ModelRecord, claim: ModelClaim, counts: { requeued: number; review: number }): void {
    const redoUntil = this.redoUntil(record);
    if (redoUntil !== 'never') {
      if (this.isSpent(record)) {
        counts.review += 1;
        this.toReview(record, 'attempts');
        return;
      }
      counts.requeued += 1;
      this.requeue(record, 'expired', { sendBefore: redoUntil });
      return;
    }
    if (this.settings.hasVerifier && this.now - (record.unknownAt ?? claim.until) < DAY) return;
    counts.review += 1;
    this.toReview(record, this.settings.hasVerifier ? 'unanswered' : 'expired');
  }

  /** Until when a repeat is harmless; null for ever. */
  redoUntil(record: ModelRecord): number | null | 'never' {
    const { redo, redoWindowMs, callTimeoutMs } = this.settings;
    if (redo === 'ask') return 'never';
    if (redoWindowMs === null) return null;
    const until = (record.firstBegunAt ?? record.claimedAt ?? 0) + redoWindowMs - callTimeoutMs;
    return this.now < until ? until : 'never';
  }

  /** Records that wait for their provider's answer. */
  toAsk(): ModelRecord[] {
    return this.records.filter(
      ({ state, claim, isBegun, unknownAt, askSince }) =>
        (state === 'claimed' && claim !== null && (unknownAt !== null || (isBegun && !this.isLive(claim)))) ||
        (state === 'review' && askSince !== null),
    );
  }

  /** True where it might be sent by this claim when its provider no longer knows it, though it does now. */
  outlasts(claim: ModelClaim, { sendBefore }: ModelRecord): boolean {
    return sendBefore !== null && sendBefore >= this.now && sendBefore < this.lastSend(claim);
  }

  /** The latest instant at which a claim may send what it is given now. */
  lastSend({ isExplicit, until }: ModelClaim): number {
    return isExplicit ? this.now : Math.max(this.now, until - this.settings.callTimeoutMs);
  }

  /** Why a record can't be had, `take` where it can, `ask_first` where its provider has to be asked. */
  offer(record: ModelRecord, claim: ModelClaim, owned: number, isAlone: boolean): string {
    if (record.state !== 'queued') return record.state;
    const isWorked = this.ofId(record.id).some((other) => other !== record && other.state === 'claimed');
    if (record.waits || isWorked) return 'earlier_version';
    if (record.notBefore !== null && record.notBefore > this.now) return 'not_before';
    if (record.sendBefore !== null && record.sendBefore < this.lastSend(claim)) return 'ask_first';
    if (owned > 0 && (isAlone || this.goesAlone(record))) return 'alone';
    return 'take';
  }

  goesAlone(record: ModelRecord): boolean {
    return record.idle >= ALONE_AFTER;
  }

  say(record: ModelRecord, claim: ModelClaim, word: Word): void {
    if (record.claim === claim) record.said = word;
    else record.formers.set(claim, word);
  }
}

function isUnsettled({ state }: ModelRecord): boolean {
  return state === 'claimed' || state === 'review' || state === 'queued';
}

function isOpen({ state, waits }: ModelRecord): boolean {
  return state === 'claimed' || state === 'review' || (state === 'queued' && !waits);
}
