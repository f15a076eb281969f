import pg from 'pg';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { createDatabase, type PostgresVersion } from '../postgres.ts';
import { mutate } from '../stores/postgres/mutate-function.ts';
import type { FunctionEdit } from '../conformance/postgres-mutations.ts';
import type { Subjects } from './subject.ts';

/**
 * PostgreSQL on a clock that stands still: in the database of the test, the functions that judge a lease ask
 * `property.now()` where they asked `clock_timestamp()`. So instants are compared exactly, and a lease's last
 * millisecond can be met. All else of them is as it is shipped; they run by the server's own clock in
 * `concurrent.test.ts` and in the conformance suite.
 */
export async function postgresSubjects(
  version: PostgresVersion,
  edits: readonly FunctionEdit[] = [],
): Promise<Subjects> {
  const database = await createDatabase(version);
  const options = { url: database.url, name: 'postgres://test', clock: systemClock, ids: systemIds };
  const store = await openPostgresStore({ ...options, expectSchema: false });
  await store.migrate();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  for (const { name, from, to } of edits) await mutate(admin, name, from, to);
  await stopClock(admin);
  // For as long as a second it remembers how far the queue is taken, and passes by what went back before that: here it looks.
  await mutate(admin, '_queue_mark', 'is_full := low_no is null', 'is_full := true');
  let now = Date.UTC(2026, 0, 5);
  let sequences = 0;
  const move = async (ms: number): Promise<void> => {
    now += ms;
    await admin.query('update property.clock set at = to_timestamp($1::numeric / 1000)', [now]);
  };
  return {
    name: `PostgreSQL ${version}`,
    async open() {
      sequences += 1;
      await move(0);
      return {
        store,
        locks: [`${sequences}-a`, `${sequences}-b`],
        startMs: now,
        hasBootClock: false,
        pass: move,
        suspend: move,
        stepWall: move,
        restart: move,
        close: async () => {},
      };
    },
    // Its pool has a connection for each call under way.
    another: async (subject) => subject.store,
    async [Symbol.asyncDispose]() {
      await admin.end();
      await store.close();
      await database.drop();
    },
  };
}

/** These wait for other transactions, and reckon no lease. */
const WAITERS: ReadonlySet<string> = new Set(['_wait_until', '_has_turn', '_row_of_start', '_refuse_in_transaction']);
const CLOCK = 'clock_timestamp()';

async function stopClock(admin: pg.Client): Promise<void> {
  await admin.query(`
    create schema property;
    create table property.clock (at timestamptz not null);
    insert into property.clock values ('2026-01-05T00:00:00Z');
    create function property.now() returns timestamptz language sql volatile as 'select at from property.clock';
  `);
  const { rows } = await admin.query<{ name: string }>(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'leasehold'::regnamespace and strpos(pg_get_functiondef(p.oid), $1) > 0`,
    [CLOCK],
  );
  for (const { name } of rows) if (!WAITERS.has(name)) await mutate(admin, name, CLOCK, 'property.now()');
}
