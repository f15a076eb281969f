/**
 * Who waits for whom. The clock of these tests is the server's; leases end by back-dating their row.
 * A client opens a transaction and keeps it open while others call.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { AcquiredAnswer } from '../../../src/domain/answers.ts';
import { backDate, POSTGRES_VERSIONS, row, someoneWaits, start, TestStore } from './database.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`row locks on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    async function held(lock: string): Promise<AcquiredAnswer> {
      const answer = await test.store.acquire(start(lock));
      assert.ok(answer.outcome === 'acquired');
      return answer;
    }

    it('a lease counts from the grant, not from the start of the wait for the row (C33)', async () => {
      await held('wait');
      await backDate(client, 'wait', 120_000);
      await client.query('begin');
      await client.query("select from leasehold.locks where name = 'wait' for update");
      const waiting = test.store.acquire(start('wait', { leaseMs: 10_000 }));
      await someoneWaits(await test.client());
      await client.query('select pg_sleep(0.3)');
      const { freed } = await row(client, 'select clock_timestamp() as freed');
      await client.query('commit');
      const answer = (await waiting) as AcquiredAnswer;
      assert.ok(answer.leaseUntil.getTime() >= (freed as Date).getTime() + 10_000, 'the whole lease is left');
      assert.equal(answer.remainingMs, 10_000);
    });

    it('a pause waits for the start that makes its lock, and is then in force', async () => {
      await client.query('begin');
      await client.query("select leasehold.acquire('brand-new', interval '1 minute', 'holder-1')");
      const pausing = test.store.pause({ lock: 'brand-new', reason: null });
      await someoneWaits(await test.client());
      await client.query('commit');
      assert.equal((await pausing).outcome, 'paused');
      assert.equal((await test.store.status({ lock: 'brand-new', limit: 1 }))[0]?.paused, true);
      const skipped = await test.store.acquire(start('brand-new'));
      assert.equal(skipped.outcome === 'skipped' && skipped.reason, 'paused');
    });

    it('renewals and skips go on while a transaction asserts the holder', async () => {
      const { token } = await held('asserted');
      await client.query('begin');
      await client.query('select leasehold.assert_holder($1, $2)', ['asserted', token]);
      const renewed = await test.store.renew({
        lock: 'asserted',
        token,
        leaseMs: null,
        progress: null,
        holderInfo: null,
      });
      const skipped = await test.store.acquire(start('asserted'));
      await client.query('commit');
      assert.equal(renewed.outcome, 'renewed');
      assert.equal(skipped.outcome === 'skipped' && skipped.reason, 'held');
    });

    it('a change of owner waits for an asserting transaction, and ends in a skip when that takes too long', async () => {
      const { token } = await held('fenced');
      await client.query('begin');
      await client.query('select leasehold.assert_holder($1, $2)', ['fenced', token]);
      await backDate(await test.client(), 'fenced', 120_000);
      const contended = await test.store.acquire(start('fenced'));
      assert.equal(contended.outcome === 'skipped' && contended.reason, 'contended');
      assert.equal(contended.skipsInRow, 0);
      const waiting = test.store.acquire(start('fenced'));
      await someoneWaits(await test.client());
      await client.query('commit');
      assert.equal((await waiting).outcome, 'reclaimed');
    });

    it('a change of owner waits for the former holder’s asserting transaction even after its release', async () => {
      const { token } = await held('released');
      await client.query('begin');
      await client.query('select leasehold.assert_holder($1, $2)', ['released', token]);
      const released = await test.store.release({ lock: 'released', token, status: 'success', afterMs: 0, lost: null });
      assert.equal(released.outcome, 'released');
      const contended = await test.store.acquire(start('released'));
      assert.equal(contended.outcome === 'skipped' && contended.reason, 'contended');
      await client.query('commit');
      assert.equal((await test.store.acquire(start('released'))).outcome, 'acquired');
    });

    it('a contended start is a row with its outcome', async () => {
      const runs = await test.store.runs({ lock: 'fenced', runId: null, limit: 10 });
      assert.deepEqual(
        runs.map((run) => [run.outcome, run.reason]),
        [
          ['reclaimed', null],
          ['skipped', 'contended'],
          ['acquired', null],
        ],
      );
    });

    it('a short lease makes the wait short, so that a contended start is told so in time', async () => {
      const { token } = await held('short');
      await client.query('begin');
      await client.query('select leasehold.assert_holder($1, $2)', ['short', token]);
      await test.store.release({ lock: 'short', token, status: 'success', afterMs: 0, lost: null });
      const answer = await test.store.acquire(start('short', { leaseMs: 2_000 }), { timeoutMs: 400 });
      await client.query('commit');
      assert.equal(answer.outcome === 'skipped' && answer.reason, 'contended');
      assert.equal((await test.store.status({ lock: 'short', limit: 1 }))[0]?.state, 'free', 'nobody took it later');
    });

    it('50 contenders for one stale lease over 10 connections give exactly one reclaim', async () => {
      await held('stale');
      await backDate(client, 'stale', 120_000);
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, index) =>
          test.store.acquire(start('stale', { holder: `contender-${index}` })),
        ),
      );
      assert.equal(answers.filter((answer) => answer.outcome === 'reclaimed').length, 1);
      assert.equal(answers.filter((answer) => answer.proceed).length, 1);
    });
  });
}
