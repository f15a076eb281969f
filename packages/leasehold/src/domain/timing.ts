/**
 * The times that follow from the length of a lease (design §4, §5, §11). Pure arithmetic: the same
 * numbers for the heartbeat, the abort signal, the child's grace and the store's time-out, so that
 * they always fit into one another.
 */

/** How long before the trust window closes the abort signal fires: the smaller of 10 s and a fifth of the lease. */
export function safetyMarginMs(leaseMs: number): number {
  return Math.min(10_000, Math.floor(leaseMs / 5));
}

/** How long one call to the store may take: the smaller of 5 s and a fifth of the lease. */
export function storeTimeoutMs(leaseMs: number): number {
  return Math.min(5_000, Math.floor(leaseMs / 5));
}

/** How long a child has between TERM and KILL: half the safety margin, so that KILL falls inside the lease. */
export function killGraceMs(leaseMs: number): number {
  return Math.floor(safetyMarginMs(leaseMs) / 2);
}

/** How often a heartbeat renews: (lease − store time-out − margin) / 4, so that three misses fit into one lease. */
export function heartbeatEveryMs(leaseMs: number): number {
  return Math.max(50, Math.floor((leaseMs - storeTimeoutMs(leaseMs) - safetyMarginMs(leaseMs)) / 4));
}

/** Three readings of one moment: monotonic and boot-time clocks never step, the wall clock and boot time go on in suspend. */
export interface ClockReading {
  readonly monotonicMs: number;
  readonly bootMs: number;
  readonly wallMs: number;
}

/**
 * How much time has passed between two readings: the largest of the three clocks, because a
 * monotonic clock stops while the machine sleeps and a wall clock may be set back. A wall clock set
 * forward only ends trust too early, which is the safe side.
 */
export function elapsedMs(from: ClockReading, to: ClockReading): number {
  return Math.max(0, to.monotonicMs - from.monotonicMs, to.bootMs - from.bootMs, to.wallMs - from.wallMs);
}

/**
 * The time in which a client may believe that it still holds its lease. Anchored before the request
 * was sent (a slow answer can't lengthen it), as long as the smaller of the lease and the answer's
 * remaining time.
 */
export interface TrustWindow {
  readonly anchor: ClockReading;
  readonly lengthMs: number;
}

export function trustWindow(anchor: ClockReading, leaseMs: number, remainingMs: number): TrustWindow {
  return { anchor, lengthMs: Math.min(leaseMs, remainingMs) };
}

/** What is left of a trust window; 0 or less once it has closed. */
export function trustRemainingMs(window: TrustWindow, now: ClockReading): number {
  return window.lengthMs - elapsedMs(window.anchor, now);
}
