import type { LockState } from '../../domain/lock-state.ts';
import { planToKeep } from '../../domain/start-plan.ts';
import type { AcquireRequest } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/plan.sql', import.meta.url), ['note_plan']);

/** Keeps with the lock what its start knows of its schedule, if it knows one. `lock` is the row before the start. */
export function notePlan(
  session: Session,
  { plan, slotAt }: AcquireRequest,
  lock: LockState,
  proceeds: boolean,
  now: number,
): void {
  if (plan === null) return;
  const kept = planToKeep(lock, { plan, slotAt, proceeds }, now);
  session.run(sql.note_plan, {
    name: lock.name,
    schedule: kept.schedule,
    timezone: kept.timezone,
    next_slot_at: kept.nextSlotAt,
    overdue_at: kept.overdueAt,
    overdue_after_ms: kept.overdueAfterMs,
  });
}
