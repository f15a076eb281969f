import assert from 'node:assert/strict';
import pg from 'pg';
import type { LockState } from '../../src/domain/lock-state.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import type { Store } from '../../src/ports/store.ts';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import type { StoreHarness, StoreUnderTest } from '../../src/testing/index.ts';
import { createDatabase, type PostgresVersion, type TestDatabase } from '../postgres.ts';
import { columnsOf } from './lock-columns.ts';

export interface PostgresHarnessOptions {
  /** Changes the installed schema before the first test, as a negative control does. */
  readonly prepare?: (admin: pg.Client) => Promise<void>;
  /** The URL by which the stores reach the database, for a pooler in between. Called for each store. */
  readonly through?: (url: string) => string;
  /** Connections of each store at most, default 4. */
  readonly connectionsMax?: number;
}

/**
 * A real PostgreSQL server under the suite. Its clock runs and nobody may set it, so time passes by
 * moving every stored instant into the past. One database for all tests, emptied before each.
 */
export function postgresHarness(version: PostgresVersion, options: PostgresHarnessOptions = {}): StoreHarness {
  let suite: Promise<Suite> | null = null;
  return {
    name: `PostgreSQL ${version}`,
    time: 'rows',
    async open() {
      suite ??= openSuite(version, options);
      return await openEmpty(await suite);
    },
    async end() {
      if (suite === null) return;
      const { admin, database } = await suite;
      await admin.end();
      await database.drop();
    },
  };
}

/** Every table but the one that says which migrations were made. */
const TABLES = 'locks runs slots events upkeep alerts pools records claims former_owners queue_marks'.split(' ');

/**
 * Truncating makes new files for each table and index and deletes the old ones, 20 ms a test; there are few rows to delete.
 * Numbers begin anew as well.
 */
const EMPTY = [
  ...TABLES.map((table) => `delete from leasehold.${table}`),
  `select setval(seqrelid, 1, false) from pg_sequence where seqrelid::regclass::text like 'leasehold.%'`,
].join('; ');

interface Suite {
  readonly database: TestDatabase;
  readonly connect: (url: string) => Promise<Store>;
  readonly admin: pg.Client;
  /** All columns of the schema's tables that hold an instant. */
  readonly instants: ReadonlyMap<string, readonly string[]>;
}

async function openSuite(version: PostgresVersion, options: PostgresHarnessOptions): Promise<Suite> {
  const database = await createDatabase(version);
  const store = await connect(database.url, false);
  await store.migrate();
  await store.close();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const { rows } = await admin.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'leasehold' and table_name = any ($1)
       and data_type = 'timestamp with time zone' and is_generated = 'NEVER' order by 1, 2`,
    [TABLES],
  );
  const instants = Map.groupBy(rows, (row) => row.table_name);
  await options.prepare?.(admin);
  return {
    database,
    connect: (url) => connect(options.through?.(url) ?? url, true, options.connectionsMax),
    admin,
    instants: new Map([...instants].map(([table, columns]) => [table, columns.map((column) => column.column_name)])),
  };
}

function connect(url: string, expectSchema: boolean, connectionsMax = 4): Promise<Store> {
  const name = new URL(url);
  name.username = '';
  name.password = '';
  return openPostgresStore({
    url,
    name: name.href,
    clock: systemClock,
    ids: systemIds,
    expectSchema,
    connectionsMax,
  });
}

async function openEmpty({ database, admin, instants, ...suite }: Suite): Promise<StoreUnderTest> {
  await admin.query(EMPTY);
  const store = await suite.connect(database.url);
  return {
    store,
    another: () => suite.connect(database.url),
    async advance(ms) {
      const moves = [...instants].flatMap(([table, columns]) =>
        (table === 'slots' ? [ms + FAR_AWAY_MS, -FAR_AWAY_MS] : [ms]).map((byMs) => {
          const set = columns.map((column) => `${column} = ${column} - ${byMs} * interval '1 millisecond'`);
          return `update leasehold.${table} set ${set.join(', ')}`;
        }),
      );
      // One round trip, and one transaction.
      await admin.query(moves.join('; '));
    },
    async now() {
      const { rows } = await admin.query<{ ms: string }>(
        'select floor(extract(epoch from clock_timestamp()) * 1000) as ms',
      );
      return Number(rows[0]?.ms);
    },
    async writeLock(name, patch) {
      await writeLock(admin, name, patch);
    },
    async deleteLock(name) {
      await admin.query('delete from leasehold.locks where name = $1', [name]);
    },
    async changeRows({ table, where, set }) {
      const columns = Object.keys(where);
      const places = columns.map((column, index) => `${column} = $${index + 1}`).join(' and ');
      const changes = Object.keys(set).map((column, index) => `${column} = $${columns.length + index + 1}`);
      const statement =
        changes.length === 0 ? `delete from leasehold.${table}` : `update leasehold.${table} set ${changes.join(', ')}`;
      const { rowCount } = await admin.query(`${statement} where ${places}`, [
        ...Object.values(where),
        ...Object.values(set),
      ]);
      assert.ok(rowCount !== null && rowCount > 0, `no row of ${table} to change`);
    },
    close: () => store.close(),
  };
}

/** Slots move there first, where no other is: they are unique, and one by one they would meet those that are yet to move. */
const FAR_AWAY_MS = 1_000 * 365 * 86_400_000;

const INSTANTS: ReadonlySet<string> = new Set([
  'since',
  'lease_until',
  'renewed_at',
  'free_at',
  'drain_until',
  'last_success_at',
  'last_success_slot_at',
  'paused_at',
  'next_slot_at',
  'overdue_at',
  'overdue_told',
  'near_end_told_at',
]);

async function writeLock(admin: pg.Client, name: string, patch: Partial<LockState>): Promise<void> {
  const columns = columnsOf({ ...patch, name });
  const names = columns.map(([column]) => column);
  const places = columns.map(([column], index) =>
    INSTANTS.has(column) ? `to_timestamp($${index + 1}::numeric / 1000)` : `$${index + 1}`,
  );
  await admin.query(
    `insert into leasehold.locks (${names.join(', ')}) values (${places.join(', ')})
     on conflict (name) do update set ${names.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    columns.map(([, value]) => value),
  );
}
