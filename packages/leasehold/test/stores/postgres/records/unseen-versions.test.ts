/**
 * Sessions whose default is REPEATABLE READ see no version that has arrived since their transaction began: they must not
 * work another one of its id beside it, nor put one into the queue. Each crossing is made, not waited for.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, someoneWaits, TestStore } from '../database.ts';

const ENQUEUE_2 = `select * from leasehold.enqueue($1, array['a'], array['2'])`;

for (const version of POSTGRES_VERSIONS) {
  describe(`versions that a snapshot does not show on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let other: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      other = await test.client();
      await client.query(`set default_transaction_isolation to 'repeatable read'`);
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** Whatever else commits on the server meanwhile, in any database, may have to be taken for an arrival: then once more. */
    async function repeated<T>(work: () => Promise<T>): Promise<T> {
      for (let times = 1; ; times += 1) {
        try {
          return await work();
        } catch (error) {
          await client.query('rollback');
          if ((error as { code?: string }).code !== '40001' || times === 50) throw error;
        }
      }
    }

    const claim = (by: pg.Client, pool: string, of: string): Promise<unknown[]> =>
      rows(by, `select owned, why from leasehold.claim($1, 'h', array['a'], versions => array[$2])`, [pool, of]);

    it('a claim that waited for its turn while another version arrived is repeated, and then waits for that one (G4)', async () => {
      await other.query(`select leasehold.enqueue('turn', array['x'], array['1'])`);
      await other.query('begin');
      await other.query(`select leasehold.enqueue('turn', array['a'], array['1'])`);
      const second = claim(client, 'turn', '2').then(
        () => 'answered',
        (error: unknown) => (error as { code?: string }).code,
      );
      await someoneWaits(await test.client());
      await other.query('commit');
      await claim(other, 'turn', '1');
      assert.equal(await second, '40001');
      assert.deepEqual(await repeated(() => claim(client, 'turn', '2')), [{ owned: false, why: 'earlier_version' }]);
    });

    it('a transaction that began before another version arrived makes none known, and a new one does', async () => {
      await other.query(`select leasehold.enqueue('older', array['x'], array['1'])`);
      await client.query('begin');
      await client.query('select 1');
      await claim(other, 'older', '1');
      assert.equal((await failure(client, ENQUEUE_2, ['older'])).code, '40001');
      await client.query('rollback');
      assert.equal((await repeated(() => row(client, ENQUEUE_2, ['older'])))['added'], 1);
      const { waits } = await row(client, `select waits from leasehold.records where pool = 'older' and version = '2'`);
      assert.equal(waits, true);
    });

    it('a transaction that has written, and a pool that is new, make versions known as long as nobody else writes', async () => {
      await repeated(async () => {
        await client.query('begin');
        await client.query(`select leasehold.enqueue('wrote', array['b'], array['1'])`);
        assert.equal((await row(client, ENQUEUE_2, ['wrote']))['added'], 1);
      });
      await claim(other, 'wrote 2', '1');
      const failed = await failure(client, `select leasehold.enqueue('wrote', array['c'], array['1'])`);
      await client.query('rollback');
      assert.deepEqual(failed, {
        code: '40001',
        message:
          'others have written since this transaction began, and it can\'t see what versions they made known to pool "wrote"; repeat it',
      });
      assert.deepEqual(await repeated(() => claim(client, 'new', '1')), [{ owned: true, why: null }]);
    });

    it('a transaction that began before the first version of a pool arrived makes nothing known to it', async () => {
      await other.query(`select leasehold.enqueue('first', array['x'])`);
      await client.query('begin');
      await client.query('select 1');
      await claim(other, 'first', '1');
      const failed = await failure(client, `select leasehold.enqueue('first', array['a'])`);
      assert.equal(failed.code, '40001');
      await client.query('rollback');
    });

    it('known records and pools without versions are not touched by that', async () => {
      await client.query(`select leasehold.enqueue('plain', array['x'])`);
      await client.query('begin');
      await client.query('select 1');
      await other.query(`select leasehold.enqueue('plain', array['y'])`);
      await claim(other, 'versions', '1');
      assert.equal((await row(client, `select * from leasehold.enqueue('plain', array['z'])`))['added'], 1);
      await client.query('commit');
    });
  });
}
