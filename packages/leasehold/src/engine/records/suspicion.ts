import type { Waiting } from './work-waiting.ts';

/** A thousand are told apart in three rounds. */
const PIECES = 10;
/** Of its time-out: how long a call took that nobody answered. */
const NEARLY = 0.9;

export function hasTimedOut(tookMs: number, timeoutMs: number): boolean {
  return tookMs >= timeoutMs * NEARLY;
}

/** Divides what travelled together in a call that did not get through, so that one record's trouble stays its own. */
export class Suspicion {
  #pieces = 0;

  /** What travels alone already stays alone. */
  divide(batch: readonly Waiting[]): void {
    const size = Math.ceil(batch.length / PIECES);
    for (const [index, item] of batch.entries()) {
      if (index % size === 0) this.#pieces += 1;
      item.piece = this.#pieces;
    }
  }
}
