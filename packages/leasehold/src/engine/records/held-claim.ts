import { countOf, extendMessage, returnMessage } from '../../domain/records/messages.ts';
import type { ExtendAnswer, OwnedRecord, RecordKey, ReturnAnswer } from '../../domain/records/record.ts';
import { checkRecordId } from '../../domain/records/record-key.ts';
import type { TrustWindow } from '../../domain/timing.ts';
import { LeaseholdError } from '../../errors.ts';
import { KeptLease, type RenewalNews } from '../kept-lease.ts';
import type { EngineParts } from '../parts.ts';
import { askReturn } from './ask-return.ts';
import type { ClaimHandle } from './claim-api.ts';
import { type ClaimTies, OwnedWork } from './claimed-record.ts';
import type { WorkLines } from './work-lines.ts';

/** How long a begin is tried again at most; it ends sooner where the claim's signal fires. */
const BEGIN_RETRY_MS = 60_000;

/** One claim, as its holder keeps it. */
export interface ClaimLease {
  readonly pool: string;
  readonly claimId: string;
  readonly holder: string;
  readonly token: string;
  readonly leaseMs: number;
  readonly window: TrustWindow;
  readonly renewal: 'heartbeat' | 'touch';
  readonly isExplicit: boolean;
  readonly retryForMs: number;
}

/**
 * The handle of a claim that owns records: one lease over all of them, kept as a lock's is (`KeptLease`), until the last one
 * is settled.
 *
 * Crash: nothing is kept here that the store doesn't know; the lease ends by itself, and its records are settled by whoever
 * claims next.
 */
export class HeldClaim implements ClaimHandle {
  readonly #parts: EngineParts;
  readonly #lines: WorkLines;
  readonly #lease: ClaimLease;
  readonly #kept: KeptLease;
  readonly #ties: ClaimTies;
  readonly #records = new Map<string, OwnedWork>();
  #openCount = 0;
  #lost: ExtendAnswer | null = null;
  readonly #onItsWay = new Set<Promise<unknown>>();

  constructor(parts: EngineParts, lines: WorkLines, lease: ClaimLease) {
    const { pool, claimId } = lease;
    this.#parts = parts;
    this.#lines = lines;
    this.#lease = lease;
    this.#kept = new KeptLease(parts, {
      ...lease,
      title: `Claim of pool "${pool}"`,
      danger: 'its records may go to others after it',
      fields: { pool, claimId },
      withholdRenewal: null,
      beat: async () => (await this.extend()).outcome === 'extended',
    });
    this.#ties = this.#tiesOf(lease);
    this.#kept.signal.addEventListener('abort', () => this.#stopAll(), { once: true });
  }

  /** Starts to watch; see `KeptLease.begin`. */
  async watch(): Promise<void> {
    await this.#kept.begin();
  }

  /** Takes records that the store says this claim owns; those that it has already stay as they are. */
  own(records: readonly OwnedRecord[]): void {
    for (const record of records) {
      const key = `${record.id}\n${record.version}`;
      if (this.#records.has(key)) continue;
      this.#openCount += 1;
      const work = new OwnedWork(record, this.#ties);
      if (this.signal.aborted) work.stop(this.signal.reason as LeaseholdError);
      this.#records.set(key, work);
    }
  }

  get works(): readonly OwnedWork[] {
    return [...this.#records.values()];
  }

  get signal(): AbortSignal {
    return this.#kept.signal;
  }

  trustRemainingMs(): number {
    return this.#kept.remainingMs();
  }

  async extend(): Promise<ExtendAnswer> {
    if (!this.#kept.isOpen) return this.#lost ?? this.#settledAnswer();
    const { pool, token } = this.#lease;
    return await this.#kept.renew(
      () => this.#parts.store.extendClaim({ pool, token, leaseMs: null }, { timeoutMs: this.#kept.timeoutMs }),
      (answer) => this.#newsOf(answer),
    );
  }

  async returnUnworked(ids?: readonly (string | number)[]): Promise<ReturnAnswer> {
    const { pool, token } = this.#lease;
    const named = ids === undefined ? null : [...new Set(ids.map((id) => checkRecordId(id)))];
    const call = { timeoutMs: this.#kept.timeoutMs };
    const asked = await askReturn(this.#parts, { pool, token, ids: named }, call);
    const answer = asked.isAskedAgain ? this.#withLostAnswer(asked.answer, named) : asked.answer;
    for (const { id, version } of answer.returned) this.#records.get(`${id}\n${version}`)?.settle();
    return answer;
  }

  /** What the first ask gave back, the second one could name no more: it is no longer kept. */
  #withLostAnswer(answer: ReturnAnswer, named: readonly string[] | null): ReturnAnswer {
    if (answer.outcome !== 'returned') return answer;
    const has = new Set([...answer.returned, ...answer.kept].map(keyOf));
    const isMeant = ({ id, isBegun }: OwnedWork): boolean =>
      this.#lease.isExplicit ? !isBegun && named?.includes(id) !== false : named?.includes(id) === true;
    const gone = this.works.filter((work) => work.isOpen && isMeant(work) && !has.has(keyOf(work)));
    const returned = [...answer.returned, ...gone.map(({ id, version }) => ({ id, version }))];
    const { pool, claimId } = this.#lease;
    return { ...answer, returned, message: returnMessage(pool, claimId, returned.length, answer.kept.length) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pool, claimId } = this.#lease;
    while (this.#onItsWay.size > 0) await Promise.allSettled(this.#onItsWay);
    this.#kept.end();
    await this.#kept.settleRenewals();
    if (this.works.some((record) => record.isOpen)) await this.#returnQuietly();
    const unsaid = this.works.filter((record) => record.isOpen).length;
    if (unsaid === 0) return;
    const message = `Claim of pool "${pool}" was left with ${countOf(unsaid)} without a verdict, to be settled once its lease is over.`;
    this.#parts.logger.warn(message, { pool, claimId, records: unsaid });
  }

  /** A courtesy to others, who else would wait for the end of the lease: no error of anybody's. */
  async #returnQuietly(): Promise<void> {
    const { pool, claimId } = this.#lease;
    try {
      this.#forgetOthers((await this.returnUnworked()).kept);
    } catch (error) {
      const message = `Claim of pool "${pool}" was not given back; its lease ends by itself.`;
      this.#parts.logger.warn(message, { pool, claimId, error });
    }
  }

  /** What it neither gave back nor kept is no longer this claim's: it has its verdict, or went back, by token. */
  #forgetOthers(kept: readonly RecordKey[]): void {
    const keys = new Set(kept.map(keyOf));
    for (const [key, record] of this.#records) if (!keys.has(key)) record.settle();
  }

  /** Its last verdict is on its way, or was given by token elsewhere: then the claim has not lost anything. */
  #newsOf(answer: ExtendAnswer): RenewalNews {
    if (answer.outcome === 'extended') return { remainingMs: answer.remainingMs ?? 0 };
    if (answer.reason === 'settled') {
      this.#kept.end();
      // Whoever still works one of them should not go on: it has its verdict, or may be another's.
      const left = this.works.filter((record) => !record.isSpokenFor);
      for (const record of left) record.stop(new LeaseholdError('LEASE_LOST', answer.message));
      return { remainingMs: 0 };
    }
    if (this.#kept.isOpen) this.#lost = answer;
    return { reason: answer.reason ?? 'unknown_token', message: answer.message };
  }

  #stopAll(): void {
    for (const record of this.#records.values()) record.stop(this.signal.reason as LeaseholdError);
  }

  #tiesOf({ pool, token, retryForMs, renewal }: ClaimLease): ClaimTies {
    const { timeoutMs } = this.#kept;
    return {
      pool,
      token,
      follow: (work) => this.#follow(work),
      begin: (item, refusal) => this.#lines.begin(pool, item, { timeoutMs, retryForMs: BEGIN_RETRY_MS, refusal }),
      renew: async () => renewal === 'heartbeat' && (await this.extend()).outcome === 'extended',
      verdict: (item) => this.#lines.verdict(pool, item, { timeoutMs, retryForMs }),
      look: () => void this.#kept.signal,
      noteSettled: () => this.#noteSettled(),
    };
  }

  #follow<A>(work: () => Promise<A>): Promise<A> {
    const whole = work();
    const forget = (): void => void this.#onItsWay.delete(whole);
    this.#onItsWay.add(whole);
    whole.then(forget, forget);
    return whole;
  }

  #noteSettled(): void {
    this.#openCount -= 1;
    if (this.#openCount === 0) this.#kept.end();
  }

  #settledAnswer(): ExtendAnswer {
    const { pool, claimId } = this.#lease;
    const message = extendMessage({ pool, claimId, leaseUntil: null }, 'settled', 0);
    return { outcome: 'lost', pool, claimId, leaseUntil: null, remainingMs: null, reason: 'settled', message };
  }
}

function keyOf({ id, version }: RecordKey): string {
  return `${id}\n${version}`;
}
