/** Back-dates rows of a bench's SQLite store, so that no test waits for a lease to end. */
import { DatabaseSync } from 'node:sqlite';
import type { Bench } from './command-line.ts';

/** Moves a lease into the past: it was acquired ten minutes ago and has just ended. */
export function endLeaseNow(bench: Bench, lock: string): void {
  using database = openRows(bench);
  const moved = database
    .prepare(
      'update locks set lease_until = since, renewed_at = renewed_at - 600000, since = since - 600000 where name = ?',
    )
    .run(lock);
  if (moved.changes !== 1) throw new Error(`there is no lock ${lock}`);
}

/** True once the wrapper that holds the lock has told the store which process group its command is. */
export function knowsCommand(bench: Bench, lock: string): boolean {
  using database = openRows(bench);
  const row = database.prepare('select holder_info from locks where name = ?').get(lock);
  return String(row?.['holder_info']).includes('"childGroup":{');
}

/** The store's file, opened beside the processes that use it. */
export function openRows(bench: Pick<Bench, 'store'>): DatabaseSync {
  return new DatabaseSync(bench.store.slice('sqlite:'.length), { timeout: 5_000 });
}

/** Moves every claim of the pool that is under way into the past: it was made `agoMs` ago and has just ended. */
export function endClaimsNow(bench: Pick<Bench, 'store'>, pool: string, agoMs = 600_000): void {
  using database = openRows(bench);
  const moved = database
    .prepare(
      `update claims set lease_until = claimed_at, claimed_at = claimed_at - ?1, renewed_at = renewed_at - ?1
       where pool = ?2 and settled_at is null`,
    )
    .run(agoMs, pool);
  if (Number(moved.changes) < 1) throw new Error(`no claim of pool ${pool} is under way`);
}
