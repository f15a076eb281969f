import { RUNS_KEPT } from '../../domain/retention.ts';
import type { PruneReport, PruneRequest } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readIntegerOrNull, readText, readTextOrNull } from './columns.ts';
import type { SqliteConnection } from './connection.ts';
import type { Session } from './session.ts';

const sql = loadSqlBlocks(new URL('./sql/prune.sql', import.meta.url), [
  'duty',
  'note_duty',
  'lock_after',
  'newest_kept',
  'prune_runs',
  'prune_events',
  'prune_claims',
  'prune_former_owners',
]);

const LOCKS_MAX = 100;

/** How far retention has come: `doneAt` is null while it is under way, and before the first time. */
interface Duty {
  readonly doneAt: number | null;
  readonly afterLock: string;
}

/**
 * One batch of retention, in one transaction. Reads first whether it is due, since every call of the command line
 * asks. Where a crash ends it, the next call goes on after the last lock that was done.
 */
export async function prune(
  connection: SqliteConnection,
  request: PruneRequest,
  timeoutMs: number,
): Promise<PruneReport> {
  const rests = (session: Session, now: number): boolean => isResting(readDuty(session), request.everyMs, now);
  if (await connection.read(rests, timeoutMs)) return NOT_DUE;
  return await connection.write(
    (session, now) => (rests(session, now) ? NOT_DUE : pruneBatch(session, request, now)),
    timeoutMs,
  );
}

const NOT_DUE: PruneReport = { isDue: false, runs: 0, events: 0, isComplete: true };

/** A clock that was ahead must not keep retention from ever being done again. */
function isResting({ doneAt }: Duty, everyMs: number, now: number): boolean {
  return doneAt !== null && doneAt >= now - everyMs && doneAt <= now;
}

function readDuty(session: Session): Duty {
  const row = session.get(sql.duty);
  if (row === undefined) return { doneAt: null, afterLock: '' };
  return { doneAt: readIntegerOrNull(row, 'done_at'), afterLock: readText(row, 'after_lock') };
}

function pruneBatch(session: Session, { runsMs, eventsMs, limit }: PruneRequest, now: number): PruneReport {
  const events = session.all(sql.prune_events, { before: now - eventsMs, limit }).length;
  const duty = readDuty(session);
  let afterLock = duty.doneAt === null ? duty.afterLock : '';
  let runs = 0;
  let isThrough = false;
  for (let looked = 0; looked < LOCKS_MAX && runs < limit; looked += 1) {
    const row = session.get(sql.lock_after, { after: afterLock });
    const lock = row === undefined ? null : readTextOrNull(row, 'lock');
    isThrough = lock === null;
    if (lock === null) break;
    runs += pruneRuns(session, lock, now - runsMs, limit - runs);
    // Where the limit was reached, this lock may have more: it is looked at once more.
    if (runs < limit) afterLock = lock;
  }
  const claims = session.all(sql.prune_claims, { before: now - runsMs, limit }).length;
  const owners = session.all(sql.prune_former_owners, { before: now - runsMs, limit }).length;
  const isComplete = isThrough && events < limit && claims < limit && owners < limit;
  session.run(sql.note_duty, { done_at: isComplete ? now : null, after_lock: afterLock });
  return { isDue: true, runs, events, isComplete };
}

function pruneRuns(session: Session, lock: string, before: number, limit: number): number {
  const kept = session.get(sql.newest_kept, { lock, kept: RUNS_KEPT });
  const newest = kept === undefined ? null : readIntegerOrNull(kept, 'newest');
  if (kept === undefined || newest === null) return 0;
  const thatRan = readIntegerOrNull(kept, 'that_ran');
  return session.all(sql.prune_runs, { lock, newest, that_ran: thatRan, before, limit }).length;
}
