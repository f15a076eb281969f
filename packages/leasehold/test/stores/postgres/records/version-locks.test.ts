/**
 * Settling and giving back let a waiting version of an id in, beside a verdict that has locked the versions of the id in
 * their order: neither waits for the other crosswise. Each crossing is made, not waited for.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { POSTGRES_VERSIONS, row, rows, someoneWaits, TestStore } from '../database.ts';
import { backDateClaims, tokenOf } from './stage.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`versions of an id that are locked in their order on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let other: pg.Client;
    let third: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      other = await test.client();
      third = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** Two ids claimed and not begun in a version that comes last by name, each with a newer one that waits. */
    async function twoVersions(pool: string): Promise<string> {
      const token = await tokenOf(
        rows(
          client,
          `select * from leasehold.claim($1, 'h', array['1', '2'], versions => array['b', 'b'], explicit_begin => true)`,
          [pool],
        ),
      );
      await client.query(`select leasehold.enqueue($1, array['1', '2'], array['a', 'a'])`, [pool]);
      return token;
    }

    /** `call` while the newer version of the first id is locked, and a verdict on the second one comes in between. */
    async function crossed(pool: string, token: string, call: string): Promise<string[]> {
      await third.query('begin');
      await third.query(`select from leasehold.records where pool = $1 and id = '1' and version = 'a' for update`, [
        pool,
      ]);
      const calling = row(client, call, [pool, token]).then(
        () => 'answered',
        (error: unknown) => String(error),
      );
      await Promise.race([calling, someoneWaits(third)]);
      const saying = row(other, `select * from leasehold.unknown($1, '2', $2)`, [pool, token]).then(
        () => 'answered',
        (error: unknown) => String(error),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      await third.query('commit');
      return await Promise.all([calling, saying]);
    }

    it('a sweep passes by what it can not lock in order', async () => {
      const token = await twoVersions('sweep');
      await backDateClaims(client, 'sweep', 3_600_000);
      assert.deepEqual(await crossed('sweep', token, `select * from leasehold.sweep($1), (select $2::text) t`), [
        'answered',
        'answered',
      ]);
      await client.query(`select leasehold.sweep('sweep')`);
      const states = await rows(
        client,
        `select id, version, state, waits from leasehold.records where pool = 'sweep' and id = '1' order by no`,
      );
      assert.deepEqual(
        states.map((each) => [each['version'], each['state'], each['waits']]),
        [
          ['b', 'cancelled', false],
          ['a', 'queued', false],
        ],
      );
    });

    it('a sweep comes to its end where it can lock none of what no claim knows, and leaves that to the next', async () => {
      await twoVersions('strays');
      await client.query(`update leasehold.records set token = 'nobody' where pool = 'strays' and state = 'claimed'`);
      const sweep = async (): Promise<unknown> =>
        (await row(client, `select is_complete from leasehold.sweep('strays', 1)`))['is_complete'];
      await third.query('begin');
      await third.query(`select from leasehold.records where pool = 'strays' and version = 'a' for update`);
      try {
        assert.equal(await sweep(), true);
      } finally {
        await third.query('rollback');
      }
      const found = [await sweep(), await sweep(), await sweep()];
      assert.deepEqual(found, [false, false, true], 'one by one, and then it has seen them all');
      const left = await rows(client, `select id from leasehold.records where pool = 'strays' and state = 'claimed'`);
      assert.deepEqual(left, []);
    });

    it('a claim that settles passes by what it can not lock in order', async () => {
      const token = await twoVersions('claim');
      await backDateClaims(client, 'claim', 3_600_000);
      const call = `select count(*) from leasehold.claim($1, 'h2', array['1', '2'], versions => array['b', 'b']), (select $2::text) t`;
      assert.deepEqual(await crossed('claim', token, call), ['answered', 'answered']);
    });

    it('a return locks all versions of its ids in their order', async () => {
      const token = await twoVersions('return');
      const call = `select * from leasehold.return_unworked($1, $2)`;
      assert.deepEqual(await crossed('return', token, call), ['answered', 'answered']);
    });
  });
}
