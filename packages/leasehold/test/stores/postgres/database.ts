/**
 * A migrated database for one test file, the store on it, and a plain client beside it: the client
 * plays psql, another transaction or a person who writes rows by hand.
 */
import pg from 'pg';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import type { AcquireRequest, Store } from '../../../src/ports/store.ts';
import { openPostgresStore } from '../../../src/stores/postgres/store.ts';
import { mutate } from './mutate-function.ts';
import { createDatabase, type PostgresVersion, type TestDatabase } from '../../postgres.ts';

export { POSTGRES_VERSIONS } from '../../postgres.ts';

export type Row = Record<string, unknown>;

export class TestStore implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly store: Store;
  readonly #clients: pg.Client[] = [];

  private constructor(database: TestDatabase, store: Store) {
    this.database = database;
    this.store = store;
  }

  static async open(version: PostgresVersion): Promise<TestStore> {
    const database = await createDatabase(version);
    const store = await openStore(database.url, false);
    await store.migrate();
    const test = new TestStore(database, store);
    await test.#breakGuards();
    return test;
  }

  /** The edits of a negative control (`negative-controls.test.ts`); none otherwise. */
  async #breakGuards(): Promise<void> {
    const edits = JSON.parse(process.env['LEASEHOLD_FUNCTION_EDITS'] ?? '[]') as [string, string, string][];
    if (edits.length === 0) return;
    const admin = await this.client();
    for (const [name, from, to] of edits) await mutate(admin, name, from, to);
  }

  /** A plain connection, closed with the rest. */
  async client(url: string = this.database.url): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end().catch(() => {})));
    await this.store.close();
    await this.database.drop();
  }
}

export async function openStore(url: string, expectSchema = true): Promise<Store> {
  return await openPostgresStore({ url, name: 'postgres://test', clock: systemClock, ids: systemIds, expectSchema });
}

/** Rows of one statement; each value as the driver gives it. */
export async function rows(client: pg.Client, statement: string, values: unknown[] = []): Promise<Row[]> {
  const result = await client.query<Row>(statement, values);
  return result.rows;
}

export async function row(client: pg.Client, statement: string, values: unknown[] = []): Promise<Row> {
  const [only] = await rows(client, statement, values);
  if (only === undefined) throw new Error(`no row from: ${statement}`);
  return only;
}

/** SQLSTATE and message of what a statement fails with; fails itself where it succeeds. */
export async function failure(
  client: pg.Client,
  statement: string,
  values: unknown[] = [],
): Promise<{ code: string; message: string }> {
  try {
    await client.query(statement, values);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  throw new Error(`it should have failed: ${statement}`);
}

/** A start as the engine would send it. */
export function start(lock: string, patch: Partial<AcquireRequest> = {}): AcquireRequest {
  return {
    lock,
    leaseMs: 60_000,
    holder: 'holder-1',
    holderInfo: null,
    runId: systemIds.newId(),
    slotAt: null,
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 1_000,
    waiting: false,
    bypassReason: null,
    plan: null,
    ...patch,
  };
}

/** Lets `ms` pass for one lock by moving its instants into the past. */
export async function backDate(client: pg.Client, lock: string, ms: number): Promise<void> {
  await client.query(
    `update leasehold.locks set since = since - $2 * interval '1 ms', lease_until = lease_until - $2 * interval '1 ms',
      renewed_at = renewed_at - $2 * interval '1 ms', drain_until = drain_until - $2 * interval '1 ms'
     where name = $1`,
    [lock, ms],
  );
}

/** Waits until some backend waits for a row, in its queue or between two looks: bounded, so that a test fails rather than hangs. */
export async function someoneWaits(client: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { waiting } = await row(
      client,
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and (wait_event_type = 'Lock' or wait_event = 'PgSleep')`,
    );
    if ((waiting as number) > 0) return;
    await systemClock.sleep(10);
  }
  throw new Error('nobody waits for a lock');
}
