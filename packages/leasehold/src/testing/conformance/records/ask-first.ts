import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';
import { VERIFIER } from './stage/sweep.ts';

/**
 * A queue of `a`, `poison`, `b` and `c`, in this order: `poison` goes alone, and whatever of them was begun once must be
 * asked for before it is sent again.
 */
async function queueOf(scene: Scene, begun: 'a' | 'poison'): Promise<Pool> {
  const pool = scene.pool();
  await pool.set({ redo: 'safe', redoWindowMs: 9 * HOUR, verifier: VERIFIER });
  await pool.enqueue(['a', 'poison', 'b', 'c']);
  await pool.lapsed([begun]);
  await pool.settle();
  for (let time = 0; time < 2; time += 1) {
    await pool.unbegun(['poison']);
    await scene.advance(LEASE);
    await pool.settle();
  }
  await scene.advance(9 * HOUR);
  assert.deepEqual(await pool.states(), ['a queued', 'b queued', 'c queued', 'poison queued']);
  return pool;
}

/** What must be asked for before it is sent is claimed, flagged and given to nobody: it counts for nothing in its claim. */
export const askFirstFacts: readonly Fact[] = [
  ...[2, 10].map((limit) =>
    fact(
      `one that goes alone is the first of a claim of ${limit} also where what is before it must be asked for`,
      async (scene) => {
        const pool = await queueOf(scene, 'a');
        assert.deepEqual(idsOf(await pool.next(limit, { explicitBegin: true })), ['poison']);
        assert.deepEqual(await pool.states(), ['a claimed', 'b queued', 'c queued', 'poison claimed']);
        assert.deepEqual(idsOf(await pool.next(limit)), ['b', 'c']);
      },
    ),
  ),

  fact('what goes alone and must be asked for first keeps no others from the claim that meets it', async (scene) => {
    const pool = await queueOf(scene, 'poison');
    const first = await pool.claim(['a']);
    assert.deepEqual(idsOf(first), ['a']);
    assert.deepEqual(idsOf(await pool.next(2, { explicitBegin: true })), ['b', 'c']);
    assert.equal((await pool.record('poison')).state, 'claimed', 'its provider is asked');
  }),

  fact('nor from the same claim when it goes on', async (scene) => {
    const pool = await queueOf(scene, 'poison');
    const same = { claimId: 'c-1', holder: 'host:1', explicitBegin: true };
    const claim = await pool.claim(['poison', 'a'], same);
    assert.deepEqual([idsOf(claim), refusalsOf(claim)], [['a'], ['poison ask_first']]);
    await scene.advance(MINUTE);
    const more = await pool.claim(['b', 'poison'], { ...same, isContinued: true });
    assert.deepEqual(idsOf(more).toSorted(), ['a', 'b']);
  }),
];
