import {
  type ClockReading,
  heartbeatEveryMs,
  storeTimeoutMs,
  type TrustWindow,
  trustWindow,
} from '../domain/timing.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';
import { Heartbeat } from './heartbeat.ts';
import { type LeaseLoss, Trust } from './trust.ts';

/** How long the end waits for a renewal that is under way; more only a store that is away needs. */
const SETTLE_MS_MAX = 1_000;

/** What a lease is of, in the words of its messages. */
export interface LeaseWords {
  /** With its name, at the beginning of a sentence: `Lock "job"`. */
  readonly title: string;
  /** What may happen once it has ended: `another run may start after it`. */
  readonly danger: string;
  /** What the logger is told beside each message. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LeaseTerms extends LeaseWords {
  readonly leaseMs: number;
  readonly window: TrustWindow;
  readonly renewal: 'heartbeat' | 'touch';
  /** Why the heartbeat is not to renew now; null where it is. */
  readonly withholdRenewal: (() => string | null) | null;
  /** One renewal of the heartbeat, by way of `renew` below. True where it got through. */
  readonly beat: () => Promise<boolean>;
}

export interface LeaseParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What a renewal came to: how long the lease lasts from now on, or that it is lost. */
export type RenewalNews = { readonly remainingMs: number } | LeaseLoss;

/**
 * A lease as its holder keeps it, be it of a lock or of a claim: trust, heartbeat, and the timer of both.
 *
 * It looks at the clock at least every second (`look`), and at each look fires the signal if trust
 * is running out and sends a renewal if one is due. Its timers don't keep the process alive: a handle
 * that was forgotten must not keep a finished script running, and work that is still pending keeps
 * itself alive.
 * Crash: nothing is kept here that the store doesn't know; the lease ends by itself.
 */
export class KeptLease {
  /** Of one call to the store. */
  readonly timeoutMs: number;
  readonly #parts: LeaseParts;
  readonly #terms: LeaseTerms;
  readonly #trust: Trust;
  readonly #heartbeat: Heartbeat | null;
  #timer: Timer | null = null;
  #isWatching = false;
  /** Renewals may overlap: only an answer to a later question than the one believed so far counts. */
  #asked = 0;
  #believed = 0;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: LeaseParts, terms: LeaseTerms) {
    const { leaseMs, window } = terms;
    this.#parts = parts;
    this.#terms = terms;
    this.timeoutMs = storeTimeoutMs(leaseMs);
    this.#trust = new Trust(terms, leaseMs, window);
    this.#heartbeat = terms.renewal === 'touch' ? null : this.#newHeartbeat();
  }

  /**
   * Starts to watch. A lease that was asked for again long after it began may have too little left to
   * work in; with a heartbeat it is renewed before it is handed out.
   */
  async begin(): Promise<void> {
    const isShort = this.remainingMs() <= this.#trust.marginMs;
    if (isShort && this.#heartbeat !== null) await this.#heartbeat.beat();
    this.#isWatching = true;
    this.#look();
  }

  /** Looks at the clock first: timers are late where the process was busy or stopped, and whoever asks is about to act. */
  get signal(): AbortSignal {
    const mayFire = this.#isWatching && this.#trust.isOpen && !this.#trust.signal.aborted;
    if (mayFire && this.remainingMs() <= this.#trust.marginMs) this.#look();
    return this.#trust.signal;
  }

  /** True until the lease is lost or given back. */
  get isOpen(): boolean {
    return this.#trust.isOpen;
  }

  get lossWords(): string | null {
    return this.#trust.lossWords;
  }

  remainingMs(): number {
    return this.#trust.remainingMs(this.#parts.clock.read());
  }

  /** Sends a renewal and believes its answer, unless one to a later question was believed before. */
  async renew<A>(send: () => Promise<A>, newsOf: (answer: A) => RenewalNews): Promise<A> {
    this.#asked += 1;
    const turn = this.#asked;
    const anchor = this.#parts.clock.read();
    const call = send();
    this.#underWay.add(call);
    const answer = await call.finally(() => this.#underWay.delete(call));
    const news = newsOf(answer);
    if ('reason' in news) this.#lose(news);
    else if (turn > this.#believed) {
      this.#believed = turn;
      this.#trust.renew(trustWindow(anchor, this.#terms.leaseMs, news.remainingMs));
    }
    this.#look();
    return answer;
  }

  /** The lease is being given back: nothing is watched or renewed any more. Repeatable. */
  end(): void {
    this.#trust.end();
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** A renewal that arrived after the lease was given back would be refused, and recorded as a lease that was lost. */
  async settleRenewals(): Promise<void> {
    if (this.#underWay.size === 0) return;
    const settled = new AbortController();
    const { clock } = this.#parts;
    const patience = clock.sleep(Math.min(this.timeoutMs, SETTLE_MS_MAX), settled.signal).catch(() => {});
    await Promise.race([Promise.allSettled(this.#underWay), patience]);
    settled.abort();
  }

  #newHeartbeat(): Heartbeat {
    const { leaseMs, window, title, fields, beat } = this.#terms;
    const usedMs = leaseMs - window.lengthMs;
    const isLost = (): boolean => this.#trust.signal.aborted;
    const parts = { ...this.#parts, title, fields, leaseMs, renew: beat, isLost };
    return new Heartbeat(parts, window.anchor, heartbeatEveryMs(leaseMs) - usedMs);
  }

  /** An answer that comes after the lease was given back says only what that did. */
  #lose(loss: LeaseLoss): void {
    if (!this.#trust.isOpen) return;
    this.#parts.logger.error(loss.message, { ...this.#terms.fields, reason: loss.reason });
    this.#trust.lose(loss);
  }

  /** True where nothing is to be renewed now; the reason stands in the warning that follows. */
  #isWithheld(): boolean {
    const { title, fields, withholdRenewal } = this.#terms;
    let reason: string | null = null;
    try {
      reason = withholdRenewal?.() ?? null;
    } catch (error) {
      this.#parts.logger.error(`${title}: withholdRenewal failed; the lease is renewed.`, { ...fields, error });
    }
    this.#trust.withhold(reason);
    return this.#trust.isWithheld;
  }

  #noteWarning(): void {
    const reason: unknown = this.#trust.signal.reason;
    this.#parts.logger.error(reason instanceof Error ? reason.message : String(reason), this.#terms.fields);
  }

  #look(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const now: ClockReading = this.#parts.clock.read();
    const wasWarned = this.#trust.signal.aborted;
    let nextMs = this.#trust.look(now);
    if (!wasWarned && this.#trust.signal.aborted) this.#noteWarning();
    if (nextMs === null) return;
    if (this.#heartbeat !== null) {
      if (this.#heartbeat.dueInMs(now) === 0 && !this.#isWithheld())
        void this.#heartbeat.beat().then(() => this.#look());
      // A renewal that is withheld stays due: it is looked at again as often as the clock is.
      const dueMs = this.#heartbeat.dueInMs(now);
      if (dueMs > 0) nextMs = Math.min(nextMs, dueMs);
    }
    this.#timer = this.#parts.clock.schedule(Math.max(1, Math.ceil(nextMs)), () => this.#look());
  }
}
