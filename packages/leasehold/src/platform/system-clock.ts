import type { ClockReading } from '../domain/timing.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { readBootClock } from './boot-clock.ts';

/**
 * The host's own clocks. Production has no other: this object is frozen, and it holds on to the
 * functions that it found when it was loaded, so that mocked timers or a replaced `Date` don't reach
 * a lease. Tests pass a clock of their own to what they test.
 */

const wallNow = Date.now;
const hrtime = process.hrtime.bigint.bind(process.hrtime);
const startTimeout = setTimeout;
const stopTimeout = clearTimeout;

/** A longer timeout fires after 1 ms instead (a 32-bit counter in Node.js); leases may be longer. */
const TIMEOUT_MS_MAX = 2_147_483_647;

const bootClock = readBootClock();

function readMonotonicMs(): number {
  return Number(hrtime() / 1_000n) / 1_000;
}

function read(): ClockReading {
  const monotonicMs = readMonotonicMs();
  const wallMs = wallNow();
  return { monotonicMs, bootMs: bootClock === null ? wallMs : bootClock.read(monotonicMs, wallMs), wallMs };
}

/** Calls back after `ms`, in as many timeouts as that takes. */
function startTimer(ms: number, callback: () => void, keepsAlive: boolean): Timer {
  const dueMs = readMonotonicMs() + ms;
  let timeout: NodeJS.Timeout;
  const arm = (): void => {
    const leftMs = Math.max(0, dueMs - readMonotonicMs());
    timeout = leftMs > TIMEOUT_MS_MAX ? startTimeout(arm, TIMEOUT_MS_MAX) : startTimeout(callback, Math.ceil(leftMs));
    if (!keepsAlive) timeout.unref();
  };
  arm();
  return { cancel: () => stopTimeout(timeout) };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const onDue = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const timer = startTimer(ms, onDue, true);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * The clock of production. `bootMs` equals the wall clock where the system doesn't name its boots
 * (`bootId` null: anything but Linux). A `sleep` keeps the process alive, a `schedule` doesn't.
 */
export const systemClock: Clock = Object.freeze({
  bootId: bootClock?.bootId ?? null,
  read,
  sleep,
  schedule: (ms: number, callback: () => void): Timer => startTimer(ms, callback, false),
});
