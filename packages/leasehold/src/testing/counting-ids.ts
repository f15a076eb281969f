import type { Ids } from '../ports/ids.ts';

/**
 * Ids that count, so that a failing test shows the same ones on every run. Shaped like random UUIDs,
 * and never for production: whoever knows one token knows the next.
 */
export class CountingIds implements Ids {
  #count = 0;

  newId(): string {
    this.#count += 1;
    return `00000000-0000-4000-8000-${this.#count.toString(16).padStart(12, '0')}`;
  }

  /** Always the middle: jitter that doesn't jitter. */
  random(): number {
    return 0.5;
  }
}
