const BACKOFF_MS_MIN = 30_000;
const BACKOFF_MS_MAX = 3_600_000;

/** How long a record waits after its nth failed attempt (from 1) in ms: 30 s, doubling to 1 h (design §6). */
export function attemptBackoffMs(attempts: number): number {
  return Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** Math.min(20, Math.max(0, attempts - 1)));
}
