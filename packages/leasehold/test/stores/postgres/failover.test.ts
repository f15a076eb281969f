/**
 * Failover to a server whose clock is ten minutes off, or that never heard of the last acquisition.
 *
 * Clock: the server's own. What a server that is ten minutes slow finds is rows whose instants lie ten minutes ahead;
 * what one that is fast finds lies ten minutes back. So each stored instant is moved, while the client is away. The
 * same with a server whose clock is really wrong: test/ci/clock-steps.test.ts.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { forget, moveInstants } from './failover-rows.ts';
import { backDate, failure, POSTGRES_VERSIONS, row, start, TestStore } from './database.ts';

const MINUTE = 60_000;
const SLOW = 10 * MINUTE;
/** What may pass between two statements of a test on a busy machine. */
const DRIFT_MS = 20_000;

for (const version of POSTGRES_VERSIONS) {
  describe(`failover of PostgreSQL ${version}`, () => {
    let test: TestStore;
    let client: pg.Client;
    before(async () => {
      test = await TestStore.open(version);
      client = await test.client();
    });
    after(async () => await test[Symbol.asyncDispose]());

    const take = async (lock: string): Promise<string> => {
      const answer = await test.store.acquire(start(lock, { leaseMs: MINUTE, holder: 'first' }));
      assert.ok(answer.outcome === 'acquired', answer.message);
      return answer.token;
    };
    const remaining = async (lock: string): Promise<number> => {
      const [status] = await test.store.status({ lock, limit: 1 });
      return status?.remainingMs ?? Number.NaN;
    };
    const faults = async (lock: string): Promise<number> =>
      (await test.store.events({ lock, kind: 'clock.fault', limit: 10 })).length;
    const assertHeld = async (lock: string, token: string): Promise<unknown> =>
      await client.query('select leasehold.assert_holder($1, $2)', [lock, token]);

    describe('to one that is ten minutes slow', () => {
      it('freezes no lock of a dead holder: it ends a lease from now, is reclaimed no earlier, and that is told once', async () => {
        const lock = 'slow-dead';
        await take(lock);
        await moveInstants(client, SLOW);
        assert.ok((await remaining(lock)) <= MINUTE, 'a look shows the end that it will have');
        const skip = await test.store.acquire(start(lock));
        assert.ok(skip.outcome === 'skipped' && skip.reason === 'held', skip.message);
        assert.ok((skip.current.remainingMs ?? Infinity) <= MINUTE);
        assert.equal(skip.current.ageMs, null, 'an age in the future is unknown');
        assert.equal((await test.store.acquire(start(lock))).outcome, 'skipped');
        assert.equal(await faults(lock), 1);
        await backDate(client, lock, MINUTE - DRIFT_MS);
        assert.equal((await test.store.acquire(start(lock))).outcome, 'skipped', 'no early reclaim');
        await backDate(client, lock, DRIFT_MS);
        assert.equal((await test.store.acquire(start(lock))).outcome, 'reclaimed');
        assert.equal(await faults(lock), 1);
      });

      it('does not disturb a living holder: it renews, its fenced writes pass, its release frees the lock', async () => {
        const lock = 'slow-alive';
        const token = await take(lock);
        await moveInstants(client, SLOW);
        await assertHeld(lock, token);
        const renewed = await test.store.renew({ lock, token, leaseMs: MINUTE, progress: null, holderInfo: null });
        assert.ok(renewed.outcome === 'renewed' && renewed.remainingMs === MINUTE, renewed.message);
        await assertHeld(lock, token);
        const released = await test.store.release({ lock, token, status: 'success', afterMs: 0, lost: null });
        assert.equal(released.outcome, 'released');
        assert.equal((await test.store.acquire(start(lock))).outcome, 'acquired');
        assert.equal(await faults(lock), 1);
      });

      it('lets a force-release that drains end with the lease that was drawn in', async () => {
        const lock = 'slow-drain';
        await take(lock);
        assert.equal((await test.store.forceRelease({ lock, reason: 'test', atOnce: false })).outcome, 'draining');
        await moveInstants(client, SLOW);
        const skip = await test.store.acquire(start(lock));
        assert.ok(skip.outcome === 'skipped' && skip.reason === 'draining', skip.message);
        assert.ok((skip.current.remainingMs ?? Infinity) <= MINUTE, skip.message);
        await backDate(client, lock, MINUTE);
        assert.equal((await test.store.acquire(start(lock))).outcome, 'reclaimed');
      });

      it('keeps a pause that a release asked for ten minutes longer; a force-release ends it', async () => {
        const lock = 'slow-pause';
        const token = await take(lock);
        await test.store.release({ lock, token, status: 'failure', afterMs: 5_000, lost: null });
        await moveInstants(client, SLOW);
        await backDate(client, lock, MINUTE);
        const skip = await test.store.acquire(start(lock));
        assert.ok(skip.outcome === 'skipped' && skip.reason === 'cooling', skip.message);
        await test.store.forceRelease({ lock, reason: 'the pause is over', atOnce: true });
        assert.equal((await test.store.acquire(start(lock))).outcome, 'reclaimed');
      });
    });

    describe('to one that is ten minutes fast', () => {
      it('ends each lease at once: its holder is told lost, its fenced writes are refused, its status is kept', async () => {
        const lock = 'fast-first';
        const token = await take(lock);
        await moveInstants(client, -SLOW);
        assert.equal((await failure(client, 'select leasehold.assert_holder($1, $2)', [lock, token])).code, 'LH001');
        const lost = await test.store.renew({ lock, token, leaseMs: null, progress: null, holderInfo: null });
        assert.ok(lost.outcome === 'lost' && lost.reason === 'expired', lost.message);
        const released = await test.store.release({ lock, token, status: 'success', afterMs: 0, lost: null });
        assert.equal(released.outcome, 'expired');
        assert.equal((await test.store.runs({ lock, runId: null, limit: 1 }))[0]?.status, 'success');
      });

      it('lets the next start reclaim, and says that the former run may be at work; never plainly acquired', async () => {
        const lock = 'fast-next';
        const token = await take(lock);
        await moveInstants(client, -SLOW);
        const next = await test.store.acquire(start(lock, { holder: 'second' }));
        assert.ok(next.outcome === 'reclaimed', next.message);
        assert.match(next.message, /may still be running/);
        const lost = await test.store.renew({ lock, token, leaseMs: null, progress: null, holderInfo: null });
        assert.ok(lost.outcome === 'lost' && lost.reason === 'taken_over', lost.message);
      });
    });

    describe('to a replica that never got the lock (C38)', () => {
      it('tells the first holder that it lost, and refuses its fenced writes, before and after another has the lock', async () => {
        const lock = 'late';
        const token = await take(lock);
        await forget(client, lock);
        assert.equal((await failure(client, 'select leasehold.assert_holder($1, $2)', [lock, token])).code, 'LH001');
        const next = await test.store.acquire(start(lock, { holder: 'second' }));
        assert.ok(next.outcome === 'acquired', next.message);
        assert.equal((await failure(client, 'select leasehold.assert_holder($1, $2)', [lock, token])).code, 'LH001');
        const lost = await test.store.renew({ lock, token, leaseMs: null, progress: null, holderInfo: null });
        assert.ok(lost.outcome === 'lost' && lost.reason === 'unknown_token', lost.message);
        const late = await test.store.release({ lock, token, status: 'success', afterMs: 0, lost: null });
        assert.equal(late.outcome, 'not_holder');
        assert.equal(await test.store.isHolder(lock, next.token), true, 'nothing of the second one was touched');
      });

      it('may grant a fence that was granted before, where the runs are forgotten too: the token tells them apart', async () => {
        const lock = 'late-fence';
        const token = await take(lock);
        const granted = await row(client, 'select fence::int from leasehold.locks where name = $1', [lock]);
        await forget(client, lock);
        const next = await test.store.acquire(start(lock, { holder: 'second' }));
        assert.ok(next.outcome === 'acquired' && next.fence === granted['fence'], next.message);
        assert.notEqual(next.token, token);
      });
    });
  });
}
