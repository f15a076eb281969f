/**
 * Who waits for whom over records. The clock of these tests is the server's; leases end by back-dating their row.
 * A client opens a transaction and keeps it open while others call.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { failure, POSTGRES_VERSIONS, row, rows, someoneWaits, start, TestStore } from '../database.ts';
import { backDateClaims, claimNext, fill, stored, tokenOf } from './stage.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`row locks of records on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    let other: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
      other = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    /** Keeps one record's row locked while `work` waits for it, for 300 ms. */
    async function heldUp<T>(pool: string, id: string, work: () => Promise<T>): Promise<T> {
      await other.query('begin');
      await other.query('select from leasehold.records where pool = $1 and id = $2 for update', [pool, id]);
      const waiting = work();
      await someoneWaits(await test.client());
      await other.query('select pg_sleep(0.3)');
      await other.query('commit');
      return await waiting;
    }

    it('a begin that waited for the row counts the wait', async () => {
      await fill(client, 'wait', 1);
      const token = await tokenOf(claimNext(client, 'wait', 1));
      const begin = `select * from leasehold.begin('wait', 'id-0001', $1)`;
      const { at } = await row(client, 'select clock_timestamp() as at');
      const begun = await heldUp('wait', 'id-0001', () => row(client, begin, [token]));
      assert.equal(begun['outcome'], 'accepted');
      assert.ok((begun['begun_at'] as Date).getTime() >= (at as Date).getTime() + 290, 'begun when the row was there');
    });

    it('a begin whose lease ended while it waited for the row is refused', async () => {
      await fill(client, 'late', 1);
      const token = await tokenOf(claimNext(client, 'late', 1));
      await client.query(
        `update leasehold.claims set lease_until = clock_timestamp() + interval '250 ms' where pool = 'late'`,
      );
      const begun = await heldUp('late', 'id-0001', () =>
        row(client, `select * from leasehold.begin('late', 'id-0001', $1)`, [token]),
      );
      assert.deepEqual([begun['outcome'], begun['reason']], ['refused', 'lease_over']);
    });

    it('the same of many begins in one call', async () => {
      await fill(client, 'many', 6);
      const token = await tokenOf(claimNext(client, 'many', 6));
      await client.query(
        `update leasehold.claims set lease_until = clock_timestamp() + interval '250 ms' where pool = 'many'`,
      );
      const begins = ['id-0001', 'id-0002', 'id-0003', 'id-0004', 'id-0005'].map((id) => ({ id, token }));
      const answer = await heldUp('many', 'id-0003', () => test.store.work({ pool: 'many', verdicts: [], begins }));
      assert.deepEqual([...new Set(answer.begins.map(({ reason }) => reason))], ['lease_over']);
    });

    it('a claim’s lease counts from the grant, not from the start of its wait', async () => {
      await fill(client, 'grant', 1);
      await other.query('begin');
      await other.query(`select leasehold.enqueue('grant', array['new'])`);
      const waiting = rows(
        client,
        `select * from leasehold.claim('grant', 'h', array['id-0001', 'new'], lease => '10 s')`,
      );
      await someoneWaits(await test.client());
      await other.query('select pg_sleep(0.3)');
      await other.query('commit');
      const claim = await waiting;
      const { freed } = await row(client, 'select clock_timestamp() as freed');
      assert.equal(claim.length, 2);
      assert.equal(claim[0]?.['remaining_ms'], '10000');
      assert.ok(
        ((claim[0]?.['lease_until'] as Date | undefined)?.getTime() ?? 0) >= (freed as Date).getTime() + 9_900,
        'the whole lease is left',
      );
    });

    it('a claim of the next records passes by what others have locked, and waits for nobody', async () => {
      await fill(client, 'skip', 4);
      await other.query('begin');
      await other.query(`select from leasehold.records where pool = 'skip' and id < 'id-0003' for update`);
      const claim = await claimNext(client, 'skip', 10);
      await other.query('commit');
      assert.deepEqual(
        claim.map((each) => each['id']),
        ['id-0003', 'id-0004'],
      );
      assert.equal((await claimNext(client, 'skip', 10)).length, 2, 'the others are had by the next one (C63, C64)');
    });

    it('expired claims that another call has locked are settled by that one, and hold nobody up', async () => {
      await fill(client, 'settle', 2);
      await claimNext(client, 'settle', 1);
      await backDateClaims(client, 'settle', 3_600_000);
      await other.query('begin');
      await other.query(`select from leasehold.claims where pool = 'settle' for update`);
      assert.deepEqual(
        (await claimNext(client, 'settle', 5)).map((each) => each['id']),
        ['id-0002'],
      );
      await other.query('commit');
      assert.deepEqual(
        (await claimNext(client, 'settle', 5)).map((each) => each['id']),
        ['id-0001'],
      );
    });

    it('a claim keeps the lock that it names from changing its owner until it is there', async () => {
      const held = await test.store.acquire(start('guard'));
      assert.ok(held.outcome === 'acquired');
      await fill(client, 'guarded', 1);
      await other.query('begin');
      const claim = await rows(other, `select owned from leasehold.claim_next('guarded', 'h', lock_token => $1)`, [
        held.token,
      ]);
      const contended = await test.store.acquire(start('guard', { leaseMs: 1_000, onStale: 'reclaim' }));
      await client.query('begin');
      assert.equal(
        (await failure(client, `select from leasehold.locks where name = 'guard' for update nowait`)).code,
        '55P03',
      );
      await client.query('rollback');
      await other.query('commit');
      assert.deepEqual([claim.length, contended.outcome], [1, 'skipped']);
    });

    it('two calls of one claim take turns: the second gets what the first has (C65)', async () => {
      await fill(client, 'turns', 4);
      const claim = `select * from leasehold.claim_next('turns', 'h', 2, claim_id => 'c-1')`;
      await other.query('begin');
      const first = await rows(other, claim);
      const second = rows(client, claim);
      await someoneWaits(await test.client());
      await other.query('commit');
      assert.deepEqual(
        (await second).map((each) => [each['token'], each['id']]),
        first.map((each) => [each['token'], each['id']]),
      );
      assert.equal(
        (await rows(client, `select 1 from leasehold.records where pool = 'turns' and state = 'claimed'`)).length,
        2,
      );
    });

    it('an extension and whoever settles the claim take turns: what was extended is not settled', async () => {
      await fill(client, 'turn', 1);
      const token = await tokenOf(claimNext(client, 'turn', 1));
      await client.query(
        `update leasehold.claims set lease_until = clock_timestamp() + interval '200 ms' where pool = 'turn'`,
      );
      await other.query('begin');
      await other.query(`select leasehold.extend('turn', $1, '1 minute')`, [token]);
      await client.query('select pg_sleep(0.3)');
      const swept = await row(client, `select * from leasehold.sweep('turn')`);
      await other.query('commit');
      assert.equal(swept['requeued'], 0);
      assert.equal((await row(client, `select * from leasehold.sweep('turn')`))['requeued'], 0);
      assert.equal((await stored(client, 'turn', 'id-0001'))['state'], 'claimed');
    });

    it('an extension after the lease is over is lost, also where it waited for the row until then', async () => {
      await fill(client, 'over', 1);
      const token = await tokenOf(claimNext(client, 'over', 1));
      await client.query(
        `update leasehold.claims set lease_until = clock_timestamp() + interval '200 ms' where pool = 'over'`,
      );
      await other.query('begin');
      await other.query(`select from leasehold.claims where pool = 'over' for update`);
      const extending = row(client, `select * from leasehold.extend('over', $1)`, [token]);
      await someoneWaits(await test.client());
      await other.query('select pg_sleep(0.3)');
      await other.query('commit');
      assert.deepEqual([(await extending)['outcome'], (await extending)['reason']], ['lost', 'expired']);
    });

    it('a new version that arrives while an older one is being claimed waits for it', async () => {
      await client.query(`select leasehold.enqueue('versions', array['a'], array['1'])`);
      await other.query('begin');
      await rows(other, `select * from leasehold.claim_next('versions', 'h')`);
      const arriving = row(client, `select * from leasehold.enqueue('versions', array['a'], array['2'])`);
      await someoneWaits(await test.client());
      await other.query('commit');
      assert.equal((await arriving)['superseded'], 0);
      const { waits } = await row(
        client,
        `select waits from leasehold.records where pool = 'versions' and version = '2'`,
      );
      assert.equal(waits, true);
    });

    it('two versions that arrive at once see each other', async () => {
      await client.query(`select leasehold.enqueue('both', array['x'], array['1'])`);
      await other.query('begin');
      await other.query(`select leasehold.enqueue('both', array['a'], array['1'])`);
      const arriving = row(client, `select * from leasehold.enqueue('both', array['a'], array['2'])`);
      await someoneWaits(await test.client());
      await other.query('commit');
      assert.equal((await arriving)['superseded'], 1);
    });
  });
}
