/** Installing and updating: at once from many processes, by paste, by an owner apart from the runtime role. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { LeaseholdError } from '../../../src/errors.ts';
import { installScript, loadMigrations } from '../../../src/stores/postgres/install-script.ts';
import { createDatabase, type TestDatabase } from '../../postgres.ts';
import { mutate } from './mutate-function.ts';
import { failure, openStore, POSTGRES_VERSIONS, row, start, TestStore } from './database.ts';

const MIGRATOR = fileURLToPath(new URL('./migrate-child.ts', import.meta.url));

const isError =
  (code: string, message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof LeaseholdError && error.code === code && message.test(error.message);

for (const version of POSTGRES_VERSIONS) {
  describe(`migrations on PostgreSQL ${version}`, () => {
    let database: TestDatabase;
    before(async () => {
      database = await createDatabase(version);
    });
    after(async () => await database.drop());

    it('a store without a schema is refused, with what to do', async () => {
      await assert.rejects(openStore(database.url), isError('SCHEMA_MISSING', /run: leasehold migrate$/));
    });

    it('12 processes that migrate at once all succeed, and the schema is there once', async () => {
      const exits = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const child = spawn(process.execPath, [MIGRATOR, database.url], { stdio: ['ignore', 'ignore', 'inherit'] });
          const [code] = (await once(child, 'exit')) as [number | null];
          return code;
        }),
      );
      assert.deepEqual(
        exits,
        Array.from({ length: 12 }, () => 0),
      );
      const store = await openStore(database.url);
      assert.deepEqual(await store.migrate(), { from: 3, to: 3 });
      await store.close();
    });

    it('a store without records gets them, keeps what it has, and tells events of pools', async () => {
      await using older = await createDatabase(version);
      const client = new pg.Client({ connectionString: older.url });
      await client.connect();
      await client.query(installScript(loadMigrations().slice(0, 1)));
      await client.query("select * from leasehold.acquire('job', interval '1 minute', 'old')");
      await client.query("select * from leasehold.release('job', 'none')");
      await client.query(installScript());
      await client.query("select * from leasehold.done('mails', 'a', 'nobody')");
      const events = await client.query("select kind, pool from leasehold.events(kind => 'release.refused')");
      assert.deepEqual(events.rows, [{ kind: 'release.refused', pool: null }]);
      await client.end();
      const store = await openStore(older.url);
      assert.deepEqual(await store.migrate(), { from: 3, to: 3 });
      assert.equal((await store.acquire(start('job'))).outcome, 'skipped');
      const [newest] = await store.events({ lock: null, kind: null, pool: 'mails', limit: 10 });
      assert.deepEqual([newest?.kind, newest?.pool, newest?.recordId], ['verdict.refused', 'mails', 'a']);
      await store.close();
    });

    it('a store of version 2 gets the functions of today, and loses those that are gone', async () => {
      await using older = await createDatabase(version);
      const client = new pg.Client({ connectionString: older.url });
      await client.connect();
      await client.query(installScript());
      const functions = `select p.oid::regprocedure::text || ' ' || md5(p.prosrc) || coalesce(p.proacl::text, '') as one
        from pg_proc p where p.pronamespace = 'leasehold'::regnamespace order by 1`;
      const installed = await client.query(functions);
      await client.query('delete from leasehold.migrations where version > 2');
      await client.query(`create function leasehold._arrive_patiently(
          settings leasehold.pools, ids text[], versions text[], payloads text[], not_befores timestamptz[], places integer[],
          namespace text, inout until_at timestamptz, out busy integer[]) language plpgsql as 'begin end'`);
      await mutate(client, '_settle_strays', 'passed_by := passed_by + 1;', '');
      assert.notDeepEqual((await client.query(functions)).rows, installed.rows);
      await client.query(installScript());
      assert.deepEqual((await client.query(functions)).rows, installed.rows);
      await client.end();
    });

    it('the script can be pasted again and again, without losing a lock', async () => {
      const store = await openStore(database.url);
      const held = await store.acquire(start('kept'));
      assert.equal(held.outcome, 'acquired');
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(installScript());
      await client.query(installScript());
      await client.end();
      const skipped = await store.acquire(start('kept'));
      assert.equal(skipped.outcome === 'skipped' && skipped.reason, 'held');
      await store.close();
    });

    it('code that is older than the schema allows is refused politely', async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query("insert into leasehold.migrations (version, name, breaking) values (999, 'later', true)");
      const refused = isError(
        'SCHEMA_NEWER',
        /^Store \S+ has schema version 999, which needs Leasehold of schema 999 or later; this one knows 3: update leasehold$/,
      );
      await assert.rejects(openStore(database.url), refused);
      const unopened = await openStore(database.url, false);
      await assert.rejects(unopened.migrate(), refused);
      await unopened.close();
      await client.query('update leasehold.migrations set breaking = false where version = 999');
      const store = await openStore(database.url);
      await store.close();
      await client.query('delete from leasehold.migrations where version = 999');
      await client.end();
    });
  });

  describe(`owner and runtime apart on PostgreSQL ${version}`, () => {
    const role = `runtime_${randomBytes(4).toString('hex')}`;
    let test: TestStore;
    let url: string;
    before(async () => {
      test = await TestStore.open(version);
      const admin = await test.client();
      await admin.query(`create role ${role} login password 'runtime'`);
      const of = new URL(test.database.url);
      of.username = role;
      of.password = 'runtime';
      url = of.href;
    });
    after(async () => {
      const admin = await test.client();
      await admin.query(`drop owned by ${role}`);
      await admin.query(`drop role ${role}`);
      await test[Symbol.asyncDispose]();
    });

    it('a role without rights is told which grant it needs', async () => {
      await assert.rejects(openStore(url), isError('STORE_FORBIDDEN', /leasehold\.grant_to\('ROLE'\)/));
    });

    it('the runtime role needs EXECUTE alone: the whole round works, and no table can be read', async () => {
      await test.store.migrate({ grantTo: role });
      const store = await openStore(url);
      const held = await store.acquire(start('runtime'));
      assert.ok(held.outcome === 'acquired');
      const { token } = held;
      assert.equal(
        (await store.renew({ lock: 'runtime', token, leaseMs: null, progress: null, holderInfo: null })).outcome,
        'renewed',
      );
      assert.equal(await store.isHolder('runtime', token), true);
      const released = await store.release({ lock: 'runtime', token, status: 'success', afterMs: 0, lost: null });
      assert.equal(released.outcome, 'released');
      const forced = await store.forceRelease({ lock: 'runtime', reason: 'test', atOnce: true });
      assert.equal(forced.outcome, 'already_free');
      assert.equal((await store.status({ lock: 'runtime', limit: 1 })).length, 1);
      assert.equal((await store.runs({ lock: 'runtime', runId: null, limit: 5 })).length, 1);
      assert.equal((await store.events({ lock: 'runtime', kind: null, limit: 5 })).length, 0);
      const client = await test.client(url);
      assert.equal((await failure(client, 'select from leasehold.locks')).code, '42501');
      assert.equal((await failure(client, "select leasehold._check_text('a', 'b', 1)")).code, '42501');
      assert.equal((await failure(client, "select leasehold.grant_to('public')")).code, '42501');
      await store.close();
    });

    it('its rights may be given by many sessions at once', async () => {
      const admins = await Promise.all(Array.from({ length: 6 }, () => test.client()));
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(admins.map((admin) => admin.query('select leasehold.grant_to($1)', [role])));
      }
    });

    it('a role can’t lead the owner’s functions astray with objects of its own', async () => {
      const client = await test.client(url);
      await client.query('create temp table locks (name text)');
      await client.query(
        "create function pg_temp.clock_timestamp() returns timestamptz language sql return '2000-01-01'::timestamptz",
      );
      await client.query('set search_path to pg_temp, leasehold');
      const answer = await row(client, "select * from leasehold.acquire('astray', '1 minute', 'h')");
      assert.ok((answer['lease_until'] as Date).getTime() > Date.now());
    });
  });
}
