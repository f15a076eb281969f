import type { LockState } from './lock-state.ts';

/**
 * When starts of a lock are planned, as one of them knows it, and what of it is kept with the lock: so that
 * it is noticed when no run gets through, also where nothing starts any more.
 *
 * Identity: the slot of the start. Clock: slots are nominal, so `overdueAt` is a planned instant, held
 * against the store's clock. Crash: written in the transaction of the start.
 */

/** What a start's schedule says of the starts after it. */
export interface StartPlan {
  readonly expression: string;
  /** IANA name. */
  readonly timezone: string;
  /** The first slot after this start's. */
  readonly nextSlotAt: Date;
  /** The third slot after this start's: if no run has got through by then, three intervals went by without one. */
  readonly overdueAt: Date;
}

/** How many planned starts may go by without a run that gets through. */
export const INTERVALS_MAX = 3;

/** The part of a lock's row that a plan fills. */
export type KeptPlan = Pick<LockState, 'schedule' | 'timezone' | 'nextSlotAt' | 'overdueAt' | 'overdueAfterMs'>;

/**
 * A start that does not proceed brings what its schedule is; only one that does moves `overdueAt`, unless none is
 * known yet. A rerun of an old slot moves it as far from now as three intervals are long.
 */
export function planToKeep(
  lock: LockState,
  start: { readonly plan: StartPlan; readonly slotAt: Date | null; readonly proceeds: boolean },
  now: number,
): KeptPlan {
  const { plan, slotAt, proceeds } = start;
  const planned = plan.overdueAt.getTime();
  const afterMs = Math.max(0, planned - (slotAt?.getTime() ?? now));
  const moves = proceeds || lock.overdueAt === null;
  return {
    schedule: plan.expression,
    timezone: plan.timezone,
    nextSlotAt: plan.nextSlotAt.getTime(),
    overdueAt: moves ? (planned > now ? planned : now + afterMs) : lock.overdueAt,
    overdueAfterMs: moves ? afterMs : lock.overdueAfterMs,
  };
}
