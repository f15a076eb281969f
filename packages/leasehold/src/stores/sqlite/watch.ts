import type { LockState } from '../../domain/lock-state.ts';
import { isOverdueUntold, noneInIntervalMessage, SKIPS_COUNTED_MAX } from '../../domain/watch.ts';
import type { WatchReport } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readInteger, readText } from './columns.ts';
import type { SqliteConnection } from './connection.ts';
import { appendEvent } from './events.ts';
import { findLock } from './locks.ts';
import { tellNearEnd } from './near-end.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/watch.sql', import.meta.url), [
  'watched_locks',
  'mark_overdue_told',
  'mark_near_end_told',
  'skipped_since_run',
]);

const LOCKS_MAX = 100;

/**
 * Looks first and takes the write lock only where there is something to tell, because every call of the command
 * line looks. What it then tells is decided anew, inside the transaction that writes it.
 */
export async function watch(connection: SqliteConnection, timeoutMs: number): Promise<WatchReport> {
  const seen = await connection.read(watchedLocks, timeoutMs);
  if (seen.length === 0) return { raised: 0, isComplete: true };
  return await connection.write((session, now) => {
    const names = watchedLocks(session, now);
    const raised = names.reduce((count, name) => count + tell(session, findLock(session, name), now), 0);
    return { raised, isComplete: names.length < LOCKS_MAX };
  }, timeoutMs);
}

function watchedLocks(session: Session, now: number): string[] {
  return session.all(sql.watched_locks, { now, limit: LOCKS_MAX }).map((row) => readText(row, 'name'));
}

/** How many events of this lock were written, none of them a second time. */
function tell(session: Session, lock: LockState | null, now: number): number {
  if (lock === null) return 0;
  const isOverdue = isOverdueUntold(lock, now);
  if (isOverdue) tellOverdue(session, lock, now);
  const isNearEnd = tellNearEnd(session, lock, 'held', now);
  if (isNearEnd) session.run(sql.mark_near_end_told, { name: lock.name, now });
  return Number(isOverdue) + Number(isNearEnd);
}

function tellOverdue(session: Session, lock: LockState, now: number): void {
  const counted = session.get(sql.skipped_since_run, { lock: lock.name, limit: SKIPS_COUNTED_MAX });
  const skipped = counted === undefined ? 0 : readInteger(counted, 'skipped');
  const { since, overdueAt, pausedAt } = lock;
  session.run(sql.mark_overdue_told, { name: lock.name });
  appendEvent(session, {
    at: now,
    kind: 'run.none_in_interval',
    severity: pausedAt === null ? 'critical' : 'warning',
    lock: lock.name,
    // The latest run that got through: one episode, one run.
    runId: lock.runId,
    holder: lock.holder,
    message: noneInIntervalMessage(lock, skipped),
    data: { since: toIso(since), overdueAt: toIso(overdueAt), skipped, pausedAt: toIso(pausedAt) },
  });
}

function toIso(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
