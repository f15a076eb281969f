/**
 * A slot is the nominal instant that a run was scheduled for. Identity: lock and instant, whatever
 * started it, so that an early timer, a doubled tick and a repeated hour all mean the same slot.
 */

/** The latest run of a slot, as its row tells; null for a slot that no start has named yet. */
export interface SlotState {
  /** True once a run of it ended with `success`: then it is not run again unless a person says so. */
  readonly isDone: boolean;
  readonly runId: string | null;
  readonly holder: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** How many slots without success are told to the next run, and how many slots a store keeps per lock. */
export const MISSED_SLOTS_MAX = 1_000;
