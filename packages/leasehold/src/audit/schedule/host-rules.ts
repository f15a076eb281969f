import type { DayPlan } from './day-plan.ts';
import type { ClockChange, Zone } from './zone.ts';

/** What a host starts around one clock change, instead of what the clock on the wall says. */
export interface Patch {
  /** From here (in) to there (out) these starts stand in for those by the wall; twice the same is two starts. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly starts: readonly number[];
}

/** Null where the host goes by the wall. */
export type ChangeRule = (plan: DayPlan, zone: Zone, change: ClockChange) => Patch | null;
