/**
 * What a store keeps of one lock, and what a decision may read from it.
 *
 * Identity: a lock is its name; one acquisition is its token (random) and its fence (grows by one).
 * Clock: every instant here is the **store's**, in milliseconds since 1970; the decisions get `now`
 * from the same clock and never look at another one.
 * Crash: a row is written in one transaction or not at all, so a decision never sees half of one.
 * What people or other programs wrote into it is judged, not trusted: every field may be null.
 */

/** What is known of a holder beside its id: platform, workflow, trigger, host, pid and the like. */
export type HolderInfo = Readonly<Record<string, unknown>>;

export interface LockState {
  readonly name: string;
  /** Grows by one with each acquisition; 0 before the first. */
  readonly fence: number;
  /** Token of the lease that nobody has given back yet; null when the lock is free. */
  readonly token: string | null;
  /** Holder, run and times of the latest lease; they stay after its release, so that "who was it?" has an answer. */
  readonly runId: string | null;
  readonly holder: string | null;
  readonly holderInfo: HolderInfo | null;
  readonly since: number | null;
  readonly leaseMs: number | null;
  readonly leaseUntil: number | null;
  readonly renewedAt: number | null;
  readonly progress: string | null;
  readonly graceMs: number;
  /** Set by a release with `after`: nobody starts before it. */
  readonly freeAt: number | null;
  /**
   * Set by a force-release: the instant from which the lock counts as free although its holder has
   * not given it back. Null when no force-release is pending; cleared by the next start.
   */
  readonly drainUntil: number | null;
  /** Starts skipped as `held` since the last one that proceeded. */
  readonly skipsInRow: number;
  readonly lastSuccessAt: number | null;
  /** The latest slot that ran to success; null before the first. */
  readonly lastSuccessSlotAt: number | null;
  /** Since when new starts are stopped by a person; null while they are not. */
  readonly pausedAt: number | null;
  /** The schedule that the latest planned start named, its zone, and the slot after its own; null before the first. */
  readonly schedule: string | null;
  readonly timezone: string | null;
  readonly nextSlotAt: number | null;
  /** From when on it is told that no run got through; `overdueAfterMs` after the slot of the latest one that did. */
  readonly overdueAt: number | null;
  readonly overdueAfterMs: number | null;
  /** The `overdueAt` that has been told. */
  readonly overdueTold: number | null;
  /** When it was last told that the lease nears its end. */
  readonly nearEndToldAt: number | null;
}

/** A lock that no start has touched yet. */
export function newLockState(name: string): LockState {
  return {
    name,
    fence: 0,
    token: null,
    runId: null,
    holder: null,
    holderInfo: null,
    since: null,
    leaseMs: null,
    leaseUntil: null,
    renewedAt: null,
    progress: null,
    graceMs: 0,
    freeAt: null,
    drainUntil: null,
    skipsInRow: 0,
    lastSuccessAt: null,
    lastSuccessSlotAt: null,
    pausedAt: null,
    schedule: null,
    timezone: null,
    nextSlotAt: null,
    overdueAt: null,
    overdueAfterMs: null,
    overdueTold: null,
    nearEndToldAt: null,
  };
}

/** Expired means `leaseUntil <= now`, everywhere. A lease without an end is no lease: it counts as expired. */
export function isExpired(lock: LockState, now: number): boolean {
  return lock.leaseUntil === null || lock.leaseUntil <= now;
}

/** True where no lease is in the way: given back, or force-released and drained. A pause after it may be. */
export function isGivenBack(lock: LockState, now: number): boolean {
  return lock.token === null || (lock.drainUntil !== null && lock.drainUntil <= now);
}

/** True while a force-release waits for its holder. */
export function isDraining(lock: LockState, now: number): boolean {
  return lock.token !== null && lock.drainUntil !== null && lock.drainUntil > now && !isExpired(lock, now);
}

/** True while `token` holds a live lease that nobody has force-released. */
export function isHeldBy(lock: LockState, token: string, now: number): boolean {
  return lock.token === token && lock.drainUntil === null && !isExpired(lock, now);
}

/** Age of a lease in ms, at least 1; null where the start is unknown or lies in the future. Never 0, negative or NaN. */
export function ageMs(since: number | null, now: number): number | null {
  if (since === null || !Number.isFinite(since) || since > now) return null;
  return Math.max(1, now - since);
}
