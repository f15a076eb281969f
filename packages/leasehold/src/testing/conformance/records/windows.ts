import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';
import { apply, doubtful, takeOne } from './stage/sweep.ts';

/** Record `a`, begun once and queued again, whose provider knows its key for `left` from now on. */
async function inWindow(scene: Scene, left: number): Promise<Pool> {
  const pool = scene.pool();
  await pool.set({ redo: 'safe', redoWindowMs: LEASE + left });
  await pool.lapsed(['a'], { holder: 'host:1' });
  await pool.settle();
  assert.deepEqual(await pool.states(), ['a queued']);
  return pool;
}

/** While a provider recognises a key, and no longer: what a claim that begins all at once may be given. */
export const windowFacts: readonly Fact[] = [
  fact(
    'no claim that begins all at once is given what it might send after its provider has forgotten it (G5)',
    async (scene) => {
      const { pool } = await doubtful(scene);
      const sendBefore = scene.dateAt((await scene.now()) + 2 * HOUR);
      const reason = 'the provider has no such effect';
      await apply(pool, await takeOne(pool), { kind: 'requeue', sendBefore, reason });
      const long = await pool.claim(['a'], { leaseMs: 3 * HOUR });
      assert.deepEqual([idsOf(long), refusalsOf(long)], [[], ['a ask_first']]);
      const short = await pool.owned(['a'], { leaseMs: HOUR });
      const extended = await pool.extend(short, 9 * HOUR);
      assert.equal(extended.outcome, 'extended');
      scene.assertRemaining(extended.remainingMs, 2 * HOUR, 'no further than its provider knows it');
    },
  ),

  fact('what a claim is too long for stays queued, and tells nothing, however often it is asked for', async (scene) => {
    const pool = await inWindow(scene, 2 * HOUR);
    await pool.enqueue(['b']);
    const before = await pool.events();
    const row = await pool.record('a');
    assert.deepEqual(idsOf(await pool.next(10, { leaseMs: 3 * HOUR })), ['b']);
    for (let time = 0; time < 3; time += 1) {
      assert.deepEqual((await pool.next(10, { leaseMs: 3 * HOUR })).owned, []);
      assert.deepEqual(refusalsOf(await pool.claim(['a'], { leaseMs: 3 * HOUR })), ['a ask_first']);
    }
    assert.deepEqual([await pool.record('a'), await pool.events()], [row, before]);
    assert.equal((await pool.status()).toAsk, 0);
    assert.equal((await pool.settle()).requeued, 0);
  }),

  fact('the same in a pool with versions, and of a claim that is asked again', async (scene) => {
    const pool = await inWindow(scene, 2 * HOUR);
    await pool.enqueue([['v', '1']]);
    const same = { leaseMs: 3 * HOUR, claimId: 'c-2', holder: 'host:2' };
    const claim = await pool.claim(['a', 'b'], same);
    assert.deepEqual([idsOf(claim), refusalsOf(claim)], [['b'], ['a ask_first']]);
    const more = await pool.claim(['a', 'c'], { ...same, isContinued: true });
    assert.deepEqual([idsOf(more), refusalsOf(more)], [['b', 'c'], ['a ask_first']]);
    assert.equal((await pool.record('a')).state, 'queued');
  }),

  ...(
    [
      ['a shorter claim', { leaseMs: HOUR }],
      ['a claim that says when it begins', { leaseMs: 3 * HOUR, explicitBegin: true }],
    ] as const
  ).map(([name, patch]) =>
    fact(`${name} has what another one was too long for`, async (scene) => {
      const pool = await inWindow(scene, 2 * HOUR);
      assert.deepEqual((await pool.next(10, { leaseMs: 3 * HOUR })).owned, []);
      const claim = await pool.next(10, patch);
      assert.deepEqual([idsOf(claim), claim.owned[0]?.attempt], [['a'], 2]);
    }),
  ),

  fact('one that goes alone does not hold up the queue for a claim that is too long for it', async (scene) => {
    const pool = await inWindow(scene, 9 * HOUR);
    for (let time = 0; time < 2; time += 1) {
      await pool.unbegun(['a']);
      await scene.advance(LEASE);
      await pool.settle();
    }
    await pool.enqueue(['b', 'c']);
    assert.deepEqual(idsOf(await pool.next(10, { leaseMs: 24 * HOUR })), ['b', 'c']);
  }),

  fact(
    'once its provider has forgotten it, the next claim sees to it that it is asked for, or reviewed',
    async (scene) => {
      const pool = await inWindow(scene, 2 * HOUR);
      assert.deepEqual((await pool.next(10, { leaseMs: 3 * HOUR })).owned, []);
      await scene.advance(2 * HOUR + MINUTE);
      assert.deepEqual(refusalsOf(await pool.claim(['a'], { leaseMs: 3 * HOUR })), ['a ask_first']);
      assert.equal((await pool.record('a')).state, 'claimed');
      await pool.settle();
      assert.equal((await pool.record('a')).state, 'review');
      assert.equal((await pool.event('record.review')).data?.['reason'], 'expired');
    },
  ),
];
