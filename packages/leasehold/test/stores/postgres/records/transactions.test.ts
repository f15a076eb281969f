/**
 * Inside a transaction that could roll back, or that nobody can see into yet, nothing is claimed, begun, extended or given
 * back. Verdicts and enqueues are allowed there: what is rolled back was not said, and never known.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, TestStore } from '../database.ts';
import { claimNext, fill, stored, tokenOf } from './stage.ts';

const REFUSED = [
  "claim('p', 'h', array['a'])",
  "claim_next('p', 'h')",
  "begin('p', 'id-0001', 'TOKEN')",
  "extend('p', 'TOKEN')",
  "return_unworked('p', 'TOKEN')",
  "work('p', '{}', '{}', '{}', '{}', '{}', '{}', array['id-0001'], array['TOKEN'])",
];

for (const version of POSTGRES_VERSIONS) {
  describe(`records in transactions on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let token: string;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      await client.query('create table work (id int)');
      await fill(client, 'p', 5);
      token = await tokenOf(claimNext(client, 'p', 3));
    });
    after(async () => await test[Symbol.asyncDispose]());

    for (const call of REFUSED) {
      it(`${call} is refused in a transaction that has written`, async () => {
        await client.query('begin');
        await client.query('insert into work values (1)');
        const { code } = await failure(client, `select * from leasehold.${call.replaceAll('TOKEN', token)}`);
        await client.query('rollback');
        assert.equal(code, 'LH003');
      });
    }

    it('each of them is refused in a transaction over 1 s old, even if it has only read', async () => {
      for (const call of REFUSED) {
        await client.query('begin');
        await client.query('select pg_sleep(1.05)');
        const { code } = await failure(client, `select * from leasehold.${call.replaceAll('TOKEN', token)}`);
        await client.query('rollback');
        assert.equal(code, 'LH003', call);
      }
      assert.deepEqual(
        await rows(client, `select 1 from leasehold.records where state = 'claimed' and token <> $1`, [token]),
        [],
      );
    });

    it('a claim in a text of several statements is judged by when the text came, and refused once one of them has written', async () => {
      const late = "select pg_sleep(1.05); select * from leasehold.claim('text', 'h', array['a'])";
      await client.query(late);
      assert.equal((await stored(client, 'text', 'a'))['state'], 'claimed');
      assert.equal((await failure(client, `insert into work values (3); ${late}`)).code, 'LH003');
    });

    it('a verdict stands and falls with the transaction that gives it', async () => {
      const say = `select outcome from leasehold.done('p', 'id-0001', $1, 'ref')`;
      for (const [end, state] of [
        ['rollback', 'claimed'],
        ['commit', 'done'],
      ] as const) {
        await client.query('begin');
        await client.query('insert into work values (2)');
        assert.equal((await row(client, say, [token]))['outcome'], 'accepted');
        await client.query(end);
        assert.equal((await stored(client, 'p', 'id-0001'))['state'], state);
      }
    });

    it('what is enqueued by a transaction that is rolled back was never known', async () => {
      await client.query('begin');
      await client.query(`select leasehold.enqueue('p', array['never'])`);
      await client.query('rollback');
      assert.deepEqual(await rows(client, `select 1 from leasehold.records where id = 'never'`), []);
    });
  });
}
