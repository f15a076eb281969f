/** What a PostgreSQL store says of itself: real settings, roles, sessions and servers, on both ends of the range. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { judgePostgres } from '../../../src/domain/doctor-postgres.ts';
import type { PostgresFacts } from '../../../src/domain/store-facts.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { openPostgresStore } from '../../../src/stores/postgres/store.ts';
import { startPostgres } from '../../postgres-server.ts';
import { POSTGRES_VERSIONS, row, TestStore } from './database.ts';

async function inspect(url: string, clock: Clock = systemClock): Promise<PostgresFacts> {
  const store = await openPostgresStore({ url, name: 'postgres://test', clock, ids: systemIds, expectSchema: false });
  try {
    const facts = await store.inspect();
    assert.ok(facts.kind === 'postgres');
    return facts;
  } finally {
    await store.close();
  }
}

function resultOf(facts: PostgresFacts, check: string): string {
  return judgePostgres(facts).find((finding) => finding.check === check)?.result ?? 'none';
}

for (const version of POSTGRES_VERSIONS) {
  describe(`PostgreSQL ${version}`, { concurrency: false }, () => {
    let test: TestStore;
    let admin: pg.Client;
    let name = '';
    before(async () => {
      test = await TestStore.open(version);
      admin = await test.client();
      name = String((await row(admin, 'select current_database() as name'))['name']);
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** Sets something for whoever connects to the database from now on, and sets it back. */
    async function withSetting(setting: string, value: string): Promise<PostgresFacts> {
      await admin.query(`alter database ${name} set ${setting} = '${value}'`);
      try {
        return await inspect(test.database.url);
      } finally {
        await admin.query(`alter database ${name} reset ${setting}`);
      }
    }

    it('names version, schema, role and settings as they are', async () => {
      const facts = await inspect(test.database.url);
      assert.equal(Math.floor(facts.versionNumber / 10_000), version);
      assert.ok(facts.version.startsWith(`${version}.`));
      assert.equal(facts.schema.installed, facts.schema.known);
      assert.deepEqual(facts.rights, {
        role: 'postgres',
        isSuperuser: true,
        isOwner: true,
        maySee: true,
        missing: [],
      });
      assert.deepEqual([facts.isStandby, facts.isReadOnly], [false, false]);
      assert.equal(facts.settings.synchronous_commit, 'on');
      assert.deepEqual(facts.pooler, { isBetween: false, sharing: null });
    });

    it('settings of role or database show in the next session', async () => {
      const off = await withSetting('synchronous_commit', 'off');
      assert.equal(resultOf(off, 'durability'), off.settings.fsync === 'off' ? 'problem' : 'warning');
      assert.equal(off.settings.synchronous_commit, 'off');
      assert.equal(resultOf(await withSetting('default_transaction_read_only', 'on'), 'writable'), 'problem');
      assert.equal(resultOf(await withSetting('statement_timeout', '700'), 'timeouts'), 'warning');
      assert.equal(resultOf(await withSetting('lock_timeout', '0.2s'), 'timeouts'), 'warning');
      const level = await withSetting('default_transaction_isolation', 'repeatable read');
      assert.equal(level.settings.default_transaction_isolation, 'repeatable read');
    });

    it('a role without rights is told what it lacks, and one with them that it lacks nothing', async () => {
      const role = `doctor_${systemIds.newId().replaceAll('-', '')}`;
      await admin.query(`create role ${role} login password '${role}'`);
      const url = new URL(test.database.url);
      [url.username, url.password] = [role, role];
      try {
        const bare = await inspect(url.href);
        assert.equal(bare.rights.maySee, false);
        assert.deepEqual([bare.schema.installed, resultOf(bare, 'rights')], [null, 'problem']);
        await admin.query(`select leasehold.grant_to('${role}')`);
        const granted = await inspect(url.href);
        assert.deepEqual(granted.rights, { role, isSuperuser: false, isOwner: false, maySee: true, missing: [] });
        assert.equal(resultOf(granted, 'rights'), 'ok');
        await admin.query(`revoke execute on all functions in schema leasehold from ${role}`);
        await admin.query(`grant execute on function leasehold.schema_version() to ${role}`);
        const partly = await inspect(url.href);
        assert.ok(partly.rights.missing.includes('acquire') && !partly.rights.missing.includes('schema_version'));
        assert.ok(partly.rights.missing.every((each) => !each.startsWith('_')));
      } finally {
        await admin.query(`drop owned by ${role}; drop role ${role}`);
      }
    });

    it("a host's clock that is ten minutes off shows, however the server's is", async () => {
      const read = (): ReturnType<Clock['read']> => {
        const reading = systemClock.read();
        return { ...reading, wallMs: reading.wallMs + 600_000 };
      };
      const facts = await inspect(test.database.url, { ...systemClock, bootId: systemClock.bootId, read });
      const offMs = facts.clock.serverAt - facts.clock.askedAt;
      assert.ok(Math.abs(offMs + 600_000) < 5_000, String(offMs));
      assert.equal(resultOf(facts, 'clock'), 'warning');
      assert.equal(resultOf(await inspect(test.database.url), 'clock'), 'ok');
    });

    it('a transaction that stays open is seen by who may see it', async () => {
      const old = await test.client();
      await old.query('begin; select 1 from leasehold.locks');
      const { transactionMs } = (await inspect(test.database.url)).old;
      assert.ok(transactionMs !== null && transactionMs >= 0);
      await old.query('rollback');
    });

    it('a connected standby is counted', async () => {
      const alone = await inspect(test.database.url);
      const sender = new pg.Client({ connectionString: test.database.url, replication: 'true' } as pg.ClientConfig);
      await sender.connect();
      try {
        const facts = await inspect(test.database.url);
        assert.equal(facts.standbys.count, alone.standbys.count + 1);
        assert.equal(resultOf(facts, 'replication'), 'warning');
      } finally {
        await sender.end();
      }
    });
  });
}

describe('a server of its own', () => {
  it('without fsync is a problem, and so is one that is a standby; a named standby that is away is a warning', async () => {
    await using server = await startPostgres(18, { settings: ['synchronous_standby_names=ghost'] });
    const facts = await inspect(server.url);
    assert.equal(resultOf(facts, 'durability'), 'problem');
    assert.equal(resultOf(facts, 'replication'), 'warning');
    assert.equal(resultOf(facts, 'schema'), 'problem');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { folder } = await row(client, `select current_setting('data_directory') as folder`);
    await client.end();
    await server.stop();
    writeFileSync(join(String(folder), 'standby.signal'), '');
    await server.start();
    const standby = await inspect(server.url);
    assert.equal(standby.isStandby, true);
    assert.equal(resultOf(standby, 'writable'), 'problem');
  });
});
