import assert from 'node:assert/strict';
import { recordName } from '../../../domain/records/messages.ts';
import { requeuedMessage, reviewMessage, reviewWords } from '../../../domain/records/reasons.ts';
import type { SettleAnswer } from '../../../ports/record-store.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../stage/timeline.ts';
import { idsOf, LEASE, refusalsOf } from './stage/names.ts';

const NAME = recordName('orders', { id: 'a', version: '' });
const settled = (patch: Partial<SettleAnswer>): SettleAnswer => ({
  pool: 'orders',
  requeued: 0,
  review: 0,
  cancelled: 0,
  toAsk: 0,
  isComplete: true,
  ...patch,
});

export const settlingFacts: readonly Fact[] = [
  fact('a record that was never begun is queued when its claim expires, and told', async (scene) => {
    const pool = scene.pool();
    await pool.lapsed(['a'], { explicitBegin: true, holder: 'host:1', claimId: 'c-1' });
    assert.deepEqual(await pool.settle(), settled({ requeued: 1 }));
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.attempt, row.leaseUntil, row.notBefore], ['queued', 0, null, null]);
    const event = await pool.event('record.requeued');
    const about = { attempt: 0, holder: 'host:1', words: null, wasBegun: false, notBefore: null };
    assert.equal(event.message, requeuedMessage(NAME, 'expired', about));
    assert.deepEqual([event.severity, event.recordId, event.holder], ['info', 'a', 'host:1']);
    assert.deepEqual(event.data, {
      version: '',
      reason: 'expired',
      attempt: 0,
      claimId: 'c-1',
      wasBegun: false,
      notBefore: null,
    });
    assert.deepEqual(await pool.settle(), settled({}), 'once');
  }),

  fact('a begun record of a pool that asks goes to review where nobody can be asked (G5)', async (scene) => {
    const pool = scene.pool();
    await pool.lapsed(['a'], { holder: 'host:1', claimId: 'c-1' });
    assert.deepEqual(await pool.settle(), settled({ review: 1 }));
    const words = reviewWords('expired', { attempt: 1, holder: 'host:1', words: null, times: 0 });
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.error, row.claimedBy], ['review', words, 'host:1']);
    const event = await pool.event('record.review');
    assert.equal(event.message, reviewMessage(NAME, 'orders', words));
    assert.deepEqual([event.severity, event.recordId, event.holder], ['warning', 'a', 'host:1']);
    assert.deepEqual(event.data, { version: '', reason: 'expired', attempt: 1, claimId: 'c-1' });
    assert.deepEqual((await pool.next()).owned, []);
  }),

  fact('a begun record of a pool that repeats is queued, and its begin counts', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe' });
    await pool.lapsed(['a'], { holder: 'host:1', claimId: 'c-1' });
    const claim = await pool.next();
    assert.deepEqual(claim.settled, { requeued: 1, review: 0, cancelled: 0 });
    assert.equal(claim.owned[0]?.attempt, 2);
    const event = await pool.event('record.requeued');
    const about = { attempt: 1, holder: 'host:1', words: null, wasBegun: true, notBefore: null };
    assert.equal(event.message, requeuedMessage(NAME, 'expired', about));
    assert.deepEqual([event.data?.['wasBegun'], event.data?.['attempt']], [true, 1]);
  }),

  fact('a claim is over at the very instant of its end, and not before', async (scene) => {
    const pool = scene.pool();
    await pool.unbegun(['a']);
    await scene.advanceToJustBefore(LEASE);
    assert.deepEqual(await pool.settle(), settled({}));
    assert.deepEqual(refusalsOf(await pool.claim(['a'])), ['a claimed']);
    await scene.advance(1 + scene.driftMs);
    assert.deepEqual(idsOf(await pool.claim(['a'])), ['a']);
  }),

  fact('a claim that is extended in time is never settled, however long it runs (C70)', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], { leaseMs: 15 * MINUTE });
    for (let time = 0; time < 12; time += 1) {
      await scene.advance(5 * MINUTE);
      assert.equal((await pool.extend(claim)).outcome, 'extended');
      assert.deepEqual(await pool.settle(), settled({}));
    }
    assert.equal((await pool.done(claim, 'a')).outcome, 'accepted');
    assert.equal(await pool.countEvents(), 0, 'and nothing alarms');
  }),

  fact('claims of a worker that died are settled by age of each, within the next claim (C67, C69)', async (scene) => {
    const pool = scene.pool();
    const ids = Array.from({ length: 100 }, (_, index) => `r-${String(index).padStart(3, '0')}`);
    await pool.unbegun(ids, { limit: 100, leaseMs: 15 * MINUTE });
    await pool.unbegun(['slow'], { leaseMs: 4 * HOUR });
    await scene.advance(15 * MINUTE);
    assert.ok(((await pool.status()).oldestClaimAt?.getTime() ?? 0) > 0, 'the oldest claim is seen');
    const claim = await pool.next(200);
    assert.deepEqual(idsOf(claim), ids);
    assert.equal((await pool.record('slow')).state, 'claimed');
  }),

  fact('a claim by id settles the claim that has what it offers, and takes it', async (scene) => {
    const pool = scene.pool();
    await pool.lapsed(['a', 'b'], { explicitBegin: true });
    const claim = await pool.claim(['b']);
    assert.deepEqual([idsOf(claim), claim.refused], [['b'], []]);
  }),

  fact('a sweep settles as many as asked for, and says whether there is more', async (scene) => {
    const pool = scene.pool();
    await pool.unbegun(['a', 'b', 'c']);
    await pool.lapsed(['d', 'e'], { explicitBegin: true });
    let requeued = 0;
    for (let call = 0; call < 6; call += 1) {
      const answer = await pool.settle(2);
      assert.ok(answer.requeued <= 2, `${answer.requeued} of 2`);
      requeued += answer.requeued;
      if (answer.isComplete) break;
    }
    assert.equal(requeued, 5);
    assert.deepEqual(await pool.settle(2), settled({}));
  }),

  fact('settling looks at its own pool alone', async (scene) => {
    const pool = scene.pool();
    await scene.pool('other').lapsed(['a'], { explicitBegin: true });
    assert.deepEqual(await pool.settle(), settled({}));
    await pool.claim(['x']);
    assert.deepEqual(await scene.pool('other').states(), ['a claimed']);
  }),

  fact('what has its verdict is not touched when its claim expires', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['done', 'failed', 'again', 'left']);
    await pool.done(claim, 'done');
    await pool.failedForGood(claim, 'failed');
    await pool.failed(claim, 'again');
    await scene.advance(LEASE);
    assert.deepEqual(await pool.settle(), settled({ review: 1 }));
    assert.deepEqual(await pool.states(), ['again queued', 'done done', 'failed failed', 'left review']);
  }),

  fact('the last attempt of a pool that repeats ends in review', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe', attempts: 2 });
    await pool.lapsed(['a'], { holder: 'h-1' });
    await pool.lapsed(['a'], { holder: 'h-2' });
    assert.deepEqual(await pool.settle(), settled({ review: 1 }));
    const words = reviewWords('attempts', { attempt: 2, holder: 'h-2', words: null, times: 2 });
    assert.equal((await pool.record('a')).error, words);
    assert.equal((await pool.event('record.review')).data?.['reason'], 'attempts');
  }),

  fact('has begun stays known: a record that went back is no new one to the pool that asks', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe' });
    await pool.lapsed(['a']);
    const claim = await pool.unbegun(['a']);
    assert.equal((await pool.record('a')).attempt, 1);
    await pool.enqueue([['a', '2']]);
    await scene.advance(LEASE);
    await pool.settle();
    assert.deepEqual(await pool.states(), ['a queued', 'a/2 queued'], 'a newer version cancels none that was begun');
    assert.equal((await pool.begin(claim, 'a')).outcome, 'refused');
  }),

  fact('a repeat that is harmless for a while is made only within it, counted from the first begin', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe', redoWindowMs: 2 * HOUR + 30 * MINUTE, callTimeoutMs: MINUTE });
    await pool.lapsed(['a']);
    const second = await pool.lapsed(['a']);
    assert.equal(second.owned[0]?.attempt, 2);
    const third = await pool.unbegun(['a'], { holder: 'h-3' });
    await pool.begun(third, 'a');
    await scene.advance(LEASE);
    assert.deepEqual(await pool.settle(), settled({ review: 1 }));
    const words = reviewWords('expired', { attempt: 3, holder: 'h-3', words: null, times: 0 });
    assert.equal((await pool.record('a')).error, words);
  }),

  fact(
    'with a verifier a begun record stays claimed until the sweep has asked, and goes to review after 24 h',
    async (scene) => {
      const pool = scene.pool();
      await pool.set({ verifier: '{"kind":"function"}' });
      await pool.lapsed(['a'], { holder: 'host:1' });
      assert.deepEqual(await pool.settle(), settled({ toAsk: 1 }));
      assert.deepEqual((await pool.claim(['a'])).owned, []);
      assert.deepEqual(await pool.states(), ['a claimed']);
      assert.equal((await pool.status()).toAsk, 1);
      await scene.advanceToJustBefore(DAY);
      assert.deepEqual(await pool.settle(), settled({ toAsk: 1 }));
      await scene.advance(1 + scene.driftMs);
      assert.deepEqual(await pool.settle(), settled({ review: 1 }));
      const words = reviewWords('unanswered', { attempt: 1, holder: 'host:1', words: null, times: 0 });
      assert.equal((await pool.record('a')).error, words);
      assert.equal((await pool.event('record.review')).data?.['reason'], 'unanswered');
    },
  ),

  fact(
    'a flagged record is settled whatever the lease of its claim: at once where nobody can be asked',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.owned(['a', 'b']);
      await pool.unknown(claim, 'a');
      await scene.advance(SECOND);
      assert.deepEqual(await pool.settle(), settled({ review: 1 }));
      assert.deepEqual(await pool.states(), ['a review', 'b claimed']);
      assert.equal((await pool.extend(claim)).outcome, 'extended', 'its claim goes on');
    },
  ),

  fact('a flagged record of a pool that repeats is queued at the next claim', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe' });
    const claim = await pool.owned(['a']);
    await pool.unknown(claim, 'a');
    const next = await pool.next();
    assert.deepEqual([idsOf(next), next.owned[0]?.attempt], [['a'], 2]);
  }),
];
