import assert from 'node:assert/strict';
import type { ClaimAnswer } from '../../../domain/records/record.ts';
import { claimMessage } from '../../../domain/records/messages.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

const SAME = { holder: 'host:1', claimId: 'c-1' } as const;

/** What both kinds of claim have in common. */
const KINDS: Readonly<
  Record<string, (pool: Pool, more?: { readonly explicitBegin: boolean }) => Promise<ClaimAnswer>>
> = {
  'by id': (pool, more) => pool.claim(['a', 'b', 'c', 'd', 'e'], { ...SAME, limit: 3, ...more }),
  'of the next ones': (pool, more) => pool.next(3, { ...SAME, ...more }),
};

export const claimRepeatFacts: readonly Fact[] = [
  ...Object.entries(KINDS).flatMap(([kind, claim]): Fact[] => [
    fact(
      `a claim ${kind} repeated by its holder is the same claim: its token, its records, its lease`,
      async (scene) => {
        const pool = scene.pool();
        await pool.enqueue(['a', 'b', 'c', 'd', 'e']);
        const first = await claim(pool);
        const until = scene.at(first.leaseUntil);
        await scene.advance(MINUTE);
        const again = await claim(pool);
        assert.deepEqual([again.token, idsOf(again)], [first.token, ['a', 'b', 'c']]);
        assert.deepEqual(again.owned, first.owned, 'attempts are counted once');
        assert.equal(scene.at(again.leaseUntil), until, 'leaseUntil');
        scene.assertRemaining(again.remainingMs, LEASE - MINUTE);
        const words = { owned: 3, offered: null, leaseUntil: again.leaseUntil?.getTime() ?? 0, isRepeat: true };
        assert.equal(again.message, claimMessage('claimed', again, words));
        assert.deepEqual(await pool.states(), ['a claimed', 'b claimed', 'c claimed', 'd queued', 'e queued']);
      },
    ),

    fact(
      `a claim ${kind} repeated answers what it still has, and takes nothing in place of the rest`,
      async (scene) => {
        const pool = scene.pool();
        await pool.enqueue(['a', 'b', 'c', 'd', 'e']);
        const first = await claim(pool);
        await pool.done({ token: first.token ?? '' }, 'b');
        assert.deepEqual(idsOf(await claim(pool)), ['a', 'c']);
        assert.equal((await pool.status()).queued, 2);
      },
    ),

    fact(`a claim ${kind} repeated after its lease has ended, and takes nothing anew`, async (scene) => {
      const pool = scene.pool();
      await pool.enqueue(['a', 'b', 'c', 'd', 'e']);
      await claim(pool);
      await scene.advance(LEASE);
      for (const settle of [false, true]) {
        if (settle) await pool.settle();
        const answer = await claim(pool);
        assert.deepEqual([answer.outcome, answer.owned, answer.token], ['claim_ended', [], null]);
        const words = { owned: 0, offered: null, leaseUntil: null, isRepeat: true };
        assert.equal(answer.message, claimMessage('claim_ended', answer, words));
        assert.deepEqual((await pool.record('d')).state, 'queued');
      }
    }),
  ]),

  ...Object.entries(KINDS).map(([kind, claim]) =>
    fact(
      `a claim ${kind} repeated is not given what it has begun: who asks again may be another, and the begin has sent (G1)`,
      async (scene) => {
        const pool = scene.pool();
        await pool.enqueue(['a', 'b', 'c', 'd', 'e']);
        const first = await claim(pool, { explicitBegin: true });
        const token = { token: first.token ?? '' };
        await pool.begun(token, 'a');
        const again = await claim(pool, { explicitBegin: true });
        assert.deepEqual([idsOf(again), again.token], [['b', 'c'], first.token]);
        assert.equal(refusalsOf(again)[0], 'a ask_first');
        assert.equal((await pool.begun(token, 'a')).attempt, 1, 'from the one that has it a begin counts once');
        for (const id of ['b', 'c']) await pool.begun(token, id);
        const third = await claim(pool, { explicitBegin: true });
        assert.deepEqual([third.owned, third.token], [[], null]);
        await pool.done(token, 'a', 'ref-a');
        await scene.advance(LEASE);
        await pool.settle();
        assert.deepEqual(
          (await pool.states()).slice(0, 3),
          ['a done', 'b review', 'c review'],
          'settled with the lease',
        );
      },
    ),
  ),

  fact(
    'a claim that is continued is not given again what it has begun, and that counts towards its limit',
    async (scene) => {
      const pool = scene.pool();
      const ask = { ...SAME, limit: 3, explicitBegin: true };
      const first = await pool.claim(['a', 'b'], ask);
      await pool.begun({ token: first.token ?? '' }, 'a');
      const more = await pool.claim(['a', 'c', 'd'], { ...ask, isContinued: true });
      assert.deepEqual(
        [idsOf(more), refusalsOf(more)],
        [
          ['b', 'c'],
          ['a ask_first', 'd over_limit'],
        ],
      );
    },
  ),

  fact('a claim whose records begin with it is given them again: they carry its live token', async (scene) => {
    const pool = scene.pool();
    await pool.claim(['a', 'b'], SAME);
    const again = await pool.claim(['a', 'b'], SAME);
    assert.deepEqual([idsOf(again), again.refused], [['a', 'b'], []]);
  }),

  fact('a repeat gives each offered record that it does not own a reason', async (scene) => {
    const pool = scene.pool();
    const taken = await pool.owned(['taken', 'gone'], { holder: 'rival:1' });
    await pool.done(taken, 'gone');
    await pool.enqueue(['late'], { notBefore: scene.dateAt((await scene.now()) + HOUR) });
    const first = await pool.claim(['a', 'b', 'c'], { ...SAME, limit: 3 });
    const token = { token: first.token ?? '' };
    await pool.done(token, 'a');
    await pool.unknown(token, 'b');
    const again = await pool.claim(['taken', 'gone', 'late', 'a', 'b', 'new', 'c'], { ...SAME, limit: 3 });
    assert.deepEqual(idsOf(again), ['c']);
    assert.deepEqual(refusalsOf(again), [
      'taken claimed',
      'gone done',
      'late not_before',
      'a done',
      'b ask_first',
      'new not_taken',
    ]);
    assert.equal(again.refused[0]?.by, 'rival:1');
    assert.ok(!(await pool.states()).some((each) => each.startsWith('new')), 'a repeat makes nothing known');
  }),

  fact('a repeat of a claim that is full says so of what it did not take', async (scene) => {
    const pool = scene.pool();
    for (const _ of [1, 2]) {
      const answer = await pool.claim(['a', 'b', 'c'], { ...SAME, limit: 2 });
      assert.deepEqual([idsOf(answer), refusalsOf(answer)], [['a', 'b'], ['c over_limit']]);
    }
  }),

  fact('the same claim id of another holder, or of another pool, is another claim', async (scene) => {
    const pool = scene.pool();
    const one = await pool.owned(['a'], SAME);
    const two = await pool.owned(['b'], { ...SAME, holder: 'host:2' });
    const three = await scene.pool('other').owned(['a'], SAME);
    assert.equal(new Set([one.token, two.token, three.token]).size, 3);
  }),

  fact('a claim that is continued takes more, up to its limit in all', async (scene) => {
    const pool = scene.pool();
    const first = await pool.claim(['a', 'b'], { ...SAME, limit: 5 });
    const more = await pool.claim(['c', 'd', 'e', 'f'], { ...SAME, limit: 5, isContinued: true });
    assert.equal(more.token, first.token);
    assert.deepEqual([idsOf(more), refusalsOf(more)], [['a', 'b', 'c', 'd', 'e'], ['f over_limit']]);
    assert.deepEqual(
      (await pool.records()).map(({ id, leaseUntil }) => [id, leaseUntil?.getTime()]),
      ['a', 'b', 'c', 'd', 'e'].map((id) => [id, more.leaseUntil?.getTime()]),
      'one lease for all',
    );
  }),

  fact('a claim that goes on gets no second version of an id: its verdicts name none', async (scene) => {
    const pool = scene.pool();
    const first = await pool.claim([['a', '1']], { ...SAME, limit: 5 });
    await pool.done({ token: first.token ?? '' }, 'a', 'ref-1');
    const more = await pool.claim([['a', '2'], 'b'], { ...SAME, limit: 5, isContinued: true });
    assert.deepEqual([idsOf(more), refusalsOf(more)], [['b'], ['a/2 earlier_version']]);
    await pool.done({ token: first.token ?? '' }, 'a', 'ref-1');
    assert.deepEqual(await pool.states(), ['a/1 done', 'a/2 queued', 'b claimed']);
    assert.deepEqual(idsOf(await pool.next()), ['a/2'], 'another claim may have it');
  }),

  fact('a second version is refused for the first also while it is deferred', async (scene) => {
    const pool = scene.pool();
    const first = await pool.claim([['a', '1']], { ...SAME, limit: 5 });
    await pool.done({ token: first.token ?? '' }, 'a');
    await pool.enqueue([['a', '2']], { notBefore: scene.dateAt((await scene.now()) + LEASE) });
    const more = await pool.claim([['a', '2']], { ...SAME, limit: 5, isContinued: true });
    assert.deepEqual(refusalsOf(more), ['a/2 earlier_version'], 'no waiting helps this claim');
    const other = await pool.claim([['a', '2']]);
    assert.deepEqual(refusalsOf(other), ['a/2 not_before']);
  }),

  fact('what a claim that goes on has already is given once, and not refused', async (scene) => {
    const pool = scene.pool();
    const first = await pool.claim(['a', 'b'], { ...SAME, limit: 5 });
    const more = await pool.claim(['b', 'c'], { ...SAME, limit: 5, isContinued: true });
    assert.deepEqual([more.token, idsOf(more), more.refused], [first.token, ['a', 'b', 'c'], []]);
    assert.deepEqual(
      more.owned.map(({ attempt }) => attempt),
      [1, 1, 1],
    );
  }),

  fact('a continued claim whose lease is over takes nothing', async (scene) => {
    const pool = scene.pool();
    await pool.claim(['a'], SAME);
    await scene.advance(LEASE);
    const answer = await pool.claim(['b'], { ...SAME, isContinued: true });
    assert.deepEqual([answer.outcome, answer.owned], ['claim_ended', []]);
    assert.equal((await pool.records()).filter((row) => row.state === 'claimed' && row.id === 'b').length, 0);
  }),

  fact('a claim that got nothing is asked anew when it is repeated', async (scene) => {
    const pool = scene.pool();
    assert.deepEqual(idsOf(await pool.next(1, SAME)), []);
    await pool.enqueue(['a']);
    assert.deepEqual(idsOf(await pool.next(1, SAME)), ['a']);
  }),

  fact('a claim all of whose records are settled owns nothing when it is repeated', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], SAME);
    await pool.done(claim, 'a');
    await pool.enqueue(['b']);
    assert.deepEqual((await pool.next(1, SAME)).owned, []);
    assert.deepEqual(await pool.states(), ['a done', 'b queued']);
  }),
];
