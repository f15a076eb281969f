import { MISSED_SLOTS_MAX, mergeMissed, slotOfStart } from '../domain/slot.ts';
import { storeTimeoutMs } from '../domain/timing.ts';
import type { Schedule } from '../ports/schedule.ts';
import type { CheckedStart } from './arguments.ts';
import type { Asked } from './ask.ts';
import { startPlan } from './next-slots.ts';
import type { EngineParts } from './parts.ts';

/**
 * What a schedule adds to a start: its slot before the store is asked, and the planned instants that
 * nobody named after it has answered.
 *
 * Identity: the slot, not the moment of the start. Clock: the wall clock of this host, because a slot is
 * nominal and the schedule's own timer went by a wall clock too; ownership never hangs on it.
 */

export interface PlannedStart {
  readonly checked: CheckedStart;
  /** Null where the start names no schedule. */
  readonly schedule: Schedule | null;
}

/** Gives the start its slot where it has none of its own, and what the schedule plans after it. Throws INVALID_ARGUMENT for a schedule that can't be read. */
export async function planStart(parts: EngineParts, checked: CheckedStart): Promise<PlannedStart> {
  if (checked.schedule === null) return { checked, schedule: null };
  const schedule = await parts.openSchedule(checked.schedule);
  const slotAt = checked.request.slotAt ?? slotAtOf(schedule, new Date(parts.clock.read().wallMs));
  const plan = startPlan(schedule, slotAt);
  return { checked: { ...checked, request: { ...checked.request, slotAt, plan } }, schedule };
}

function slotAtOf(schedule: Schedule, at: Date): Date {
  const [latest, next] = [schedule.latest(at), schedule.next(at)];
  const isNext = slotOfStart(at.getTime(), latest.getTime(), next.getTime()) === next.getTime();
  return schedule.slotOf(isNext ? next : latest);
}

/**
 * Adds to `missed` the planned instants since the last success that no start has named, where the start
 * proceeds. Before the first success there is no beginning but the oldest slot that was named.
 *
 * One call to the store, bounded by its time-out; trust still counts from before the start was asked
 * for. If it fails the start goes on with what the store told it: missing advice is no reason not to work.
 */
export async function tellMissed(
  parts: EngineParts,
  { request }: CheckedStart,
  schedule: Schedule | null,
  asked: Asked,
): Promise<Asked> {
  const { answer } = asked;
  const { slotAt, missed } = answer;
  if (schedule === null || slotAt === null || !answer.proceed) return asked;
  const since = (await lastSuccessSlot(parts, request.lock, request.leaseMs)) ?? missed[0] ?? null;
  if (since === null) return asked;
  const planned = schedule.slotsBetween(since, slotAt, MISSED_SLOTS_MAX);
  return { ...asked, answer: { ...answer, missed: mergeMissed(missed, planned) } };
}

async function lastSuccessSlot(parts: EngineParts, lock: string, leaseMs: number): Promise<Date | null> {
  try {
    return (await parts.store.marks(lock, { timeoutMs: storeTimeoutMs(leaseMs) })).lastSuccessSlotAt;
  } catch (error) {
    parts.logger.warn(`What lock "${lock}" missed is not fully known: the store did not answer.`, { lock, error });
    return null;
  }
}
