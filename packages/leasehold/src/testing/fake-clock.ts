import type { ClockReading } from '../domain/timing.ts';
import type { Clock, Timer } from '../ports/clock.ts';

/**
 * A clock that stands still until a test moves it.
 *
 * Three clocks in one, as on a real host: the monotonic one (stops in suspend), the boot-time one
 * (goes on in suspend) and the wall clock (can be stepped). Timers and sleeps hang on the monotonic
 * clock and fire only while `advance` moves it, each at its own instant, in order.
 */
export class FakeClock implements Clock {
  #monotonicMs = 1_000;
  #bootMs = 1_000;
  #wallMs: number;
  #boots = 1;
  #pending: PendingTimer[] = [];

  /** `wallMs`: what the wall clock says at first, in ms since 1970; default 2026-01-05T00:00:00Z. */
  constructor(wallMs: number = Date.UTC(2026, 0, 5)) {
    this.#wallMs = wallMs;
  }

  get bootId(): string | null {
    return `fake-boot-${this.#boots}`;
  }

  read(): ClockReading {
    return { monotonicMs: this.#monotonicMs, bootMs: this.#bootMs, wallMs: this.#wallMs };
  }

  /** Sleeps and timers that have not fired yet: a test can wait for code under test to begin waiting. */
  get pendingCount(): number {
    return this.#pending.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason as Error);
      };
      const timer = this.schedule(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  schedule(ms: number, callback: () => void): Timer {
    const entry: PendingTimer = { dueMs: this.#monotonicMs + Math.max(0, ms), callback };
    this.#pending.push(entry);
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((other) => other !== entry);
      },
    };
  }

  /**
   * Moves all three clocks by `ms` (0 or more) and fires what falls due, at its instant. After each
   * firing the event loop gets turns, so that code which waits in a loop may wait again within the
   * same move.
   */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#monotonicMs + ms;
    for (let due = this.#nextDue(targetMs); due !== null; due = this.#nextDue(targetMs)) {
      this.#moveBy(Math.max(0, due.dueMs - this.#monotonicMs));
      this.#pending = this.#pending.filter((other) => other !== due);
      due.callback();
      await eventLoopTurns();
    }
    this.#moveBy(targetMs - this.#monotonicMs);
    await eventLoopTurns();
  }

  /** Steps the wall clock alone, forward or (negative) back, as an administrator or NTP does. */
  stepWall(ms: number): void {
    this.#wallMs += ms;
  }

  /** The machine sleeps for `ms`: boot time and wall clock go on, the monotonic clock and its timers don't. */
  suspend(ms: number): void {
    this.#bootMs += ms;
    this.#wallMs += ms;
  }

  /**
   * The machine restarts and is back after `downMs` by the wall clock: another boot id, boot time
   * and monotonic clock begin anew, and whatever was waiting is gone with its process.
   */
  reboot(downMs = 60_000): void {
    this.#boots += 1;
    this.#wallMs += downMs;
    this.#bootMs = 1_000;
    this.#monotonicMs = 1_000;
    this.#pending = [];
  }

  #moveBy(ms: number): void {
    this.#monotonicMs += ms;
    this.#bootMs += ms;
    this.#wallMs += ms;
  }

  #nextDue(targetMs: number): PendingTimer | null {
    let next: PendingTimer | null = null;
    for (const entry of this.#pending) {
      if (entry.dueMs <= targetMs && (next === null || entry.dueMs < next.dueMs)) next = entry;
    }
    return next;
  }
}

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A few turns are enough for chains of promises and for I/O that is done already. */
async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
