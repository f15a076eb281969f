/**
 * Inside a transaction that could roll back, or that nobody can see into yet, a lease must not be
 * taken; asserting and releasing are allowed there.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, start, TestStore } from './database.ts';

const ACQUIRE = "select * from leasehold.acquire($1, '1 minute', 'exec-1')";

for (const version of POSTGRES_VERSIONS) {
  describe(`transactions on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      await client.query('create table work (id int primary key)');
    });
    after(async () => await test[Symbol.asyncDispose]());

    it('an acquire inside a transaction that has written is refused, and nothing is held', async () => {
      await client.query('begin');
      await client.query('insert into work values (1)');
      assert.equal((await failure(client, ACQUIRE, ['written'])).code, 'LH003');
      await client.query('rollback');
      assert.deepEqual(await test.store.status({ lock: 'written', limit: 1 }), []);
    });

    it('a renewal inside a transaction that has written is refused', async () => {
      await client.query('begin');
      await client.query('insert into work values (2)');
      assert.equal((await failure(client, "select leasehold.renew('x', 'y')")).code, 'LH003');
      await client.query('rollback');
    });

    it('an acquire inside a transaction over 1 s old is refused, even if it has only read', async () => {
      await client.query('begin');
      await client.query('select pg_sleep(1.05)');
      const { code, message } = await failure(client, ACQUIRE, ['old']);
      await client.query('rollback');
      assert.equal(code, 'LH003');
      assert.match(message, /over 1 s old/);
    });

    it('a parameterised call that commits by itself is no transaction', async () => {
      assert.equal((await row(client, ACQUIRE, ['parameterised']))['outcome'], 'acquired');
    });

    it('a holder may assert and release inside its own written transaction', async () => {
      const { token } = await row(client, ACQUIRE, ['fenced']);
      await client.query('begin');
      await client.query('insert into work values (3)');
      const asserted = await row(client, 'select * from leasehold.assert_holder($1, $2)', ['fenced', token]);
      assert.equal(asserted['fence'], '1');
      const released = await row(client, "select * from leasehold.release($1, $2, 'success')", ['fenced', token]);
      assert.equal(released['outcome'], 'released');
      await client.query('commit');
    });

    it('asserting without holding fails with LH001 and takes the whole transaction with it', async () => {
      await test.store.acquire(start('not-mine'));
      await client.query('begin');
      await client.query('insert into work values (4)');
      const { code, message } = await failure(client, "select leasehold.assert_holder('not-mine', 'someone-else')");
      await client.query('commit');
      assert.equal(code, 'LH001');
      assert.equal(
        message,
        'Lost lock "not-mine": no run of it has this token; stop, and check its name and the token.',
      );
      assert.deepEqual((await client.query('select from work where id = 4')).rows, []);
    });
  });
}
