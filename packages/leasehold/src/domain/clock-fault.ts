import { LEASE_MS_MAX } from './limits.ts';
import type { LockState } from './lock-state.ts';

const iso = (instant: number): string => new Date(instant).toISOString();

/**
 * An end that lies further away than a whole lease from now was reckoned by a clock that was ahead, or
 * written by hand. Left alone it would jam the lock, so it is drawn in to a whole lease from now, which is
 * never too early for its holder. A row written by hand may not say how long its lease is, or say what no
 * lease can be: then the longest lease that can be asked for is the bound. A `freeAt` was asked for and is
 * no end of a lease.
 */
export function drawInLease(lock: LockState, now: number): LockState {
  const { token, leaseUntil, drainUntil } = lock;
  if (token === null || leaseUntil === null) return lock;
  const latest = now + (knownLeaseMs(lock) ?? LEASE_MS_MAX);
  if (leaseUntil <= latest) return lock;
  return { ...lock, leaseUntil: latest, drainUntil: drainUntil === null ? null : Math.min(drainUntil, latest) };
}

/** The same for a lease over records, which its row always knows the length of. */
export function drawnInLeaseUntil(
  { leaseMs, leaseUntil }: { leaseMs: number; leaseUntil: number },
  now: number,
): number {
  return Math.min(leaseUntil, now + (leaseMs <= 0 ? LEASE_MS_MAX : Math.min(leaseMs, LEASE_MS_MAX)));
}

/** As long as the lease was before; where its row doesn't say, from its start to its end, or what is left of it. */
export function renewedLeaseMs(lock: LockState, now: number): number {
  const { since, leaseUntil } = lock;
  const spanMs = (leaseUntil ?? now) - (since === null || since > now ? now : since);
  return knownLeaseMs(lock) ?? Math.min(spanMs, LEASE_MS_MAX);
}

function knownLeaseMs({ leaseMs }: LockState): number | null {
  return leaseMs === null || leaseMs <= 0 ? null : Math.min(leaseMs, LEASE_MS_MAX);
}

/** What the `clock.fault` event says of a lease that was drawn in. */
export function clockFaultMessage(lock: string, endedAt: number, leaseUntil: number): string {
  return `The lease of lock "${lock}" was to end at ${iso(endedAt)}, further away than its whole length: a clock was ahead. It ends at ${iso(leaseUntil)}.`;
}
