import type { LeaseholdError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';

const FIRST_PAUSE_MS = 100;
const PAUSE_MS_MAX = 2_000;

/** What is said of a line that doesn't get through, loud once per outage, and how long it pauses between its tries. */
export class Outage {
  readonly #pool: string;
  readonly #logger: Logger;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(pool: string, logger: Logger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /** Longer each time; `chance` from 0 to 1, so that many processes don't meet a store that is back in one instant. */
  nextPauseMs(chance: number): number {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
    return Math.ceil((pauseMs * (1 + chance)) / 2);
  }

  noteFailure(error: LeaseholdError, waiting: number): void {
    this.#failures += 1;
    const level = this.#failures > 1 ? 'debug' : 'warn';
    const message = `Begins and verdicts of pool "${this.#pool}" could not be stored; they are tried again.`;
    this.#logger[level](message, { pool: this.#pool, waiting, error });
  }

  noteSuccess(): void {
    if (this.#failures > 0) {
      const message = `Begins and verdicts of pool "${this.#pool}" are stored again.`;
      this.#logger.info(message, { pool: this.#pool, failures: this.#failures });
    }
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}
