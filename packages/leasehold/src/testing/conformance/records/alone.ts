import assert from 'node:assert/strict';
import { recordName } from '../../../domain/records/messages.ts';
import { requeuedMessage, reviewMessage, reviewWords } from '../../../domain/records/reasons.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE, SECOND } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

/** Lets `times` claims of a record expire before its work began, as one does that kills its worker. */
async function expireIdle(pool: Pool, id: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await pool.unbegun([id], { holder: 'host:1' });
    await pool.scene.advance(LEASE);
    await pool.settle();
  }
}

export const aloneFacts: readonly Fact[] = [
  fact(
    'a record that cost two claims is handed out by itself, so that it takes no neighbour along (C97)',
    async (scene) => {
      const pool = scene.pool();
      await pool.enqueue(['poison', 'a', 'b']);
      await expireIdle(pool, 'poison', 1);
      const together = await pool.next(1, { explicitBegin: true });
      assert.deepEqual(idsOf(together), ['poison'], 'after one it still goes with others');
      await scene.advance(LEASE);
      const alone = await pool.next(10);
      assert.deepEqual(idsOf(alone), ['poison']);
      assert.deepEqual(idsOf(await pool.next(10)), ['a', 'b']);
    },
  ),

  fact('such a record is left out of a claim of others', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'poison', 'b']);
    await expireIdle(pool, 'poison', 2);
    assert.deepEqual(idsOf(await pool.next(10)), ['a', 'b']);
    assert.deepEqual(idsOf(await pool.next(10)), ['poison']);
  }),

  fact('offered by id, such a record is given first and alone, or not at all', async (scene) => {
    const pool = scene.pool();
    await expireIdle(pool, 'poison', 2);
    const others = await pool.claim(['a', 'poison', 'b']);
    assert.deepEqual([idsOf(others), refusalsOf(others)], [['a', 'b'], ['poison alone']]);
    const alone = await pool.claim(['a', 'poison', 'c']);
    assert.deepEqual([idsOf(alone), refusalsOf(alone)], [['poison'], ['a claimed', 'c alone']]);
  }),

  fact('a record whose claims expire again and again before its work began goes to review', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 1 });
    await expireIdle(pool, 'poison', 3);
    assert.deepEqual(await pool.states(), ['poison queued']);
    await expireIdle(pool, 'poison', 1);
    const row = await pool.record('poison');
    assert.deepEqual(
      [row.state, row.error],
      ['review', reviewWords('idle', { attempt: 0, holder: 'host:1', words: null, times: 4 })],
    );
    assert.equal((await pool.event('record.review')).data?.['reason'], 'idle');
    assert.equal(await pool.countEvents('record.requeued'), 3);
  }),

  fact('after a person sent it back it goes with others again', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 1 });
    await expireIdle(pool, 'poison', 4);
    await pool.decide('poison', 'requeue');
    await pool.enqueue(['a']);
    assert.deepEqual(idsOf(await pool.next(10)), ['poison', 'a']);
  }),

  fact('a record that fails before its work begins waits longer each time, and is told as that', async (scene) => {
    const pool = scene.pool();
    for (const wait of [30 * SECOND, MINUTE, 2 * MINUTE]) {
      const claim = await pool.unbegun(['a'], { holder: 'host:1', claimId: `c-${wait}` });
      const now = await scene.now();
      const answer = await pool.failed(claim, 'a', 'connect refused');
      assert.deepEqual([answer.outcome, answer.state], ['accepted', 'queued']);
      scene.assertElapsed(scene.at(answer.notBefore) - now, wait, 'wait');
      const [event] = await pool.events('record.requeued');
      const about = { attempt: 0, holder: 'host:1', words: 'connect refused', wasBegun: false };
      assert.equal(
        event?.message,
        requeuedMessage(recordName('orders', { id: 'a', version: '' }), 'failed', {
          ...about,
          notBefore: Number(answer.notBefore),
        }),
      );
      assert.deepEqual([event?.data?.['wasBegun'], event?.data?.['attempt']], [false, 0]);
      assert.equal((await pool.failed(claim, 'a', 'connect refused')).outcome, 'accepted', 'said again it counts once');
      await scene.advance(HOUR);
    }
  }),

  fact('a record that fails twice before its work begins goes alone, and later to review', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 1 });
    await pool.enqueue(['poison', 'a']);
    for (let time = 0; time < 3; time += 1) {
      await pool.failed(await pool.unbegun(['poison'], { holder: 'host:1' }), 'poison', 'connect refused');
      await scene.advance(HOUR);
    }
    assert.deepEqual(idsOf(await pool.next(10, { explicitBegin: true, leaseMs: SECOND })), ['poison']);
    await scene.advance(HOUR);
    await pool.settle();
    assert.equal((await pool.record('poison')).state, 'review', 'a claim that expires counts with them');
    await pool.decide('poison', 'requeue');
    for (let time = 0; time < 4; time += 1) {
      const claim = await pool.unbegun(['poison'], { holder: 'host:1' });
      const answer = await pool.failed(claim, 'poison', 'connect refused');
      assert.equal(answer.state, time < 3 ? 'queued' : 'review');
      await scene.advance(HOUR);
    }
    const words = reviewWords('idle', { attempt: 0, holder: 'host:1', words: 'connect refused', times: 4 });
    assert.equal((await pool.record('poison')).error, words);
    const [event] = await pool.events('record.review');
    assert.equal(event?.message, reviewMessage(recordName('orders', { id: 'poison', version: '' }), 'orders', words));
    assert.equal(event?.data?.['reason'], 'idle');
  }),

  fact(
    'a failure before the work begins counts no attempt, and one after it no claim that came to nothing',
    async (scene) => {
      const pool = scene.pool();
      await pool.set({ attempts: 3 });
      await pool.failed(await pool.unbegun(['a']), 'a');
      await scene.advance(HOUR);
      for (const attempt of [1, 2]) {
        const claim = await pool.owned(['a']);
        assert.equal(claim.owned[0]?.attempt, attempt);
        const now = await scene.now();
        const answer = await pool.failed(claim, 'a');
        scene.assertElapsed(scene.at(answer.notBefore) - now, attempt * 30 * SECOND, 'wait');
        await scene.advance(HOUR);
      }
      assert.deepEqual(idsOf(await pool.claim(['b', 'a'])), ['b', 'a'], 'it does not go alone');
    },
  ),

  fact('giving back costs a record nothing', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'b']);
    for (let time = 0; time < 12; time += 1) {
      const claim = await pool.next(2, { explicitBegin: true });
      assert.deepEqual(idsOf(claim), ['a', 'b']);
      await pool.giveBack({ token: claim.token ?? '' });
    }
  }),
];
