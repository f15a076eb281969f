import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { isBusy } from './errors.ts';

/**
 * Patience with other processes. SQLite's own waiting blocks the event loop, and with it the
 * heartbeat that keeps a lease alive: `timeout: 1000` and a rival writer left a gap of 1,030 ms
 * between ticks of 10 ms. So SQLite waits for some milliseconds at most, and the rest is waited here, with
 * jitter, so that many who wait don't come back together.
 */

/** The longest that one attempt may let SQLite block the event loop. */
export const BUSY_TIMEOUT_MS_MAX = 50;
/** Long enough for a neighbour's commit (some 5 ms of fsync), short against a tick. */
export const BUSY_TIMEOUT_MS_DEFAULT = 10;

const PAUSE_MS_MIN = 1;
/**
 * In a crowd the asking itself is what takes the time (200 processes on two cores): who has just come asks seldom,
 * who has waited long asks often, and so the oldest get through first.
 */
const PAUSE_MS_MAX = 400;
/** The longest pause as a part of the time that is left. */
const PAUSE_PART = 1 / 16;
/** No clock decides alone: even one that stands still ends the loop. */
const ATTEMPTS_MAX = 10_000;

/**
 * Calls `attempt` until it doesn't find the store busy, at least once. When `timeoutMs` is over throws the
 * last busy error.
 */
export async function retryWhileBusy<T>(
  attempt: () => T,
  { clock, ids, timeoutMs }: { readonly clock: Clock; readonly ids: Ids; readonly timeoutMs: number },
): Promise<T> {
  const startedMs = clock.read().monotonicMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      const leftMs = startedMs + timeoutMs - clock.read().monotonicMs;
      if (!isBusy(error) || leftMs < PAUSE_MS_MIN || attempts >= ATTEMPTS_MAX) throw error;
      await clock.sleep(pauseBefore(attempts, leftMs, ids.random()));
    }
  }
}

/** A random part of a bound that doubles from 4 ms on, and shrinks with the time that is left. `random` is from 0 to 1. */
function pauseBefore(attempts: number, leftMs: number, random: number): number {
  const boundMs = Math.max(PAUSE_MS_MIN, Math.min(PAUSE_MS_MAX, leftMs * PAUSE_PART, 2 * 2 ** Math.min(attempts, 10)));
  return PAUSE_MS_MIN + random * (boundMs - PAUSE_MS_MIN);
}
