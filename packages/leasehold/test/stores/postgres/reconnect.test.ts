/** Connections that are no good any more although they are open: of a server that turned read-only, and one that ended them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../../src/platform/system-clock.ts';
import {
  adminUrl,
  createDatabase,
  POSTGRES_VERSIONS,
  type PostgresVersion,
  type TestDatabase,
} from '../../postgres.ts';
import { openStore, start } from './database.ts';
import { mutate } from './mutate-function.ts';

/** From another database: a session of this one would have its settings. */
async function alter(database: TestDatabase, version: PostgresVersion, setting: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl(version) });
  await client.connect();
  await client.query(`alter database ${pg.escapeIdentifier(new URL(database.url).pathname.slice(1))} ${setting}`);
  await client.end();
}

async function migrated(version: PostgresVersion): Promise<TestDatabase> {
  const database = await createDatabase(version);
  const store = await openStore(database.url, false);
  await store.migrate();
  await store.close();
  return database;
}

for (const version of POSTGRES_VERSIONS) {
  describe(`connections to PostgreSQL ${version}`, () => {
    it('that turned read-only are given up: the next call finds the primary that is there by then (C39)', async () => {
      await using database = await migrated(version);
      await alter(database, version, 'set default_transaction_read_only to on');
      const store = await openStore(database.url);
      await assert.rejects(store.acquire(start('a')), { code: 'STORE_UNREACHABLE', message: /read-only/ });
      // A session keeps the setting that it began with, as a demoted primary keeps its clients.
      await alter(database, version, 'reset default_transaction_read_only');
      assert.equal((await store.acquire(start('a'))).outcome, 'acquired');
      await store.close();
    });

    it('a call that crosses with the server’s farewell to an idle connection is made again on another one', async () => {
      await using database = await migrated(version);
      const admin = new pg.Client({ connectionString: database.url });
      await admin.connect();
      // A sequence is not rolled back: the first call alone meets the farewell, the others note their connections.
      await admin.query('create sequence farewells; create table callers (pid integer)');
      await mutate(
        admin,
        'pause',
        'begin\n',
        `begin
          if nextval('public.farewells') = 1 then raise exception using errcode = '57P05', message = pg_backend_pid()::text; end if;
          insert into public.callers values (pg_backend_pid());`,
      );
      const store = await openStore(database.url);
      assert.equal((await store.pause({ lock: 'a', reason: null })).outcome, 'paused');
      const { rows } = await admin.query(
        'select count(*)::int as calls, last_value::int as tries from callers, farewells group by 2',
      );
      assert.deepEqual(rows, [{ calls: 1, tries: 2 }]);
      await store.close();
      await admin.end();
    });

    it('that the server ended because they were idle are replaced', async () => {
      await using database = await migrated(version);
      await alter(database, version, "set idle_session_timeout to '20ms'");
      const store = await openStore(database.url);
      const lease = await store.acquire(start('a'));
      assert.ok(lease.outcome === 'acquired');
      const { token } = lease;
      for (let turn = 0; turn < 10; turn += 1) {
        // Around the server's own limit: some of these calls cross with its farewell.
        await systemClock.sleep(15 + turn);
        assert.equal(
          (await store.renew({ lock: 'a', token, leaseMs: null, progress: null, holderInfo: null })).outcome,
          'renewed',
        );
      }
      await store.close();
    });
  });
}
