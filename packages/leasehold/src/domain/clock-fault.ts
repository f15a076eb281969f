import type { LockState } from './lock-state.ts';

const iso = (instant: number): string => new Date(instant).toISOString();

/**
 * An end that lies further away than a whole lease from now was reckoned by a clock that was ahead, or
 * written by hand. Left alone it would jam the lock, so it is drawn in to a whole lease from now, which is
 * never too early for its holder. An end without a known length can't be judged and stays. A `freeAt`
 * was asked for and is no end of a lease.
 */
export function drawInLease(lock: LockState, now: number): LockState {
  const { token, leaseMs, leaseUntil, drainUntil } = lock;
  if (token === null || leaseMs === null || leaseMs <= 0 || leaseUntil === null) return lock;
  const latest = now + leaseMs;
  if (leaseUntil <= latest) return lock;
  return { ...lock, leaseUntil: latest, drainUntil: drainUntil === null ? null : Math.min(drainUntil, latest) };
}

/** What the `clock.fault` event says of a lease that was drawn in. */
export function clockFaultMessage(lock: string, endedAt: number, leaseUntil: number): string {
  return `The lease of lock "${lock}" was to end at ${iso(endedAt)}, further away than its whole length: a clock was ahead. It ends at ${iso(leaseUntil)}.`;
}
