import { formatDuration } from '../../domain/duration.ts';
import { type ClockReading, elapsedMs } from '../../domain/timing.ts';
import type { Clock } from '../../ports/clock.ts';

/** How often the store is asked for progress, at most and at least. */
const POLL_MS_MAX = 10_000;
const POLL_MS_MIN = 250;

export interface HoldingLimits {
  /** Renew no longer than this after the start; null for as long as it takes. */
  readonly maxHoldMs: number | null;
  /** Renew no longer than this after the last sign of life; null where none is asked for. */
  readonly stallMs: number | null;
}

/**
 * Decides for how long a run deserves to be renewed. What follows from a refusal is the engine's: the
 * lease runs out, and then it is lost like any other.
 *
 * A sign of life is output of the command, or a new text of progress in the store. Clock: the largest of
 * this host's three, so that time spent in suspend counts. Nothing is decided before the start is granted.
 */
export class Holding {
  readonly #clock: Clock;
  readonly #limits: HoldingLimits;
  #since: ClockReading | null = null;
  #lastSign: ClockReading | null = null;

  constructor(clock: Clock, limits: HoldingLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The start was granted: time counts from here. */
  begin(): void {
    this.#since = this.#clock.read();
    this.#lastSign = this.#since;
  }

  noteSign(): void {
    this.#lastSign = this.#clock.read();
  }

  /** Null to renew, else why not. */
  withhold(): string | null {
    const { maxHoldMs, stallMs } = this.#limits;
    const now = this.#clock.read();
    if (maxHoldMs !== null && this.#since !== null && elapsedMs(this.#since, now) >= maxHoldMs) {
      return `held for --max-hold ${formatDuration(maxHoldMs)}`;
    }
    if (stallMs !== null && this.#lastSign !== null && elapsedMs(this.#lastSign, now) >= stallMs) {
      return `no output and no progress for --stall ${formatDuration(stallMs)}`;
    }
    return null;
  }

  /** Asks for progress until `ended` fires; a new text is a sign of life. What the asking throws is no sign. */
  async watchProgress(ask: () => Promise<string | null>, ended: AbortSignal): Promise<void> {
    if (this.#limits.stallMs === null) return;
    const everyMs = Math.min(POLL_MS_MAX, Math.max(POLL_MS_MIN, this.#limits.stallMs / 4));
    let last: string | null = null;
    while (!ended.aborted) {
      const progress = await ask().catch(() => last);
      if (progress !== last) this.noteSign();
      last = progress;
      await this.#clock.sleep(everyMs, ended).catch(() => {});
    }
  }
}
