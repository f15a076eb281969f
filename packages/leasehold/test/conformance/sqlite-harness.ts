import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LockState } from '../../src/domain/lock-state.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import {
  CountingIds,
  FakeClock,
  type RowChange,
  type StoreHarness,
  type StoreUnderTest,
} from '../../src/testing/index.ts';
import { columnsOf } from './lock-columns.ts';

/**
 * The embedded store under the suite, on a clock that stands still between moves. Each test has a
 * file of its own; its clients share clock and ids, as processes of one host share them.
 */
export function sqliteFileHarness(): StoreHarness {
  return { name: 'SQLite, file', time: 'clock', open: openFile };
}

/** The same engine without a file: what one process has for its own tests. */
export function sqliteMemoryHarness(): StoreHarness {
  return {
    name: 'SQLite, :memory:',
    time: 'clock',
    missing: {
      second_client: 'an in-memory store has one client and ends with it',
      hand_written_rows: 'nobody else can reach into an in-memory store; the file shows the same',
    },
    open: openMemory,
  };
}

async function openFile(): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-conformance-'));
  const path = join(folder, 'store.db');
  const clock = new FakeClock();
  const ids = new CountingIds();
  const store = await openSqliteStore({ path, clock, ids });
  const database = new DatabaseSync(path);
  return {
    store,
    another: async () => await openSqliteStore({ path, clock, ids }),
    advance: (ms) => clock.advance(ms),
    now: async () => clock.read().wallMs,
    async writeLock(name, patch) {
      writeLock(database, name, patch);
    },
    async deleteLock(name) {
      database.prepare('delete from locks where name = ?').run(name);
    },
    async changeRows(change) {
      changeRows(database, change);
    },
    async close() {
      database.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openMemory(): Promise<StoreUnderTest> {
  const clock = new FakeClock();
  const store = await openSqliteStore({ path: ':memory:', clock, ids: new CountingIds() });
  return {
    store,
    another: async () => store,
    advance: (ms) => clock.advance(ms),
    now: async () => clock.read().wallMs,
    writeLock: unreachable,
    deleteLock: unreachable,
    changeRows: unreachable,
    close: () => store.close(),
  };
}

async function unreachable(): Promise<never> {
  throw new Error('an in-memory store is reached through its own client only');
}

function writeLock(database: DatabaseSync, name: string, patch: Partial<LockState>): void {
  const columns = columnsOf({ ...patch, name });
  const names = columns.map(([column]) => column);
  database
    .prepare(
      `insert into locks (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
       on conflict (name) do update set ${names.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    )
    .run(...columns.map(([, value]) => value));
}

function changeRows(database: DatabaseSync, { table, where, set }: RowChange): void {
  const places = Object.keys(where)
    .map((column) => `${column} = ?`)
    .join(' and ');
  const changes = Object.keys(set).map((column) => `${column} = ?`);
  const statement = changes.length === 0 ? `delete from ${table}` : `update ${table} set ${changes.join(', ')}`;
  const values = [...Object.values(set), ...Object.values(where)].map((value) => {
    if (value instanceof Date) return value.getTime();
    return typeof value === 'boolean' ? Number(value) : value;
  });
  const { changes: count } = database.prepare(`${statement} where ${places}`).run(...values);
  assert.ok(Number(count) > 0, `no row of ${table} to change`);
}
