import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { LEASE } from './stage/names.ts';
import { apply, asking, doubtful, EVERY, takeOne, takeToAsk, VERIFIER } from './stage/sweep.ts';

export const askingFacts: readonly Fact[] = [
  fact('a begun record whose claim is over is to be asked for, with all that a look-up needs', async (scene) => {
    const begun = await scene.now();
    const { pool } = await doubtful(scene);
    const now = await scene.now();
    const asked = await takeOne(pool);
    const { begunAt, firstBegunAt, leaseUntil, askedAt, askSince, effectKey, ...rest } = asked;
    assert.deepEqual(rest, {
      pool: 'orders',
      id: 'a',
      version: '',
      payload: '"x"',
      providerRef: null,
      claimId: 'c-1',
      holder: 'host:1',
      holderInfo: { pid: 7 },
      attempt: 1,
      unknownAt: null,
      sendBefore: null,
      holderEndedAt: null,
      isInReview: false,
    });
    assert.equal(effectKey, (await pool.record('a')).effectKey);
    for (const instant of [begunAt, firstBegunAt]) scene.assertElapsed(scene.at(instant), begun, 'begunAt');
    scene.assertElapsed(scene.at(leaseUntil), begun + LEASE, 'leaseUntil');
    for (const instant of [askedAt, askSince]) scene.assertElapsed(scene.at(instant), now, 'askedAt');
  }),

  fact('what is not begun, not over, settled, or in a pool that repeats is not asked for', async (scene) => {
    const pool = await asking(scene);
    await pool.unbegun(['idle']);
    const claim = await pool.owned(['done', 'failed', 'review']);
    await pool.done(claim, 'done');
    await pool.failedForGood(claim, 'failed');
    await pool.toReview(claim, 'review');
    await pool.owned(['alive'], { leaseMs: 5 * HOUR });
    const safe = scene.pool('safe');
    await safe.set({ redo: 'safe', verifier: VERIFIER });
    await safe.owned(['a']);
    await scene.advance(LEASE);
    assert.deepEqual(await takeToAsk(pool), []);
    assert.deepEqual(await takeToAsk(safe), []);
  }),

  fact('a record that one sweep asks for is given to no other until some time has passed', async (scene) => {
    const { pool } = await doubtful(scene);
    const first = await takeOne(pool);
    const since = scene.at(first.askSince);
    assert.deepEqual(await takeToAsk(pool), []);
    await scene.advanceToJustBefore(EVERY);
    assert.deepEqual(await takeToAsk(pool), []);
    await scene.advance(1 + scene.driftMs);
    const again = await takeOne(pool);
    assert.equal(scene.at(again.askSince), since, 'since when it is asked for');
    assert.ok(scene.at(again.askedAt) > since, 'and when this time');
  }),

  fact('as many are asked for as a sweep wants, and then the others', async (scene) => {
    const pool = await asking(scene);
    await pool.lapsed(['a', 'b', 'c']);
    const first = await takeToAsk(pool, 2);
    const rest = await takeToAsk(pool, 2);
    assert.deepEqual([first.length, rest.length], [2, 1]);
    assert.deepEqual(new Set([...first, ...rest].map(({ id }) => id)), new Set(['a', 'b', 'c']));
  }),

  fact(
    'what a sweep has asked for is asked for at once again when its sender says that it doesn’t know',
    async (scene) => {
      const { pool, claim } = await doubtful(scene);
      await takeOne(pool);
      assert.deepEqual(await takeToAsk(pool), []);
      await pool.unknown(claim, 'a');
      assert.ok((await takeOne(pool)).unknownAt !== null);
    },
  ),

  fact('a record whose sender doesn’t know is asked for at once, with since when it said so', async (scene) => {
    const pool = await asking(scene);
    const claim = await pool.owned(['a']);
    await scene.advance(MINUTE);
    const now = await scene.now();
    await pool.unknown(claim, 'a');
    scene.assertElapsed(scene.at((await takeOne(pool)).unknownAt), now, 'unknownAt');
  }),

  fact(
    'since when its sender doesn’t know is kept in review, for a person who has its provider asked',
    async (scene) => {
      const pool = await asking(scene);
      const claim = await pool.owned(['a']);
      const now = await scene.now();
      await pool.unknown(claim, 'a');
      await scene.advance(24 * HOUR);
      await pool.settle();
      assert.equal((await pool.record('a')).state, 'review');
      await pool.decide('a', 'ask');
      const asked = await takeOne(pool);
      assert.equal(asked.isInReview, true);
      scene.assertElapsed(scene.at(asked.unknownAt), now, 'unknownAt');
    },
  ),

  fact(
    'what must be sent before an instant is asked for with that instant: an earlier sender may still run',
    async (scene) => {
      const { pool } = await doubtful(scene);
      const sendBefore = scene.dateAt((await scene.now()) + 3 * HOUR);
      const at = scene.at(sendBefore);
      const requeue = { kind: 'requeue', reason: 'the provider has no such effect', sendBefore } as const;
      await apply(pool, await takeOne(pool), requeue);
      const claim = await pool.unbegun(['a']);
      await pool.begun(claim, 'a');
      await scene.advance(LEASE);
      assert.equal(scene.at((await takeOne(pool)).sendBefore), at);
    },
  ),

  fact(
    'since when a holder is proven to have ended is kept from the first time, and told with the record',
    async (scene) => {
      const { pool } = await doubtful(scene);
      const now = await scene.now();
      const note = (claimId: string): Promise<Date | null> =>
        scene.store.noteHolderEnded({ pool: 'orders', claimId, holder: 'host:1' });
      scene.assertElapsed(scene.at(await note('c-1')), now, 'holderEndedAt');
      await scene.advance(MINUTE);
      scene.assertElapsed(scene.at(await note('c-1')), now, 'holderEndedAt');
      scene.assertElapsed(scene.at((await takeOne(pool)).holderEndedAt), now, 'holderEndedAt');
      assert.equal(await note('c-2'), null);
      assert.equal(await scene.store.noteHolderEnded({ pool: 'orders', claimId: 'c-1', holder: 'host:2' }), null);
    },
  ),

  fact('an extension contradicts the proof that a holder has ended: it is proven anew', async (scene) => {
    const pool = await asking(scene);
    const claim = await pool.unbegun(['a'], { claimId: 'c-1', holder: 'host:1' });
    await pool.begun(claim, 'a');
    const note = (): Promise<Date | null> =>
      scene.store.noteHolderEnded({ pool: 'orders', claimId: 'c-1', holder: 'host:1' });
    await note();
    await scene.advance(MINUTE);
    await pool.extend(claim);
    await scene.advance(LEASE);
    assert.equal((await takeOne(pool)).holderEndedAt, null);
    const now = await scene.now();
    scene.assertElapsed(scene.at(await note()), now, 'holderEndedAt');
  }),
];
