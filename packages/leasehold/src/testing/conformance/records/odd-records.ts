import assert from 'node:assert/strict';
import { claimClockFaultMessage } from '../../../domain/records/messages.ts';
import type { Fact } from '../stage/fact.ts';
import { odd } from '../stage/hand-written.ts';
import { DAY, HOUR } from '../stage/timeline.ts';
import { idsOf, LEASE } from './stage/names.ts';

/** Rows as a faulty clock, a restore or a person's SQL leaves them: judged, not trusted. */
export const oddRecordFacts: readonly Fact[] = [
  odd(
    'a record whose claim is lost counts as expired: begun goes to review, never begun to the queue',
    async (scene) => {
      const pool = scene.pool();
      await pool.owned(['begun'], { claimId: 'c-1' });
      await pool.unbegun(['idle'], { claimId: 'c-2' });
      await scene.changeRows({ table: 'claims', where: { pool: 'orders' }, set: {} });
      assert.equal((await pool.record('begun')).state, 'claimed');
      const claim = await pool.claim(['idle', 'begun']);
      assert.deepEqual(idsOf(claim), ['idle']);
      await pool.settle();
      assert.deepEqual(await pool.states(), ['begun review', 'idle claimed']);
    },
  ),

  odd('the verdict of a token whose claim is lost counts', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a']);
    await scene.changeRows({ table: 'claims', where: { pool: 'orders' }, set: {} });
    assert.equal((await pool.done(claim, 'a', 'ref')).outcome, 'accepted');
    assert.equal((await pool.record('a')).state, 'done');
  }),

  odd(
    'a claim’s lease that ends further away than its length is drawn in, and told as a fault of a clock',
    async (scene) => {
      const pool = scene.pool();
      await pool.unbegun(['a'], { claimId: 'c-1' });
      const now = await scene.now();
      await scene.changeRows({
        table: 'claims',
        where: { pool: 'orders' },
        set: { lease_until: new Date(now + 400 * DAY) },
      });
      await pool.settle();
      const event = await pool.event('clock.fault');
      assert.ok(event.message.startsWith('The lease of claim c-1 of pool "orders" was to end at '), event.message);
      assert.ok(event.message.split(' ').length === claimClockFaultMessage('orders', 'c-1', 0, 0).split(' ').length);
      assert.deepEqual(await pool.states(), ['a claimed'], 'never reclaimed early');
      await scene.advance(LEASE + scene.driftMs);
      assert.equal((await pool.settle()).requeued, 1);
      assert.equal(await pool.countEvents('clock.fault'), 1);
    },
  ),

  odd('a record that lacks its owner is nobody’s, and the next claim or sweep finds it', async (scene) => {
    const pool = scene.pool();
    await pool.unbegun(['a']);
    await scene.changeRows({ table: 'records', where: { pool: 'orders' }, set: { token: null } });
    await scene.advance(LEASE);
    await pool.settle();
    assert.deepEqual(await pool.states(), ['a queued']);
  }),

  odd(
    'claimed records that were moved to another pool by hand are settled there when their lease is over',
    async (scene) => {
      const pool = scene.pool();
      await pool.enqueue(['b']);
      await pool.unbegun(['a']);
      const moved = scene.pool('moved');
      await moved.enqueue(['c']);
      await scene.changeRows({ table: 'records', where: { pool: 'orders' }, set: { pool: 'moved' } });
      await moved.settle();
      assert.deepEqual(await moved.states(), ['a claimed', 'b queued', 'c queued'], 'never before its time');
      await scene.advance(2 * LEASE);
      await pool.settle();
      await moved.settle();
      assert.deepEqual(await moved.states(), ['a queued', 'b queued', 'c queued']);
    },
  ),

  odd('a settled record that was made claimed by hand is settled again, though its claim is closed', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a']);
    await pool.failedForGood(claim, 'a');
    await scene.advance(2 * LEASE);
    await pool.settle();
    await scene.changeRows({
      table: 'records',
      where: { pool: 'orders' },
      set: { state: 'claimed', unknown_at: null },
    });
    await scene.advance(2 * LEASE);
    await pool.settle();
    assert.deepEqual(await pool.states(), ['a queued']);
  }),

  odd('a pool’s row that is lost is made again, and its records stay', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a']);
    const claim = await pool.owned(['b']);
    await scene.changeRows({ table: 'pools', where: { pool: 'orders' }, set: {} });
    assert.equal((await pool.done(claim, 'b')).outcome, 'accepted');
    assert.deepEqual(idsOf(await pool.next()), ['a']);
    await scene.advance(HOUR);
    assert.equal((await pool.settle()).review, 1);
  }),
];
