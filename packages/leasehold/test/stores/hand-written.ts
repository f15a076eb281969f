/** Both engines with their tables laid open, for rows that no call of ours would write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import type { Store } from '../../src/ports/store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { POSTGRES_VERSIONS, TestStore } from './postgres/database.ts';

/** One store and a hand on its tables. Times are those of the system. */
export interface LaidOpen extends AsyncDisposable {
  readonly store: Store;
  /**
   * Runs statements in both dialects alike: `@name` is a table, `#ms#` an instant, `?flag?` a truth value.
   * Throws what the database says.
   */
  write(sql: string): Promise<void>;
  /** Makes every change of this lock's row fail until the end. */
  breakLock(name: string): Promise<void>;
}

export interface Engine {
  readonly name: string;
  open(): Promise<LaidOpen>;
}

const TABLE = /@(\w+)/g;
const INSTANT = /#(-?\d+)#/g;
const FLAG = /\?(true|false)\?/g;

async function openSqlite(): Promise<LaidOpen> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-by-hand-'));
  const path = join(folder, 'store.db');
  const store = await openSqliteStore({ path, clock: systemClock, ids: systemIds });
  await store.status({ lock: null, limit: 1 });
  const write = async (sql: string): Promise<void> => {
    using database = new DatabaseSync(path, { timeout: 5_000 });
    const flagged = sql.replaceAll(FLAG, (_, flag) => (flag === 'true' ? '1' : '0'));
    database.exec(flagged.replaceAll(TABLE, '$1').replaceAll(INSTANT, '$1'));
  };
  return {
    store,
    write,
    breakLock: (name) =>
      write(`create trigger broken before update on locks when old.name = '${name}' begin
        select raise(abort, 'this row always errors'); end`),
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openPostgres(version: (typeof POSTGRES_VERSIONS)[number]): Promise<LaidOpen> {
  const test = await TestStore.open(version);
  const client: pg.Client = await test.client();
  const write = async (sql: string): Promise<void> => {
    const instants = sql.replaceAll(INSTANT, (_, ms) => `to_timestamp(${ms}::numeric / 1000)`);
    await client.query(instants.replaceAll(TABLE, 'leasehold.$1').replaceAll(FLAG, '$1'));
  };
  return {
    store: test.store,
    write,
    breakLock: (name) =>
      write(`create function broken() returns trigger language plpgsql as $f$
        begin raise exception 'this row always errors'; end $f$;
        create trigger broken before update on leasehold.locks for each row when (old.name = '${name}')
        execute function broken()`),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

export const ENGINES: readonly Engine[] = [
  { name: 'SQLite', open: openSqlite },
  ...POSTGRES_VERSIONS.map((version): Engine => ({ name: `PostgreSQL ${version}`, open: () => openPostgres(version) })),
];
