import assert from 'node:assert/strict';
import { claimMessage } from '../../../domain/records/messages.ts';
import { LeaseholdError } from '../../../errors.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';

export const claimFacts: readonly Fact[] = [
  fact('a claim makes unknown ids known and owns them, in the order of the offer, for a whole lease', async (scene) => {
    const pool = scene.pool();
    const before = await scene.now();
    const claim = await pool.owned(['b', 'a'], { payload: '"x"', holder: 'host:1', claimId: 'c-1' });
    scene.assertRemaining(claim.remainingMs, LEASE);
    scene.assertElapsed(scene.at(claim.leaseUntil), before + LEASE, 'leaseUntil');
    assert.deepEqual(claim.refused, []);
    assert.deepEqual(claim.settled, { requeued: 0, review: 0, cancelled: 0 });
    const effectKeys = [(await pool.record('b')).effectKey, (await pool.record('a')).effectKey];
    assert.deepEqual(
      claim.owned,
      ['b', 'a'].map((id, index) => ({ id, version: '', effectKey: effectKeys[index], attempt: 1, payload: '"x"' })),
    );
    const words = { owned: 2, offered: 2, leaseUntil: claim.leaseUntil.getTime(), isRepeat: false };
    assert.equal(claim.message, claimMessage('claimed', { pool: 'orders', claimId: 'c-1' }, words));
    assert.equal(await scene.countEvents(), 0);
  }),

  fact(
    'a record counts as begun from the moment it is claimed, owner and time in one write (C72, C91)',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.owned(['a'], { holder: 'host:1' });
      const row = await pool.record('a');
      assert.deepEqual([row.state, row.claimedBy, row.attempt], ['claimed', 'host:1', 1]);
      assert.deepEqual(row.begunAt, row.claimedAt);
      assert.equal(row.leaseUntil?.getTime(), claim.leaseUntil.getTime());
      assert.deepEqual(await pool.settle(), {
        pool: 'orders',
        requeued: 0,
        review: 0,
        cancelled: 0,
        toAsk: 0,
        isComplete: true,
      });
      assert.deepEqual(await pool.states(), ['a claimed']);
    },
  ),

  fact('a claimer that says when it begins has begun nothing yet', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a']);
    assert.equal(claim.owned[0]?.attempt, 1, 'the attempt that it makes');
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.attempt, row.begunAt], ['claimed', 0, null]);
  }),

  fact('a record that another claim has is refused, with its holder and since when (C65, C74, C88)', async (scene) => {
    const pool = scene.pool();
    const since = await scene.now();
    await pool.owned(['acme'], { holder: 'task-1' });
    await scene.advance(MINUTE);
    const answer = await pool.claim(['acme', 'other'], { holder: 'task-2' });
    assert.deepEqual(idsOf(answer), ['other']);
    const [refused, ...rest] = answer.refused;
    assert.deepEqual([refused?.why, refused?.by, rest], ['claimed', 'task-1', []]);
    scene.assertElapsed(scene.at(refused?.since ?? null), since, 'since');
  }),

  fact('what is settled is refused with what it is and since when', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue([['old', '1']]);
    await pool.enqueue([['old', '2']]);
    const claim = await pool.owned(['done', 'failed', 'review', 'later']);
    const at = await scene.now();
    await pool.done(claim, 'done');
    await pool.failedForGood(claim, 'failed');
    await pool.toReview(claim, 'review');
    const { notBefore } = await pool.failed(claim, 'later');
    const due = scene.at(notBefore);
    await scene.advance(SECOND);
    const answer = await pool.claim(['later', 'review', 'failed', 'done', ['old', '1']]);
    assert.deepEqual(refusalsOf(answer), [
      'later not_before',
      'review review',
      'failed failed',
      'done done',
      'old/1 cancelled',
    ]);
    const [later, ...others] = answer.refused.map((record) => scene.at(record.since));
    assert.equal(later, due, 'from when on it may be had');
    for (const since of others.slice(0, 3)) scene.assertElapsed(since, at, 'since');
    const words = { owned: 0, offered: 5, leaseUntil: null, isRepeat: false };
    assert.equal(answer.message, claimMessage('claimed', answer, words));
  }),

  fact('a claim gets no more than its limit: the rest is refused without a look, and not made known', async (scene) => {
    const pool = scene.pool();
    const first = await pool.owned(['gone', 'taken']);
    await pool.done(first, 'gone');
    const answer = await pool.claim(['gone', 'taken', 'a', 'b', 'c', 'gone2'], { limit: 2 });
    assert.deepEqual(idsOf(answer), ['a', 'b']);
    assert.deepEqual(refusalsOf(answer), ['gone done', 'taken claimed', 'c over_limit', 'gone2 over_limit']);
    assert.deepEqual(await pool.states(), ['a claimed', 'b claimed', 'gone done', 'taken claimed']);
    assert.deepEqual(refusalsOf(await pool.claim(['d', 'gone'], { limit: 1 })), ['gone over_limit']);
  }),

  fact('lease and limit are the pool’s where the claim doesn’t say', async (scene) => {
    const pool = scene.pool();
    await pool.set({ leaseMs: 7 * MINUTE, limit: 2 });
    const claim = await pool.claim(['a', 'b', 'c'], { leaseMs: null, limit: null });
    assert.deepEqual(idsOf(claim), ['a', 'b']);
    scene.assertRemaining(claim.remainingMs, 7 * MINUTE);
    assert.equal((await pool.next(null, { leaseMs: null })).owned.length, 0);
    await pool.enqueue(['d', 'e', 'f']);
    assert.deepEqual(idsOf(await pool.next(null, { leaseMs: null })), ['d', 'e']);
  }),

  fact('the shortest claim is 1 s and the longest 31 days, and neither is rounded', async (scene) => {
    const pool = scene.pool();
    const leases = [SECOND, 61_001, 31 * DAY];
    for (const leaseMs of leases) {
      const before = await scene.now();
      const claim = await pool.owned([`for ${leaseMs}`], { leaseMs });
      scene.assertElapsed(scene.at(claim.leaseUntil) - before, leaseMs, 'leaseUntil');
    }
  }),

  fact('a claim shorter than one call to the provider is refused, since no record of it could begin', async (scene) => {
    const pool = scene.pool();
    await pool.set({ callTimeoutMs: 2 * MINUTE });
    for (const ask of [() => pool.claim(['a'], { leaseMs: MINUTE }), () => pool.next(1, { leaseMs: MINUTE })]) {
      await assert.rejects(ask, (error) => error instanceof LeaseholdError && error.code === 'INVALID_ARGUMENT');
    }
    assert.deepEqual(await pool.records(), []);
    scene.assertRemaining((await pool.owned(['a'], { leaseMs: 2 * MINUTE })).remainingMs, 2 * MINUTE);
  }),

  fact('a claim that names a lock’s token gets records while that token holds the lock', async (scene) => {
    const pool = scene.pool();
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await pool.enqueue(['b']);
    assert.deepEqual(idsOf(await pool.claim(['a'], { lockToken: lease.token })), ['a']);
    assert.deepEqual(idsOf(await pool.next(1, { lockToken: lease.token })), ['b']);
  }),

  fact('a run that lost its lock claims nothing, makes nothing known and settles nothing (G3)', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['queued']);
    await pool.lapsed(['expired'], { explicitBegin: true });
    const drained = await scene.acquired('drained', { leaseMs: HOUR });
    await scene.drain('drained');
    const released = await scene.acquired('released', { leaseMs: HOUR });
    await scene.release(released);
    const short = await scene.acquired('short', { leaseMs: MINUTE });
    await scene.advance(MINUTE);
    for (const { token } of [drained, released, short, { token: 'of no lock' }]) {
      for (const answer of [await pool.claim(['a'], { lockToken: token }), await pool.next(1, { lockToken: token })]) {
        assert.deepEqual([answer.outcome, answer.owned], ['lock_lost', []]);
        const words = { owned: 0, offered: null, leaseUntil: null, isRepeat: false };
        assert.equal(answer.message, claimMessage('lock_lost', answer, words));
      }
    }
    assert.deepEqual(await pool.states(), ['expired claimed', 'queued queued']);
  }),

  fact(
    'claims under way are shown with their holder, their records that wait, and the oldest of them (C69)',
    async (scene) => {
      const pool = scene.pool();
      const since = await scene.now();
      const first = await pool.owned(['a', 'b', 'c'], { holder: 'h-1', claimId: 'c-1', holderInfo: { pid: 41 } });
      await scene.advance(MINUTE);
      await pool.owned(['d'], { holder: 'h-2', claimId: 'c-2' });
      await pool.done(first, 'a');
      const { claims, claimed, done, oldestClaimAt } = await pool.status();
      assert.deepEqual([claimed, done], [3, 1]);
      scene.assertElapsed(scene.at(oldestClaimAt), since, 'oldestClaimAt');
      assert.deepEqual(
        claims.map(({ claimId, holder, holderInfo, records }) => ({ claimId, holder, holderInfo, records })),
        [
          { claimId: 'c-2', holder: 'h-2', holderInfo: null, records: 1 },
          { claimId: 'c-1', holder: 'h-1', holderInfo: { pid: 41 }, records: 2 },
        ],
      );
      scene.assertElapsed(scene.at(claims[1]?.since ?? null), since, 'since');
      for (const id of ['b', 'c']) await pool.done(first, id);
      assert.equal((await pool.status()).claims.length, 1, 'a claim whose records are settled is over');
    },
  ),
];
