import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { NO_TOKEN, verdictItem } from './stage/names.ts';

/** Verdicts and begins that come in one call. */
export const workFacts: readonly Fact[] = [
  fact(
    'of several begins and verdicts in one call each has its own answer, and a refused one harms no other',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.unbegun(['a', 'b', 'c', 'd']);
      await pool.begun(claim, 'a');
      await pool.begun(claim, 'c');
      const answer = await scene.store.work({
        pool: 'orders',
        verdicts: [
          verdictItem(claim, 'a', 'done', { providerRef: 'ref-a' }),
          verdictItem(NO_TOKEN, 'b', 'done'),
          verdictItem(claim, 'nowhere', 'failed', { error: 'x' }),
          verdictItem(claim, 'c', 'review', { error: 'odd' }),
        ],
        begins: [
          { id: 'b', token: claim.token },
          { id: 'a', token: claim.token },
          { id: 'd', token: NO_TOKEN.token },
          { id: 'd', token: claim.token },
        ],
      });
      assert.deepEqual(
        answer.verdicts.map(({ id, outcome, reason }) => [id, outcome, reason]),
        [
          ['a', 'accepted', null],
          ['b', 'refused', 'not_owner'],
          ['nowhere', 'refused', 'unknown_record'],
          ['c', 'accepted', null],
        ],
      );
      assert.deepEqual(
        answer.begins.map(({ id, outcome, reason }) => [id, outcome, reason]),
        [
          ['b', 'accepted', null],
          ['a', 'refused', 'not_claimed'],
          ['d', 'refused', 'not_owner'],
          ['d', 'accepted', null],
        ],
      );
      assert.deepEqual(await pool.states(), ['a done', 'b claimed', 'c review', 'd claimed']);
    },
  ),

  fact('the same begin and the same verdict twice in one call count once', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b']);
    await pool.begun(claim, 'a');
    const done = verdictItem(claim, 'a', 'done', { providerRef: 'ref' });
    const begin = { id: 'b', token: claim.token };
    const { verdicts, begins } = await scene.store.work({
      pool: 'orders',
      verdicts: [done, done],
      begins: [begin, begin],
    });
    assert.deepEqual(
      [...verdicts, ...begins].map(({ outcome }) => outcome),
      Array(4).fill('accepted'),
    );
    assert.equal((await pool.record('b')).attempt, 1);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('verdicts of a call come before its begins, also where both are of one record', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b', 'c', 'd']);
    const ids = ['a', 'b', 'c', 'd'];
    const { verdicts, begins } = await scene.store.work({
      pool: 'orders',
      verdicts: ids.map((id) => verdictItem(claim, id, id < 'c' ? 'failed' : 'done')),
      begins: ids.map((id) => ({ id, token: claim.token })),
    });
    for (const { outcome } of verdicts) assert.equal(outcome, 'accepted');
    assert.deepEqual(
      begins.map(({ reason }) => reason),
      ['not_owner', 'not_owner', 'not_claimed', 'not_claimed'],
    );
    assert.deepEqual(await pool.states(), ['a queued', 'b queued', 'c done', 'd done']);
  }),

  fact('two words about one record in one call are taken in their order', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b', 'c']);
    const { verdicts } = await scene.store.work({
      pool: 'orders',
      verdicts: [
        verdictItem(claim, 'a', 'review', { error: 'odd' }),
        verdictItem(claim, 'b', 'done', { providerRef: 'ref-b' }),
        verdictItem(claim, 'c', 'done', { providerRef: 'ref-c' }),
        verdictItem(claim, 'a', 'done', { providerRef: 'ref-a' }),
        verdictItem(claim, 'b', 'review', { error: 'odd' }),
      ],
      begins: [],
    });
    assert.deepEqual(
      verdicts.map(({ id, outcome, reason }) => [id, outcome, reason]),
      [
        ['a', 'accepted', null],
        ['b', 'accepted', null],
        ['c', 'accepted', null],
        ['a', 'evidence', null],
        ['b', 'refused', 'other_verdict'],
      ],
    );
    assert.deepEqual(await pool.states(), ['a done', 'b done', 'c done']);
  }),
];
