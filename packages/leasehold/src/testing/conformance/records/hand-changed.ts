import assert from 'node:assert/strict';
import type { Fact } from '../stage/fact.ts';
import { odd } from '../stage/hand-written.ts';
import type { Scene } from '../stage/scene.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

/** The most attempts that both engines can store. */
const MOST = 2_147_483_647;

/** Version 2 of `a` waits for version 1, which is claimed; a person then changes or removes version 1. */
async function stranded(scene: Scene, set: { readonly state?: string }): Promise<Pool> {
  const pool = scene.pool();
  await pool.owned([['a', '1']]);
  await pool.enqueue([['a', '2'], 'b']);
  assert.deepEqual(refusalsOf(await pool.claim([['a', '2']])), ['a/2 earlier_version']);
  await scene.changeRows({ table: 'records', where: { pool: 'orders', id: 'a', version: '1' }, set });
  return pool;
}

/** `a` was claimed and begun, and a person has put it back in the queue; its token is still there. */
async function putBack(scene: Scene): Promise<{ readonly pool: Pool; readonly former: { readonly token: string } }> {
  const pool = scene.pool();
  const former = await pool.owned(['a'], { holder: 'h-1', claimId: 'c-1' });
  await scene.changeRows({ table: 'records', where: { pool: 'orders', id: 'a' }, set: { state: 'queued' } });
  return { pool, former };
}

async function assertIsEvidence(pool: Pool, former: { readonly token: string }): Promise<void> {
  const answer = await pool.done(former, 'a', 'ref-1');
  assert.deepEqual([answer.outcome, answer.state], ['evidence', 'review'], answer.message);
  assert.equal((await pool.record('a')).evidenceRef, 'ref-1');
}

/** Records as a person's SQL or a restore in part leaves them: nothing is stuck, nothing learned is lost. */
export const handChangedFacts: readonly Fact[] = [
  odd('a version that waits for one that was made done by hand is had by whoever claims it', async (scene) => {
    const pool = await stranded(scene, { state: 'done' });
    const claim = await pool.owned([['a', '2']]);
    assert.equal((await pool.done(claim, 'a')).outcome, 'accepted');
  }),

  odd('a version that waits for one that was made done or deleted by hand is let in by a sweep', async (scene) => {
    const pool = await stranded(scene, {});
    assert.deepEqual(idsOf(await pool.next(50)), ['b']);
    await pool.settle();
    assert.deepEqual(idsOf(await pool.next(50)), ['a/2']);
  }),

  odd(
    'of the versions that wait for one that was deleted by hand one at a time is let in, the oldest first',
    async (scene) => {
      const pool = await stranded(scene, {});
      await scene.changeRows({ table: 'records', where: { pool: 'orders', version: '2' }, set: { attempt: 1 } });
      await pool.enqueue([['a', '3']]);
      assert.deepEqual(refusalsOf(await pool.claim([['a', '3']])), ['a/3 earlier_version']);
      const claim = await pool.owned([['a', '2']]);
      await pool.settle();
      assert.deepEqual(refusalsOf(await pool.claim([['a', '3']])), ['a/3 earlier_version']);
      await pool.done(claim, 'a');
      assert.equal((await pool.claim([['a', '3']])).owned.length, 1);
    },
  ),

  odd('a sweep lets no version in while the older one is claimed, queued or in review', async (scene) => {
    for (const state of ['claimed', 'queued', 'review']) {
      const pool = scene.pool(`pool-${state}`);
      const claim = await pool.owned([['a', '1']]);
      await pool.enqueue([['a', '2']]);
      if (state === 'queued') await pool.failed(claim, 'a');
      if (state === 'review') await pool.toReview(claim, 'a');
      await pool.settle();
      assert.deepEqual(refusalsOf(await pool.claim([['a', '2']])), ['a/2 earlier_version'], state);
      assert.deepEqual((await pool.next(50)).owned, [], state);
    }
  }),

  odd('the token of a record that was put back by hand is remembered by a claim of its id', async (scene) => {
    const { pool, former } = await putBack(scene);
    await pool.owned(['a'], { holder: 'h-2' });
    await assertIsEvidence(pool, former);
  }),

  odd('the token of a record that was put back by hand is remembered by a claim of the next ones', async (scene) => {
    const { pool, former } = await putBack(scene);
    await pool.enqueue(['b']);
    assert.deepEqual(idsOf(await pool.next(50)), ['a', 'b']);
    await assertIsEvidence(pool, former);
  }),

  odd('the token of a record that was put back by hand is remembered in a pool with versions', async (scene) => {
    const { pool, former } = await putBack(scene);
    await pool.enqueue([['b', '1']]);
    await pool.owned(['a', ['b', '1']], { holder: 'h-2' });
    await assertIsEvidence(pool, former);
  }),

  odd('a record that has had all attempts that can be counted stops no claim of its pool', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'b']);
    await scene.changeRows({
      table: 'records',
      where: { pool: 'orders', id: 'a' },
      set: { attempt: MOST, idle_requeues: 0 },
    });
    const claim = await pool.next(50);
    assert.deepEqual(idsOf(claim), ['a', 'b']);
    const answer = await pool.failed({ token: claim.token ?? '' }, 'a');
    assert.deepEqual([answer.outcome, answer.state], ['accepted', 'review'], 'its attempts are used up');
  }),

  odd('a record that has cost all claims that can be counted is settled like others', async (scene) => {
    const pool = scene.pool();
    await pool.unbegun(['a']);
    await scene.changeRows({ table: 'records', where: { pool: 'orders', id: 'a' }, set: { idle_requeues: MOST } });
    await scene.advance(LEASE);
    assert.equal((await pool.settle()).review, 1);
    assert.deepEqual(await pool.states(), ['a review']);
  }),
];
