/** What `doctor` sees of a pooler: that it is there, and after what it hands a server process on. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import type { StoreFacts } from '../../src/domain/store-facts.ts';
import { openBench } from '../cli/command-line.ts';
import { adminUrl, createDatabase, POSTGRES_VERSIONS } from '../postgres.ts';
import { openStore } from '../stores/postgres/database.ts';
import { type Pooler, type PoolMode, startPooler } from './pooler.ts';

async function inspect(url: string): Promise<Extract<StoreFacts, { kind: 'postgres' }>> {
  const store = await openStore(url, false);
  try {
    const facts = await store.inspect();
    assert.ok(facts.kind === 'postgres');
    return facts;
  } finally {
    await store.close();
  }
}

/** Leaves the pooler with so many server processes that are idle. */
async function useAtOnce(url: string, count: number): Promise<void> {
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  await Promise.all(clients.map((client) => client.query('begin')));
  await Promise.all(clients.map((client) => client.query('rollback')));
  await Promise.all(clients.map((client) => client.end()));
}

for (const version of POSTGRES_VERSIONS) {
  describe(`PgBouncer in front of PostgreSQL ${version}`, () => {
    for (const mode of ['session', 'transaction', 'statement'] as const satisfies readonly PoolMode[]) {
      it(`is seen, in ${mode} mode, and the command line works through it`, async () => {
        await using pooler: Pooler = await startPooler(adminUrl(version), mode);
        await using database = await createDatabase(version);
        const url = pooler.through(database.url);
        const { pooler: seen, schema } = await inspect(url);
        assert.deepEqual(seen, { isBetween: true, sharing: mode });
        assert.equal(schema.installed, 0);
        await using bench = openBench(url);
        assert.equal((await bench.run(['migrate'])).code, 0);
        assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
        const findings = await bench.json<{ check: string; result: string; message: string }>(['doctor']);
        const found = findings.find(({ check }) => check === 'pooler');
        assert.equal(found?.result, 'ok');
        assert.match(found?.message ?? '', new RegExp(`^A pooler in ${mode} mode is in between. That works`));
      });
    }

    it('that hands processes round, or has but one, is seen to share them', async () => {
      await using database = await createDatabase(version);
      for (const setting of ['server_round_robin = 1', 'default_pool_size = 1']) {
        await using pooler = await startPooler(adminUrl(version), 'transaction', [setting]);
        const url = pooler.through(database.url);
        if (setting !== 'default_pool_size = 1') await useAtOnce(url, 6);
        const { pooler: seen } = await inspect(url);
        assert.deepEqual(seen, { isBetween: true, sharing: 'transaction' }, setting);
      }
    });

    it('that has no process for a second client is seen, and its mode is not', async () => {
      await using database = await createDatabase(version);
      await using pooler = await startPooler(adminUrl(version), 'session', ['default_pool_size = 1']);
      const { pooler: seen } = await inspect(pooler.through(database.url));
      assert.deepEqual(seen, { isBetween: true, sharing: null });
    });

    it('is not seen where there is none', async () => {
      await using database = await createDatabase(version);
      assert.deepEqual((await inspect(database.url)).pooler, { isBetween: false, sharing: null });
    });
  });
}
