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

/** A start this close before the next planned instant, or closer, belongs to it: timers fire early by that much. */
const EARLY_MS_MAX = 30_000;

/**
 * The slot of a start at `at`: the next planned instant if that is closer than the smaller of 30 s and
 * a tenth of the gap around `at`, else the latest one. `latest` is at or before `at`, `next` after it.
 */
export function slotOfStart(at: number, latest: number, next: number): number {
  const earlyMs = Math.min(EARLY_MS_MAX, (next - latest) / 10);
  return next - at < earlyMs ? next : latest;
}

/** Both lists as one, each instant once, oldest first, the newest 1,000 of them. */
export function mergeMissed(named: readonly Date[], planned: readonly Date[]): Date[] {
  const instants = new Set([...named, ...planned].map((slot) => slot.getTime()));
  return [...instants]
    .toSorted((one, other) => one - other)
    .slice(-MISSED_SLOTS_MAX)
    .map((instant) => new Date(instant));
}
