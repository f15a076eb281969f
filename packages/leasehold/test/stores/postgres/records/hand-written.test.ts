/** Records that are claimed and that no claim knows, as a person or a partial restore leaves them: judged as expired. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { POSTGRES_VERSIONS, row, rows, TestStore } from '../database.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`records that no claim knows on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** Makes ids known and these of them claimed by a token that no claim has. */
    async function lose(pool: string, ids: readonly string[], begun = false): Promise<void> {
      await client.query(
        `update leasehold.records set state = 'claimed', token = 'nobody', claimed_at = now(), is_begun = $3::boolean,
           attempt = $3::boolean::integer, begun_at = case when $3::boolean then now() end, first_begun_at = case when $3::boolean then now() end
         where pool = $1 and id = any($2)`,
        [pool, ids, begun],
      );
    }

    for (const versions of [`null`, `array['', '', '']`]) {
      it(`a claim that names them has what was never begun, and shows the rest to a person (${versions})`, async () => {
        const pool = `named ${versions}`;
        await client.query(`select leasehold.enqueue($1, array['a', 'b', 'c'])`, [pool]);
        await lose(pool, ['a']);
        await lose(pool, ['b'], true);
        const claimed = await rows(
          client,
          `select id, owned, why from leasehold.claim($1, 'h', array['a', 'b', 'c'], versions => ${versions})`,
          [pool],
        );
        assert.deepEqual(
          claimed.map(({ id, owned, why }) => [id, owned, why]),
          [
            ['a', true, null],
            ['c', true, null],
            ['b', false, 'review'],
          ],
        );
      });
    }

    it('one sweep finds all of them in a large pool, however lately another one has looked', async () => {
      await client.query(
        `select leasehold.enqueue('large', array(select 'id-' || lpad(n::text, 6, '0') from generate_series($1::int, $2::int) n))`,
        [1, 10_000],
      );
      for (const from of [10_001, 20_001]) {
        await client.query(
          `select leasehold.enqueue('large', array(select 'id-' || lpad(n::text, 6, '0') from generate_series($1::int, $2::int) n))`,
          [from, from + 4_999],
        );
      }
      const sweep = async (): Promise<number> => {
        let requeued = 0;
        for (let calls = 0; calls < 10; calls += 1) {
          const came = await test.store.settleExpired({ pool: 'large', limit: 500 });
          requeued += came.requeued;
          if (came.isComplete) return requeued;
        }
        assert.fail('it comes to no end');
      };
      assert.equal(await sweep(), 0);
      await lose('large', ['id-000001', 'id-010000', 'id-010001', 'id-024999']);
      const brief = await test.store.settleExpired({ pool: 'large', limit: 500, isBrief: true });
      assert.deepEqual([brief.requeued, brief.isComplete], [0, true], 'one that ends a command leaves it to others');
      assert.equal(await sweep(), 4);
      assert.equal(await sweep(), 0);
    });

    it('what its provider has to be asked for is asked for by the next sweep', async () => {
      await client.query(`select leasehold.change_pool('asks', '{"verifier": {"kind": "function"}}')`);
      await client.query(`select leasehold.enqueue('asks', array['a', 'b'])`);
      await lose('asks', ['a', 'b'], true);
      await rows(client, `select * from leasehold.claim('asks', 'h', array['a'])`);
      assert.equal(
        (await test.store.takeToAsk({ pool: 'asks', limit: 10, everyMs: 60_000 })).length,
        1,
        'the one that was named',
      );
      await client.query(`select leasehold.sweep('asks')`);
      const [seen, ...others] = await test.store.takeToAsk({ pool: 'asks', limit: 10, everyMs: 60_000 });
      assert.ok(seen !== undefined);
      assert.deepEqual([seen.id, seen.claimId, seen.unknownAt, others.length], ['b', '', null, 0]);
      const applied = await test.store.applyLookup({ seen, decision: { kind: 'done', providerRef: 'ch_1' } });
      assert.deepEqual(applied, { outcome: 'applied', state: 'done' });
      assert.equal((await row(client, `select * from leasehold.sweep('asks')`))['to_ask'], '1');
    });
  });
}
