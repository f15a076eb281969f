import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { odd } from '../stage/hand-written.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

/** Version 1 of `a` has failed, and a person may put it back. */
async function withFailed(scene: Scene): Promise<Pool> {
  const pool = scene.pool();
  await pool.failedForGood(await pool.owned([['a', '1']]), 'a');
  return pool;
}

async function requeued(pool: Pool, version: string): Promise<void> {
  assert.equal((await pool.decide('a', 'requeue', { version })).outcome, 'accepted');
}

/** What the next claim of many gets, all of it done at once. */
async function worked(pool: Pool): Promise<string[]> {
  const claim = await pool.next(50);
  const token = claim.token ?? '';
  for (const { id } of claim.owned) assert.equal((await pool.done({ token }, id)).outcome, 'accepted');
  return idsOf(claim);
}

/** A person's requeue obeys the order of versions as every requeue does. */
export const versionOrderFacts: readonly Fact[] = [
  fact('an older version that a person requeues is worked first, and the newer waits for it (G4)', async (scene) => {
    const pool = await withFailed(scene);
    await pool.enqueue([['a', '2']]);
    await requeued(pool, '1');
    assert.deepEqual(refusalsOf(await pool.claim([['a', '2']])), ['a/2 earlier_version']);
    const claim = await pool.next(50);
    assert.deepEqual(idsOf(claim), ['a/1']);
    assert.deepEqual((await pool.next(50)).owned, []);
    assert.equal((await pool.done({ token: claim.token ?? '' }, 'a')).outcome, 'accepted');
    assert.deepEqual([await worked(pool), await worked(pool)], [['a/2'], []]);
  }),

  fact(
    'an older version that a person requeues waits while the newer is claimed, and while that is in review (G4)',
    async (scene) => {
      const pool = await withFailed(scene);
      const newer = await pool.owned([['a', '2']]);
      await requeued(pool, '1');
      assert.deepEqual((await pool.next(50)).owned, []);
      await pool.toReview(newer, 'a');
      assert.deepEqual((await pool.next(50)).owned, []);
      assert.deepEqual(refusalsOf(await pool.claim([['a', '1']])), ['a/1 earlier_version']);
      await pool.decide('a', 'done', { version: '2' });
      assert.deepEqual([await worked(pool), await worked(pool)], [['a/1'], []]);
    },
  ),

  fact('of two versions that a person requeues the older is worked first, and none is stuck', async (scene) => {
    for (const order of [
      ['1', '2'],
      ['2', '1'],
    ]) {
      const pool = scene.pool(`pool-${order.join('-')}`);
      await pool.failedForGood(await pool.owned([['a', '1']]), 'a');
      await pool.toReview(await pool.owned([['a', '2']]), 'a');
      for (const version of order) await requeued(pool, version);
      assert.deepEqual([await worked(pool), await worked(pool), await worked(pool)], [['a/1'], ['a/2'], []]);
    }
  }),

  fact('a newer version is not cancelled because an older one waits for it', async (scene) => {
    const pool = await withFailed(scene);
    await pool.unbegun([['a', '2']]);
    await requeued(pool, '1');
    await scene.advance(LEASE);
    assert.deepEqual([(await pool.settle()).requeued, await pool.states()], [1, ['a/1 queued', 'a/2 queued']]);
    assert.deepEqual([...(await worked(pool)), ...(await worked(pool))].toSorted(), ['a/1', 'a/2']);
  }),

  fact('a version newer than one that a person requeues waits like every other', async (scene) => {
    const pool = await withFailed(scene);
    await requeued(pool, '1');
    await pool.enqueue([['a', '2']]);
    assert.deepEqual([await worked(pool), await worked(pool)], [['a/1'], ['a/2']]);
  }),

  odd(
    'a version that a person has made free is not handed out while another of its id is claimed (G4)',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.owned([['a', '1']]);
      await pool.enqueue([['a', '2']]);
      await scene.changeRows({ table: 'records', where: { id: 'a', version: '2' }, set: { waits: false } });
      assert.deepEqual((await pool.next(50)).owned, []);
      await pool.done(claim, 'a');
      assert.deepEqual(idsOf(await pool.next(50)), ['a/2']);
    },
  ),

  odd('of two versions that a person has made free by hand only one is handed out at a time', async (scene) => {
    const pool = scene.pool();
    await pool.failed(await pool.owned([['a', '1']]), 'a');
    await pool.enqueue([['a', '2'], 'b']);
    await scene.changeRows({ table: 'records', where: { pool: 'orders' }, set: { waits: false } });
    await scene.advance(HOUR);
    const claim = await pool.next(50);
    assert.deepEqual(idsOf(claim), ['a/1', 'b']);
    assert.deepEqual((await pool.next(50)).owned, []);
    assert.deepEqual(refusalsOf(await pool.claim([['a', '2']])), ['a/2 earlier_version']);
    await pool.done({ token: claim.token ?? '' }, 'a');
    assert.deepEqual(idsOf(await pool.next(50)), ['a/2']);
  }),
];
