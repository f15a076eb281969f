import { formatDuration } from '../domain/duration.ts';
import { type ClockReading, elapsedMs } from '../domain/timing.ts';
import { isLeaseholdError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';

/** A store that comes back is noticed within this. */
const PAUSE_MS = 1_000;

export interface StoreWaitOptions {
  /** In total, for opening the store and for asking for the lock. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly say: (message: string) => Promise<unknown>;
  /** Ends the wait at once. */
  readonly interrupted: AbortSignal;
}

/** Patience with a store that can't be reached when a run is to start, or has something to tell. Bounded, and said once. */
export class StoreWait {
  readonly #options: StoreWaitOptions;
  readonly #begunAt: ClockReading;
  #isSaid = false;

  constructor(options: StoreWaitOptions) {
    this.#options = options;
    this.#begunAt = options.clock.read();
  }

  /** What is left of it, in ms. */
  get leftMs(): number {
    const { waitMs, clock } = this.#options;
    return Math.max(0, waitMs - Math.ceil(elapsedMs(this.#begunAt, clock.read())));
  }

  /** What `attempt` answers, tried again while it ends in STORE_UNREACHABLE and the time isn't up. Throws what it threw last. */
  async for<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(await this.#mayTryAgain(error))) throw error;
      }
    }
  }

  async #mayTryAgain(error: unknown): Promise<boolean> {
    const { waitMs, clock, say, interrupted } = this.#options;
    const { leftMs } = this;
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE') || leftMs <= 0 || interrupted.aborted) return false;
    if (!this.#isSaid) {
      this.#isSaid = true;
      await say(`${error.message.replace(/\.$/, '')}; waiting for it for at most ${formatDuration(waitMs)}`);
    }
    try {
      await clock.sleep(Math.min(PAUSE_MS, leftMs), interrupted);
      return true;
    } catch {
      return false;
    }
  }
}
