/**
 * One start asked for twice at the same time, as after a lost answer: the first call has not committed
 * yet when the second one comes. They take turns; nothing is written over, and nobody waits for long.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { backDate, POSTGRES_VERSIONS, type Row, row, rows, start, TestStore } from './database.ts';

const ASK = "select * from leasehold.acquire($1, '10 seconds', 'same', run_id => 'r-1')";
const BYPASS =
  "select * from leasehold.acquire($1, '10 seconds', 'same', run_id => 'r-1', bypass_reason => 'fire drill')";

for (const version of POSTGRES_VERSIONS) {
  describe(`one start asked twice at once on PostgreSQL ${version}`, () => {
    let test: TestStore;
    let first: pg.Client;
    let second: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      [first, second] = [await test.client(), await test.client()];
    });
    after(async () => await test[Symbol.asyncDispose]());

    async function recorded(lock: string): Promise<Row[]> {
      return await rows(second, 'select outcome, reason from leasehold.runs where lock = $1 order by seq', [lock]);
    }

    it('the second call waits within bounds, and the row and the events are those of the first', async () => {
      await first.query('begin');
      assert.equal((await row(first, ASK, ['slow-commit']))['outcome'], 'acquired');
      const began = performance.now();
      const repeat = await row(second, ASK, ['slow-commit']);
      assert.ok(performance.now() - began < 3_000, 'it did not wait for the commit');
      assert.deepEqual([repeat['outcome'], repeat['reason']], ['skipped', 'contended']);
      await first.query('commit');
      assert.deepEqual(await recorded('slow-commit'), [{ outcome: 'acquired', reason: null }]);
      assert.deepEqual(await rows(second, "select kind from leasehold.events where lock = 'slow-commit'"), []);
      const again = await row(second, ASK, ['slow-commit']);
      assert.equal(again['outcome'], 'acquired', 'asked once more it has the same lease');
    });

    it('a grant and a bypass of the same start don’t both count', async () => {
      await test.store.acquire(start('bypassed'));
      await backDate(first, 'bypassed', 120_000);
      await first.query('begin');
      await first.query(BYPASS, ['bypassed']);
      assert.equal((await row(second, ASK, ['bypassed']))['proceed'], false);
      await first.query('commit');
      const held = await row(second, "select token, run_id from leasehold.locks where name = 'bypassed'");
      assert.notEqual(held['run_id'], 'r-1');
    });

    it('a lease is whole although its start waited for a rival that rolled back', async () => {
      await first.query('begin');
      await first.query(ASK, ['rolled-back']);
      const waiting = row(second, ASK, ['rolled-back']);
      await first.query('select pg_sleep(0.3)');
      await first.query('rollback');
      const { outcome, remaining_ms: remainingMs, lease_until: until } = await waiting;
      const { now } = await row(first, 'select clock_timestamp() as now');
      assert.deepEqual([outcome, remainingMs], ['acquired', '10000']);
      assert.ok((until as Date).getTime() - (now as Date).getTime() > 9_500);
    });

    it('fences go on after the lock’s row was lost, also when a bypass comes first', async () => {
      for (const reason of [null, 'fire drill']) {
        const lock = `lost-${reason}`;
        const held = await test.store.acquire(start(lock));
        assert.ok(held.outcome === 'acquired' && held.fence === 1);
        await first.query('delete from leasehold.locks where name = $1', [lock]);
        if (reason !== null) await test.store.acquire(start(lock, { bypassReason: reason }));
        const next = await test.store.acquire(start(lock));
        assert.ok(next.outcome === 'acquired' && next.fence === 2, next.message);
      }
    });
  });
}
