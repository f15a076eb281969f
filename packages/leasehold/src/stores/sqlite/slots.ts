import { MISSED_SLOTS_MAX, type SlotState } from '../../domain/slot.ts';
import type { AcquireRequest } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readDate } from './columns.ts';
import { noteSlotSuccess } from './locks.ts';
import { type SeenRun, toSlotState } from './rows.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/slots.sql', import.meta.url), [
  'slot_of_lock',
  'name_slot',
  'drop_old_slots',
  'finish_slot',
  'missed_slots',
]);

/** The slot that a start names; null where it names none, or one that no start has named yet. */
export function findSlot(session: Session, { lock, slotAt }: AcquireRequest): SlotState | null {
  if (slotAt === null) return null;
  const row = session.get(sql.slot_of_lock, { lock, slot_at: slotAt.getTime() });
  return row === undefined ? null : toSlotState(row);
}

/**
 * Notes the slot that a start names, if it names one; only the newest 1,000 of a lock are kept. With
 * `isRun` the start has the lock and is the slot's latest run, unless a run has done the slot already.
 */
export function nameSlot(session: Session, request: AcquireRequest, isRun: boolean, now: number): void {
  const { lock, slotAt, runId, holder } = request;
  if (slotAt === null) return;
  const start = { run_id: runId, holder, started_at: now };
  session.run(sql.name_slot, { lock, slot_at: slotAt.getTime(), ...start, is_run: isRun ? 1 : 0 });
  session.run(sql.drop_old_slots, { lock, kept: MISSED_SLOTS_MAX });
}

/** A success counts for the slot of its run, whoever holds the lock by now. */
export function finishSlot(session: Session, lock: string, run: SeenRun, now: number): void {
  if (run.slotAt === null) return;
  const slotAt = run.slotAt.getTime();
  session.run(sql.finish_slot, {
    lock,
    slot_at: slotAt,
    run_id: run.runId,
    holder: run.holder,
    started_at: run.startedAt,
    ended_at: run.endedAt ?? now,
  });
  noteSlotSuccess(session, lock, slotAt);
}

/** The slots named since the last success that no run has done, before `ownSlotAt` where there is one; oldest first. */
export function missedSlots(
  session: Session,
  lock: string,
  ownSlotAt: Date | null,
  lastSuccessSlotAt: number | null,
): Date[] {
  return session
    .all(sql.missed_slots, {
      lock,
      own_slot_at: ownSlotAt?.getTime() ?? null,
      last_success_slot_at: lastSuccessSlotAt,
    })
    .map((row) => readDate(row, 'slot_at'));
}
