/** Databases and sessions as they are found in the field: other date styles, string rules and encodings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { installScript } from '../../../src/stores/postgres/migrate.ts';
import { adminUrl, createDatabase, POSTGRES_VERSIONS } from '../../postgres.ts';
import { openStore, row, start, TestStore } from './database.ts';

describe('the script to paste', () => {
  it('is plain ASCII, so that every encoding has its characters', () => {
    assert.match(installScript(), /^[\t\n\x20-\x7e]*$/);
  });
});

for (const version of POSTGRES_VERSIONS) {
  describe(`settings on PostgreSQL ${version}`, () => {
    for (const setting of [
      "datestyle to 'German, DMY'",
      "timezone to 'Asia/Kathmandu'",
      "intervalstyle to 'iso_8601'",
    ]) {
      it(`a database with ${setting} answers with the same instants`, async () => {
        await using test = await TestStore.open(version);
        const client = await test.client();
        await client.query(`alter database ${new URL(test.database.url).pathname.slice(1)} set ${setting}`);
        const store = await openStore(test.database.url);
        const slotAt = new Date('2026-03-29T01:00:00.000Z');
        const held = await store.acquire(start('styled', { slotAt }));
        assert.ok(held.outcome === 'acquired');
        assert.ok(Math.abs(held.leaseUntil.getTime() - Date.now() - 60_000) < 10_000, String(held.leaseUntil));
        const [run] = await store.runs({ lock: 'styled', runId: null, limit: 1 });
        assert.equal(run?.slotAt?.getTime(), slotAt.getTime());
        await store.close();
      });
    }

    it('standard_conforming_strings may be off, for the installer and for callers', async () => {
      const database = await createDatabase(version);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('set standard_conforming_strings to off; set escape_string_warning to off');
      await client.query(installScript());
      await row(client, "select * from leasehold.acquire('it''s a job', '1 minute', 'h')");
      const { message } = await row(client, "select * from leasehold.acquire('it''s a job', '1 minute', 'h')");
      assert.match(String(message), /leasehold force-release 'it'\\''s a job' --reason TEXT$/);
      await client.end();
      await database.drop();
    });

    it('a LATIN1 database works; SQL_ASCII, which knows no characters, is refused', async () => {
      const admin = new pg.Client({ connectionString: adminUrl(version) });
      await admin.connect();
      for (const [encoding, works] of [
        ['LATIN1', true],
        ['SQL_ASCII', false],
      ] as const) {
        const name = `encoded_${encoding.toLowerCase()}_${process.pid}`;
        await admin.query(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
        const url = new URL(adminUrl(version));
        url.pathname = `/${name}`;
        const store = await openStore(url.href, false);
        if (works) {
          await store.migrate();
          assert.equal((await store.acquire(start('größe'))).outcome, 'acquired');
        } else {
          await assert.rejects(store.migrate(), {
            code: 'STORE_UNUSABLE',
            message:
              "Store postgres://test can't be used (Leasehold needs a database with a character encoding; this one is SQL_ASCII, UTF8 is best); nothing was installed",
          });
        }
        await store.close();
        await admin.query(`drop database ${name} with (force)`);
      }
      await admin.end();
    });

    it('a server that is too old is told so, and gets nothing', async () => {
      await using database = await createDatabase(version);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const asOfTheFuture = installScript().replace('integer < 150000', 'integer < 990000');
      await assert.rejects(client.query(asOfTheFuture), {
        code: 'LH004',
        message: new RegExp(`^Leasehold needs PostgreSQL 15 or later, this is ${version}\\.`),
      });
      await client.query('rollback');
      assert.deepEqual((await client.query("select to_regnamespace('leasehold') as schema")).rows, [{ schema: null }]);
      await client.end();
    });

    it('the installer trusts nothing that another role has put there', async () => {
      const role = `other_${process.pid}_${version}`;
      await using database = await createDatabase(version);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(`create role ${role}`);
      const store = await openStore(database.url, false);
      await client.query(`create schema leasehold authorization ${role}`);
      await assert.rejects(store.migrate(), {
        code: 'STORE_UNUSABLE',
        message: `Store postgres://test can't be used (the schema leasehold belongs to role ${role}; install and update as that role); nothing was installed`,
      });
      await client.query('alter schema leasehold owner to current_user');
      await client.query('create table leasehold.locks (name text)');
      await client.query(`alter table leasehold.locks owner to ${role}`);
      await assert.rejects(store.migrate(), {
        code: 'STORE_UNUSABLE',
        message:
          "Store postgres://test can't be used (the schema leasehold has objects of another role, or triggers; look at them first); nothing was installed",
      });
      await client.query('alter table leasehold.locks owner to current_user');
      await assert.rejects(store.migrate(), {
        code: 'STORE_UNUSABLE',
        message: /; something else has this name in the schema leasehold$/,
      });
      await client.query('drop table leasehold.locks');
      assert.deepEqual(await store.migrate(), { from: 0, to: 3 });
      await store.close();
      await client.query(`drop role ${role}`);
      await client.end();
    });
  });
}
