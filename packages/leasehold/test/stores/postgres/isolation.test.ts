/**
 * Sessions whose default is REPEATABLE READ or SERIALIZABLE: a snapshot may be older than the row. What
 * can't be known there fails with 40001, which says "again"; it is never answered from the past.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { AcquiredAnswer } from '../../../src/domain/answers.ts';
import { failure, POSTGRES_VERSIONS, row, start, TestStore } from './database.ts';

for (const version of POSTGRES_VERSIONS) {
  for (const isolation of ['repeatable read', 'serializable']) {
    describe(`${isolation} on PostgreSQL ${version}`, () => {
      let test: TestStore;
      let client: pg.Client;
      before(async () => {
        test = await TestStore.open(version);
        client = await test.client();
        await client.query('create table work (id int primary key)');
      });
      after(async () => await test[Symbol.asyncDispose]());

      /** A transaction of the holder that has looked around before it asserts. */
      async function lookedAround(lock: string): Promise<string> {
        const held = (await test.store.acquire(start(lock))) as AcquiredAnswer;
        await client.query(`begin isolation level ${isolation}`);
        await client.query('select count(*) from work');
        return held.token;
      }

      async function assertFails(lock: string, token: string): Promise<string> {
        const { code } = await failure(client, 'select leasehold.assert_holder($1, $2)', [lock, token]);
        await client.query('rollback');
        return code;
      }

      it('an old snapshot does not let a former holder pass as the holder', async () => {
        const token = await lookedAround('overtaken');
        await test.store.forceRelease({ lock: 'overtaken', reason: 'test', atOnce: true });
        const another = await test.client();
        await another.query(`set default_transaction_isolation to '${isolation}'`);
        const next = await row(another, "select outcome from leasehold.acquire('overtaken', '1 minute', 'next')");
        assert.equal(next['outcome'], 'reclaimed');
        assert.equal(await assertFails('overtaken', token), '40001');
      });

      it('nor one whose lock was released or freed by force', async () => {
        const released = await lookedAround('released');
        await test.store.release({ lock: 'released', token: released, status: 'success', afterMs: 0, lost: null });
        assert.equal(await assertFails('released', released), '40001');
        const forced = await lookedAround('forced');
        await test.store.forceRelease({ lock: 'forced', reason: 'test', atOnce: true });
        assert.equal(await assertFails('forced', forced), '40001');
      });

      it('a holder that asserts first passes, and renewals, skips and commit go on', async () => {
        const held = (await test.store.acquire(start('first'))) as AcquiredAnswer;
        await client.query(`begin isolation level ${isolation}`);
        await client.query('select leasehold.assert_holder($1, $2)', ['first', held.token]);
        await client.query('insert into work values (1) on conflict do nothing');
        const renewed = await test.store.renew({
          lock: 'first',
          token: held.token,
          leaseMs: null,
          progress: null,
          holderInfo: null,
        });
        const skipped = await test.store.acquire(start('first'));
        await client.query('commit');
        assert.equal(renewed.outcome, 'renewed');
        assert.equal(skipped.outcome === 'skipped' && skipped.reason, 'held');
      });
    });
  }

  describe(`REPEATABLE READ as the default of a database, on PostgreSQL ${version}`, () => {
    let test: TestStore;
    before(async () => {
      test = await TestStore.open(version);
      const client = await test.client();
      await client.query(
        `do $$ begin execute format('alter database %I set default_transaction_isolation to ''repeatable read''', current_database()); end $$`,
      );
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    });
    after(async () => await test[Symbol.asyncDispose]());

    it('the whole round works; of 30 contenders one wins, and each skip is counted', async () => {
      const fresh = await test.client();
      assert.equal((await row(fresh, 'show transaction_isolation'))['transaction_isolation'], 'repeatable read');
      const answers = await Promise.all(Array.from({ length: 30 }, async () => test.store.acquire(start('rr'))));
      const winners = answers.filter((answer) => answer.proceed);
      assert.equal(winners.length, 1);
      const reasons = answers.map((answer) => (answer.outcome === 'skipped' ? answer.reason : 'won'));
      const heldCount = reasons.filter((reason) => reason === 'held').length;
      const [status] = await test.store.status({ lock: 'rr', limit: 1 });
      assert.equal(status?.skipsInRow, heldCount);
      const { token } = winners[0] as AcquiredAnswer;
      const renewals = Array.from({ length: 10 }, async () =>
        test.store.renew({ lock: 'rr', token, leaseMs: null, progress: null, holderInfo: null }),
      );
      const skips = Array.from({ length: 10 }, async () => test.store.acquire(start('rr')));
      assert.ok((await Promise.all(renewals)).every((answer) => answer.outcome === 'renewed'));
      assert.ok((await Promise.all(skips)).every((answer) => !answer.proceed));
      const released = await test.store.release({ lock: 'rr', token, status: 'success', afterMs: 0, lost: null });
      assert.equal(released.outcome, 'released');
      assert.equal((await test.store.acquire(start('rr'))).outcome, 'acquired');
    });

    it('a slot that another start has named since the snapshot does not end a start in an error', async () => {
      const slotAt = new Date('2026-03-29T01:00:00Z');
      await test.store.acquire(start('rr-slot'));
      const late = await test.client();
      await late.query('begin');
      await late.query('select from leasehold.slots');
      await test.store.acquire(start('rr-slot', { slotAt, waiting: true }));
      const sql = "select * from leasehold.acquire('rr-slot', '1 minute', 'late', slot => $1)";
      assert.equal((await row(late, sql, [slotAt]))['reason'], 'held');
      await late.query('commit');
    });
  });
}
