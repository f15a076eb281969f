/**
 * The whole conformance suite through PgBouncer, in both pool modes, and the cases from the field that
 * broke locks tied to a connection (C42, C43).
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describeStore } from '../../src/testing/index.ts';
import { postgresHarness } from '../conformance/postgres-harness.ts';
import { adminUrl, createDatabase, POSTGRES_VERSIONS, type TestDatabase } from '../postgres.ts';
import { openStore, start } from '../stores/postgres/database.ts';
import { type Pooler, startPooler } from './pooler.ts';

const KILLED_CLIENT = fileURLToPath(new URL('./killed-client-child.ts', import.meta.url));

/** Moves the lease into the past, past the pooler. */
async function endLease(url: string, lock: string): Promise<void> {
  const direct = new pg.Client({ connectionString: url });
  await direct.connect();
  await direct.query("update leasehold.locks set lease_until = lease_until - interval '2 minutes' where name = $1", [
    lock,
  ]);
  await direct.end();
}

for (const version of POSTGRES_VERSIONS) {
  for (const mode of ['transaction', 'session'] as const) {
    let pooler: Pooler;
    before(async () => {
      pooler = await startPooler(adminUrl(version), mode);
    });
    after(async () => await pooler[Symbol.asyncDispose]());

    describeStore({
      ...postgresHarness(version, {
        through: (url) => pooler.through(url),
        // A session keeps its backend, and this pooler opens three new ones a second.
        ...(mode === 'session' ? { connectionsMax: 1 } : {}),
      }),
      name: `PostgreSQL ${version} behind PgBouncer, pool mode ${mode}`,
    });
  }

  describe(`a transaction pooler in front of PostgreSQL ${version}`, () => {
    let pooler: Pooler;
    let database: TestDatabase;
    before(async () => {
      pooler = await startPooler(adminUrl(version), 'transaction');
      database = await createDatabase(version);
      const store = await openStore(pooler.through(database.url), false);
      await store.migrate();
      await store.close();
    });
    after(async () => {
      await pooler[Symbol.asyncDispose]();
      await database.drop();
    });

    it('release works whichever backend runs the statement (C43)', async () => {
      const store = await openStore(pooler.through(database.url));
      const held = await store.acquire(start('wandering'));
      assert.ok(held.outcome === 'acquired');
      const blockers = await Promise.all(
        Array.from({ length: 7 }, async () => {
          const client = new pg.Client({ connectionString: pooler.through(database.url) });
          await client.connect();
          await client.query('begin');
          await client.query('select pg_backend_pid()');
          return client;
        }),
      );
      const direct = new pg.Client({ connectionString: database.url });
      await direct.connect();
      await direct.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle' and pid <> pg_backend_pid()`,
      );
      const released = await store.release({
        lock: 'wandering',
        token: held.token,
        status: 'success',
        afterMs: 0,
        lost: null,
      });
      assert.equal(released.outcome, 'released');
      await Promise.all([...blockers, direct].map(async (client) => await client.end()));
      await store.close();
    });

    it('a lock does not depend on its client: one that is gone keeps its lease, and no longer (C42, C43)', async () => {
      const gone = await openStore(pooler.through(database.url));
      await gone.acquire(start('orphan'));
      await gone.close();
      const store = await openStore(pooler.through(database.url));
      const skipped = await store.acquire(start('orphan'));
      assert.equal(skipped.outcome === 'skipped' && skipped.reason, 'held');
      await endLease(database.url, 'orphan');
      assert.equal((await store.acquire(start('orphan'))).outcome, 'reclaimed');
      await store.close();
    });

    it('a client that is killed in mid-run behind the pooler keeps its lease until its end, and no longer (C43)', async () => {
      const url = pooler.through(database.url);
      const child = spawn(process.execPath, [KILLED_CLIENT, url], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const store = await openStore(url);
      const early = await store.acquire(start('killed', { holder: 'next' }));
      assert.ok(early.outcome === 'skipped' && early.reason === 'held', early.message);
      await endLease(database.url, 'killed');
      const late = await store.acquire(start('killed', { holder: 'next' }));
      assert.ok(late.outcome === 'reclaimed', late.message);
      const released = await store.release({
        lock: 'killed',
        token: late.token,
        status: 'success',
        afterMs: 0,
        lost: null,
      });
      assert.equal(released.outcome, 'released');
      await store.close();
    });

    it('60 starts over the pooler at once have one winner', async () => {
      const stores = await Promise.all(
        Array.from({ length: 6 }, async () => await openStore(pooler.through(database.url))),
      );
      const answers = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => stores[index % 6]?.acquire(start('crowd'))),
      );
      assert.equal(answers.filter((answer) => answer?.proceed).length, 1);
      await Promise.all(stores.map(async (store) => await store.close()));
    });
  });
}
