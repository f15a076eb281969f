import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { odd } from '../stage/hand-written.ts';
import type { Scene } from '../stage/scene.ts';
import { DAY, HOUR } from '../stage/timeline.ts';
import { idsOf, LEASE } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';
import { apply, asking, doubtful, takeOne } from './stage/sweep.ts';

const FOUND = { kind: 'done', providerRef: 'ref-1' } as const;
const REQUEUE = { kind: 'requeue', sendBefore: null, reason: 'the provider has no such effect' } as const;
const REVIEW = { kind: 'review', reason: 'the provider could not say: 500' } as const;

/** The next claim gets nothing: the record is asked for instead, and found. */
async function assertAskedFirst(pool: Pool): Promise<void> {
  assert.deepEqual(idsOf(await pool.next(50)), []);
  assert.deepEqual(await apply(pool, await takeOne(pool), FOUND), { outcome: 'applied', state: 'done' });
  assert.equal((await pool.record('a')).providerRef, 'ref-1');
}

/**
 * What a provider says of a record that was asked about before it changed. It does not apply (design §7); but an effect that
 * was found is there, and what a former owner has said is done is not sent again because an index lags.
 */
export const lateAnswerFacts: readonly Fact[] = [
  fact(
    'found too late for a record that failed meanwhile, it is asked for anew before it is sent (G4)',
    async (scene) => {
      const { pool, claim } = await doubtful(scene);
      const seen = await takeOne(pool);
      assert.equal((await pool.failed(claim, 'a')).state, 'queued');
      assert.deepEqual(await apply(pool, seen, FOUND), { outcome: 'overtaken', state: 'queued' });
      await scene.advance(HOUR);
      await assertAskedFirst(pool);
    },
  ),

  fact(
    'found too late for a record that a person has put back, it is asked for anew before it is sent',
    async (scene) => {
      const { pool } = await doubtful(scene);
      await apply(pool, await takeOne(pool), REVIEW);
      await pool.decide('a', 'ask');
      await scene.advance(HOUR);
      const seen = await takeOne(pool);
      assert.equal((await pool.decide('a', 'requeue')).state, 'queued');
      assert.equal((await apply(pool, seen, FOUND)).outcome, 'overtaken');
      await scene.advance(HOUR);
      await assertAskedFirst(pool);
    },
  ),

  fact('found too late for a record that another has claimed and not begun, its begin is refused', async (scene) => {
    const { pool, claim } = await doubtful(scene);
    const seen = await takeOne(pool);
    await pool.failed(claim, 'a');
    await scene.advance(HOUR);
    const next = await pool.unbegun(['a'], { holder: 'host:2' });
    assert.equal((await apply(pool, seen, FOUND)).outcome, 'overtaken');
    const begin = await pool.begin(next, 'a');
    assert.deepEqual([begin.outcome, begin.reason], ['refused', 'send_before']);
    assert.deepEqual(await apply(pool, await takeOne(pool), FOUND), { outcome: 'applied', state: 'done' });
  }),

  fact('absent of a record that a former owner says is done is review, not a second sending', async (scene) => {
    const pool = await asking(scene);
    await pool.set({ redo: 'safe' });
    const former = await pool.lapsed(['a'], { holder: 'h-1' });
    await pool.owned(['a'], { holder: 'h-2' });
    assert.equal((await pool.done(former, 'a', 'ref-1')).state, 'review');
    await scene.advance(LEASE);
    assert.equal((await pool.decide('a', 'ask')).outcome, 'accepted');
    const sendBefore = scene.dateAt((await scene.now()) + HOUR);
    const answer = await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore });
    assert.deepEqual(answer, { outcome: 'applied', state: 'review' });
    const row = await pool.record('a');
    assert.deepEqual([row.evidenceRef, (await pool.next(50)).owned], ['ref-1', []]);
  }),

  ...strays(),
];

/** A claimed record that no open claim leads to, in a pool whose provider can be asked, is found, asked for and settled. */
function strays(): Fact[] {
  const moves: readonly [string, (scene: Scene) => Promise<Pool>][] = [
    [
      'whose claim was moved to another pool by hand',
      async (scene) => {
        const { pool } = await doubtful(scene);
        await scene.changeRows({ table: 'claims', where: { pool: 'orders' }, set: { pool: 'elsewhere' } });
        return pool;
      },
    ],
    [
      'whose claim was closed by hand',
      async (scene) => {
        const { pool } = await doubtful(scene);
        const settled_at = new Date(await scene.now());
        await scene.changeRows({ table: 'claims', where: { pool: 'orders' }, set: { settled_at } });
        return pool;
      },
    ],
    [
      'whose claim was deleted by hand',
      async (scene) => {
        const { pool } = await doubtful(scene);
        await scene.changeRows({ table: 'claims', where: { pool: 'orders' }, set: {} });
        return pool;
      },
    ],
  ];
  return moves.map(([which, move]) =>
    odd(`a begun record ${which} is asked for by a sweep`, async (scene) => {
      const pool = await move(scene);
      await scene.advance(HOUR);
      assert.equal((await pool.settle()).toAsk, 1);
      assert.deepEqual(await apply(pool, await takeOne(pool), FOUND), { outcome: 'applied', state: 'done' });
      await scene.advance(DAY);
      assert.deepEqual(await pool.states(), ['a done']);
    }),
  );
}
