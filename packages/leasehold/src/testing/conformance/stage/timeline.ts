import assert from 'node:assert/strict';
import type { StoreHarness, StoreUnderTest } from './harness.ts';

export const SECOND: number = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;
export const DAY: number = 24 * HOUR;

/** How long the calls of one test may take where the store's clock runs on. All leases are far longer. */
const DRIFT_MS = 30 * SECOND;

/**
 * The time of one test.
 *
 * Instants are compared on a line of time of its own (`at`): where the store's clock can't be moved,
 * its rows are, and an instant noted before such a move reads earlier after it.
 */
export class Timeline {
  /** How much later than computed the store's clock may be: 0 where it stands still. */
  readonly driftMs: number;
  readonly #under: StoreUnderTest;
  readonly #movesRows: boolean;
  #movedMs = 0;

  constructor(harness: StoreHarness, under: StoreUnderTest) {
    this.#under = under;
    this.#movesRows = harness.time === 'rows';
    this.driftMs = this.#movesRows ? DRIFT_MS : 0;
  }

  async advance(ms: number): Promise<void> {
    await this.#under.advance(ms);
    if (this.#movesRows) this.#movedMs += ms;
  }

  /** Lets so much of `leaseMs` pass that it is surely not over yet; exactly all but 1 ms where the clock stands still. */
  async advanceToJustBefore(leaseMs: number): Promise<void> {
    await this.advance(leaseMs - 1 - this.driftMs);
  }

  async now(): Promise<number> {
    return (await this.#under.now()) + this.#movedMs;
  }

  /** A stored instant, read now, on this line of time. */
  at(instant: Date | null): number {
    assert.ok(instant !== null, 'an instant is missing');
    return instant.getTime() + this.#movedMs;
  }

  /** The instant to send or to store, so that it stands at `time` on this line of time. */
  dateAt(time: number): Date {
    return new Date(time - this.#movedMs);
  }

  /** `actual` may be later than `expected` only by the time that calls take. */
  assertElapsed(actual: number | null, expected: number, label = 'elapsed'): void {
    assert.ok(
      actual !== null && actual >= expected && actual <= expected + this.driftMs,
      `${label} is ${actual}, expected ${expected}`,
    );
  }

  /** `actual` may be less than `expected` only by the time that calls take. */
  assertRemaining(actual: number | null, expected: number, label = 'remainingMs'): void {
    assert.ok(
      actual !== null && actual <= expected && actual >= expected - this.driftMs,
      `${label} is ${actual}, expected ${expected}`,
    );
  }
}
