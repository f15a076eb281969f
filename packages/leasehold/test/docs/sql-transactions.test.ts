/**
 * What docs/sql-api.md says that the check for transactions lets through and what it refuses, and how
 * assert_holder sees the lock under the other isolation levels. A change here is a change of the page.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, TestStore } from '../stores/postgres/database.ts';

const acquire = (lock: string): string =>
  `select outcome, token from leasehold.acquire('${lock}', '1 minute', 'exec-1')`;

for (const version of POSTGRES_VERSIONS) {
  describe(`what docs/sql-api.md says of transactions, on PostgreSQL ${version}`, () => {
    let store: TestStore;
    let client: pg.Client;
    let other: pg.Client;
    before(async () => {
      store = await TestStore.open(version);
      client = await store.client();
      other = await store.client();
      await client.query('create table work (lock text, token text)');
    });
    after(async () => await store[Symbol.asyncDispose]());

    const isKnown = async (lock: string): Promise<boolean> =>
      (await rows(client, 'select from leasehold.status($1)', [lock])).length > 0;

    it('a young transaction that has only read gets an answer, keeps rivals out as contended, and can take it back', async () => {
      await client.query('begin');
      await client.query('select count(*) from work');
      assert.equal((await row(client, acquire('young')))['outcome'], 'acquired');
      const rival = await row(other, "select outcome, reason from leasehold.acquire('young', '1 minute', 'rival')");
      assert.deepEqual(rival, { outcome: 'skipped', reason: 'contended' });
      assert.deepEqual(await rows(other, "select from leasehold.status('young')"), [], 'nobody sees it');
      await client.query('rollback');
      const [afterwards] = await rows(other, "select state from leasehold.status('young')");
      assert.notEqual(afterwards?.['state'], 'held');
    });

    it('of several statements in one text a later failure takes the lease back, and a second acquire is refused', async () => {
      assert.equal((await failure(client, `${acquire('text')}; select 1/0`)).code, '22012');
      assert.equal(await isKnown('text'), false);
      assert.equal((await failure(client, `${acquire('text-1')}; ${acquire('text-2')}`)).code, 'LH003');
      assert.equal(await isKnown('text-1'), false);
    });

    it('a statement that writes after the call is let through, and lease and row stand or fall together', async () => {
      const insert = (lock: string, into: string): string =>
        `insert into ${into} select lock, token from leasehold.acquire('${lock}', '1 minute', 'exec-1')`;
      await client.query(insert('insert', 'work'));
      assert.equal((await row(client, "select state from leasehold.status('insert')"))['state'], 'held');
      await client.query('create table never (lock text, token text, check (false))');
      assert.equal((await failure(client, insert('never', 'never'))).code, '23514');
      assert.equal(await isKnown('never'), false);
    });

    it('two calls in one statement are refused, and so is one beside a writing with, or one a column', async () => {
      const refused = [
        `${acquire('twice-1')} union all ${acquire('twice-2')}`,
        `with written as (insert into work values ('x', 'y') returning 1) select * from written, (${acquire('with')}) a`,
        "select (leasehold.acquire('columns', '1 minute', 'exec-1')).*",
      ];
      for (const statement of refused) assert.equal((await failure(client, statement)).code, 'LH003', statement);
    });

    for (const level of ['repeatable read', 'serializable']) {
      it(`under ${level} an assert fails with 40001 where the row has changed since the snapshot`, async () => {
        const lock = `snapshot ${level}`;
        const ask = 'select fence from leasehold.assert_holder($1, $2)';
        const { token } = await row(other, acquire(lock));
        await client.query(`begin isolation level ${level}`);
        await client.query('select count(*) from work');
        await other.query("select leasehold.force_release($1, 'stuck', true)", [lock]);
        assert.equal((await failure(client, ask, [lock, token])).code, '40001');
        await client.query('rollback');

        await client.query(`begin isolation level ${level}`);
        await client.query('select count(*) from work');
        assert.equal((await row(other, acquire(lock)))['outcome'], 'reclaimed');
        assert.equal((await failure(client, ask, [lock, token])).code, '40001');
        await client.query('rollback');
      });
    }
  });
}
