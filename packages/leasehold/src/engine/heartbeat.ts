import { type ClockReading, elapsedMs, heartbeatEveryMs, storeTimeoutMs } from '../domain/timing.ts';
import { isLeaseholdError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';

/** The longest pause after a renewal that failed: an outage is noticed to be over within it. */
const RETRY_MS_MAX = 5_000;

export interface HeartbeatParts {
  /** What is renewed, at the beginning of a sentence: `Lock "job"`. */
  readonly title: string;
  /** What the logger is told beside each message. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly leaseMs: number;
  /** Renews once; true where it got through. Only what it answers is believed; what it throws is logged and tried again. */
  readonly renew: () => Promise<boolean>;
  /** True once the work was told to stop: a renewal that gets through then is no good news to anybody. */
  readonly isLost: () => boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/**
 * Decides when the next renewal is due, and sees each one through. It has no timer of its own: the
 * owner asks at every look at the clock, so that a renewal which fell due in suspend goes out at once.
 *
 * Counted from the moment the last renewal was sent, not from its answer: where calls hang until
 * their time-out, three of them must be missed before the fourth decides, and in a short lease they
 * overlap. At most lease / `heartbeatEveryMs` are under way. A failed one is retried sooner, with
 * jitter, so that many holders don't meet a store that has just come back in the same instant. And while they fail,
 * the next one doesn't wait for the last one's time-out: a call that was sent a moment before the store came back
 * would hide it for the seconds that the lease has left. Two are under way then.
 * Nothing that fails here reaches the caller: the trust window closes by itself.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #everyMs: number;
  /** While renewals fail: after so long without an answer the next one goes out beside it. */
  readonly #besideMs: number;
  #from: ClockReading;
  #pauseMs: number;
  #sent = 0;
  /** The latest renewal that got through: one sent before it that fails after it says nothing of the store any more. */
  #succeeded = 0;
  #failures = 0;

  /** `firstAfterMs` counts from `from`: sooner than usual where the lease is partly used up already. */
  constructor(parts: HeartbeatParts, from: ClockReading, firstAfterMs: number) {
    this.#parts = parts;
    this.#everyMs = heartbeatEveryMs(parts.leaseMs);
    this.#besideMs = storeTimeoutMs(parts.leaseMs) / 2;
    this.#from = from;
    this.#pauseMs = Math.min(this.#everyMs, firstAfterMs);
  }

  /** How long until the next renewal is due, in ms; 0 when it is. */
  dueInMs(now: ClockReading): number {
    return Math.max(0, this.#pauseMs - elapsedMs(this.#from, now));
  }

  /** Renews. Never rejects. */
  async beat(): Promise<void> {
    this.#sent += 1;
    const own = this.#sent;
    this.#from = this.#parts.clock.read();
    this.#pauseMs = this.#failures === 0 ? this.#everyMs : Math.min(this.#everyMs, this.#besideMs);
    try {
      if (!(await this.#parts.renew())) return;
      this.#succeeded = Math.max(this.#succeeded, own);
      this.#noteSuccess();
      if (own === this.#sent) this.#pauseMs = this.#everyMs;
    } catch (error) {
      if (own < this.#succeeded) return;
      this.#noteFailure(error);
      if (own === this.#sent) this.#retrySooner();
    }
  }

  #retrySooner(): void {
    const longestMs = Math.min(RETRY_MS_MAX, this.#everyMs / 4);
    this.#from = this.#parts.clock.read();
    this.#pauseMs = (longestMs * (1 + this.#parts.ids.random())) / 2;
  }

  #noteSuccess(): void {
    const { title, fields, logger, isLost } = this.#parts;
    if (this.#failures > 0 && !isLost())
      logger.info(`${title} is renewed again.`, { ...fields, failures: this.#failures });
    this.#failures = 0;
  }

  /** Loud once per outage; a long one would otherwise fill the log. */
  #noteFailure(error: unknown): void {
    const { title, fields, logger } = this.#parts;
    this.#failures += 1;
    const isOutage = isLeaseholdError(error, 'STORE_UNREACHABLE');
    const level = this.#failures > 1 ? 'debug' : isOutage ? 'warn' : 'error';
    logger[level](`${title} could not be renewed; it is tried again.`, { ...fields, error });
  }
}
