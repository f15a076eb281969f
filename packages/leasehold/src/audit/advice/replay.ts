import type { UsedRuns } from '../history/overlaps.ts';

/** What the starts of a history would have been with a lock. */
export interface Replay {
  readonly starts: number;
  readonly runs: number;
  readonly skips: number;
  /** Runs that would still have started while another ran. */
  readonly overlaps: number;
}

/**
 * Plays the starts again with a lease of this length and "skip": a start that finds the lock held is skipped. A run
 * holds it until it ends, or until its lease is over; one that crashed gives it back to nobody.
 */
export function replay({ startMs, endMs, isCrashed }: UsedRuns, leaseMs: number): Replay {
  let [runs, overlaps] = [0, 0];
  let freeAtMs = Number.NEGATIVE_INFINITY;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < startMs.length; at += 1) {
    const start = startMs[at] ?? Number.NaN;
    if (start < freeAtMs) continue;
    runs += 1;
    if (start < lastEndMs) overlaps += 1;
    const hasCrashed = isCrashed[at] === 1;
    const end = endMs[at] ?? start;
    freeAtMs = hasCrashed ? start + leaseMs : Math.min(end, start + leaseMs);
    // When a crashed run ended nobody knows, so nothing is said to overlap it.
    if (!hasCrashed && end > lastEndMs) lastEndMs = end;
  }
  return { starts: startMs.length, runs, skips: startMs.length - runs, overlaps };
}
