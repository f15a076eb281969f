import { formatDuration } from '../domain/duration.ts';
import { type ClockReading, safetyMarginMs, type TrustWindow, trustRemainingMs } from '../domain/timing.ts';
import { oneLine } from '../domain/one-line.ts';
import { LeaseholdError } from '../errors.ts';

/** Of a caller's reason not to renew; at three bytes each it leaves room for our own words in the 1,024 that a store takes. */
const WITHHELD_CHARACTERS_MAX = 300;

/** What a trust is of, and what may happen once it has ended: `LeaseWords` has examples. */
export interface TrustWords {
  readonly title: string;
  readonly danger: string;
}

/** Why the store says that a lease is lost: a word, and a sentence. */
export interface LeaseLoss {
  readonly reason: string;
  readonly message: string;
}

/**
 * What a holder may believe of its lease, and the signal that tells the work when to stop.
 *
 *   trusted --(margin before the window closes | store says lost)--> warned --(window closes)--> closed
 *      |                                                                |
 *      +------------------------------(release begins)-----------------+--> ended: never fires any more
 *
 * Clock: readings of this host, compared by `elapsedMs` (the largest of three clocks). The window is
 * anchored before the request was sent, so that a slow answer shortens it and nothing lengthens it.
 * Whoever owns this looks at the clock again and again (`look`): a timer alone stops in suspend.
 * A warning is final: a renewal that gets through afterwards keeps rivals out while the work stops,
 * but the signal stays fired.
 */
export class Trust {
  readonly marginMs: number;
  /** Longest time between two looks: timers fire late after suspend, so the margin must hold several. */
  readonly lookEveryMs: number;
  readonly #words: TrustWords;
  readonly #abort = new AbortController();
  #window: TrustWindow;
  #state: 'open' | 'lost' | 'ended' = 'open';
  #withheld: string | null = null;
  #lossWords: string | null = null;

  constructor(words: TrustWords, leaseMs: number, window: TrustWindow) {
    this.#words = words;
    this.#window = window;
    this.marginMs = safetyMarginMs(leaseMs);
    this.lookEveryMs = Math.min(1_000, Math.floor(this.marginMs / 4));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why the signal has fired, as the store is told with the release; null where it hasn't. */
  get lossWords(): string | null {
    return this.#lossWords;
  }

  /** True until the lease is lost or given back. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** What is left, in ms; 0 once the window has closed, or the lease is lost or given back. */
  remainingMs(now: ClockReading): number {
    return this.isOpen ? Math.max(0, trustRemainingMs(this.#window, now)) : 0;
  }

  /** A renewal got through: trust lasts as long as its answer says, counted from before it was sent. */
  renew(window: TrustWindow): void {
    if (this.isOpen) this.#window = window;
  }

  /** Says why nothing is renewed just now, or null where renewals go out. Once it has cost the lease it stays. */
  withhold(reason: string | null): void {
    if (!this.signal.aborted) this.#withheld = reason;
  }

  get isWithheld(): boolean {
    return this.#withheld !== null;
  }

  /** The store says that the lease is lost: there is no later. */
  lose({ reason, message }: LeaseLoss): void {
    if (!this.isOpen) return;
    this.#state = 'lost';
    this.#fire(message, `a renewal of it was refused (${reason})`);
  }

  /** The lease is being given back: from here on there is nothing to warn of. */
  end(): void {
    if (this.isOpen) this.#state = 'ended';
  }

  /** Fires the signal if it is time. Returns how long the next look may wait, in ms; null when none is needed. */
  look(now: ClockReading): number | null {
    const remainingMs = this.remainingMs(now);
    if (this.isOpen && remainingMs <= this.marginMs) {
      this.#fire(notRenewedMessage(this.#words, this.#withheld, remainingMs), notRenewedWords(this.#withheld));
    }
    // Asked again: a listener of the signal may have begun the release.
    if (!this.isOpen || remainingMs <= 0) return null;
    const untilNextMs = this.signal.aborted ? remainingMs : remainingMs - this.marginMs;
    return Math.min(this.lookEveryMs, untilNextMs);
  }

  /** The words come first: a listener may release at once. */
  #fire(message: string, words: string): void {
    if (this.signal.aborted) return;
    this.#lossWords = words;
    this.#abort.abort(new LeaseholdError('LEASE_LOST', message));
  }
}

function notRenewedMessage({ title, danger }: TrustWords, withheld: string | null, remainingMs: number): string {
  const end = remainingMs > 0 ? `may end in ${formatDuration(remainingMs)}` : 'may have ended';
  const why = withheld === null ? 'was not renewed in time' : `is no longer renewed (${withheld})`;
  return `${title} ${why}: its lease ${end}; stop, ${danger}.`;
}

function notRenewedWords(withheld: string | null): string {
  if (withheld === null) return 'its lease was not renewed in time';
  return `its lease was no longer renewed (${oneLine(withheld, WITHHELD_CHARACTERS_MAX)})`;
}
