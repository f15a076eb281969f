import type { LockStatus } from '../domain/answers.ts';
import { INTERVALS_MAX, type StartPlan } from '../domain/start-plan.ts';
import type { Schedule, ScheduleSpec } from '../ports/schedule.ts';
import type { StoredStatus } from '../ports/store.ts';
import type { EngineParts } from './parts.ts';

/**
 * What a schedule plans after an instant: for the store to keep with the lock, and for a reader to see.
 * Clock: the wall clock of this host, because slots are nominal (see plan.ts).
 */

/** The second pass of a repeated hour plans what has been planned: so many instants may give no new slot. */
const INSTANTS_MAX = 4_000;

/** Null where the schedule plans no three slots more. */
export function startPlan(schedule: Schedule, slotAt: Date): StartPlan | null {
  const slots = slotsAfter(schedule, slotAt, INTERVALS_MAX);
  const [nextSlotAt, overdueAt] = [slots[0], slots[INTERVALS_MAX - 1]];
  if (nextSlotAt === undefined || overdueAt === undefined) return null;
  return { expression: schedule.expression, timezone: schedule.timezone, nextSlotAt, overdueAt };
}

/** At most `count` slots, oldest first. */
function slotsAfter(schedule: Schedule, after: Date, count: number): Date[] {
  const slots: Date[] = [];
  let at = after;
  for (let looked = 0; looked < INSTANTS_MAX && slots.length < count; looked += 1) {
    at = schedule.next(at);
    const slot = schedule.slotOf(at);
    if (slot > (slots.at(-1) ?? after)) slots.push(slot);
  }
  return slots;
}

/**
 * The status for a reader: `nextSlotAt` by the schedule that is stored with the lock, and nothing of the store's own.
 * A stored schedule that can't be read (another version wrote it, or a person) gives null.
 */
export async function withNextSlots(parts: EngineParts, stored: readonly StoredStatus[]): Promise<LockStatus[]> {
  const now = new Date(parts.clock.read().wallMs);
  const known = new Map<string, Date | null>();
  const result: LockStatus[] = [];
  for (const { schedule, ...status } of stored) {
    if (schedule === null) {
      result.push(status);
      continue;
    }
    const key = `${schedule.expression}\n${schedule.timezone ?? ''}`;
    if (!known.has(key)) known.set(key, await nextSlot(parts, schedule, now));
    result.push({ ...status, nextSlotAt: known.get(key) ?? null });
  }
  return result;
}

async function nextSlot(parts: EngineParts, spec: ScheduleSpec, now: Date): Promise<Date | null> {
  try {
    return slotsAfter(await parts.openSchedule(spec), now, 1)[0] ?? null;
  } catch {
    return null;
  }
}
