import assert from 'node:assert/strict';
import { claimMessage } from '../../../domain/records/messages.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, nameOf } from './stage/names.ts';

export const claimNextFacts: readonly Fact[] = [
  fact('the next records are those that came first, and no more than the limit', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['z', 'a']);
    await pool.enqueue(['m', 'b']);
    const claim = await pool.next(3);
    assert.deepEqual(idsOf(claim), ['z', 'a', 'm']);
    const words = { owned: 3, offered: null, leaseUntil: claim.leaseUntil?.getTime() ?? 0, isRepeat: false };
    assert.equal(claim.message, claimMessage('claimed', claim, words));
    assert.deepEqual(idsOf(await pool.next(3)), ['b']);
  }),

  fact('an empty queue is a claim that owns nothing, and no error', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.next();
    assert.deepEqual([claim.outcome, claim.token, claim.owned, claim.refused], ['claimed', null, [], []]);
    const words = { owned: 0, offered: null, leaseUntil: null, isRepeat: false };
    assert.equal(claim.message, claimMessage('claimed', claim, words));
    assert.equal(await pool.countEvents(), 0);
  }),

  fact('what is claimed, done, failed, in review or deferred is passed over (C91)', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'b', 'c', 'd', 'e', 'f']);
    const claim = await pool.owned(['a', 'b', 'c', 'd', 'e']);
    await pool.done(claim, 'a');
    await pool.failedForGood(claim, 'b');
    await pool.toReview(claim, 'c');
    await pool.failed(claim, 'd');
    assert.deepEqual(idsOf(await pool.next()), ['f']);
  }),

  fact('a tick that meets a long run claims the rows behind it: each is worked once (C91)', async (scene) => {
    const pool = scene.pool();
    const ids = Array.from({ length: 60 }, (_, index) => `person-${String(index).padStart(2, '0')}`);
    await pool.enqueue(ids);
    const first = await pool.next(50);
    await scene.advance(20_000);
    const second = await pool.next(50);
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids);
  }),

  fact('deferred records that are due come first, in the order of their instants', async (scene) => {
    const pool = scene.pool();
    const now = await scene.now();
    await pool.enqueue(['queued']);
    await pool.enqueue(['due-3'], { notBefore: scene.dateAt(now + 3 * MINUTE) });
    await pool.enqueue(['due-1', 'due-1b'], { notBefore: scene.dateAt(now + MINUTE) });
    await pool.enqueue(['due-9'], { notBefore: scene.dateAt(now + 9 * HOUR) });
    await scene.advance(HOUR);
    assert.deepEqual(idsOf(await pool.next(2)), ['due-1', 'due-1b']);
    assert.deepEqual(idsOf(await pool.next(9)), ['due-3', 'queued']);
  }),

  fact('an instant in the past defers nothing', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a'], { notBefore: scene.dateAt((await scene.now()) - HOUR) });
    assert.equal((await pool.status()).deferred, 0);
    assert.deepEqual(idsOf(await pool.claim(['a'])), ['a']);
  }),

  fact('a record that went back keeps its place before those that came later', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'b', 'c']);
    const claim = await pool.next(1, { explicitBegin: true });
    await pool.giveBack({ token: claim.token ?? '' });
    assert.deepEqual(idsOf(await pool.next(2)), ['a', 'b']);
  }),

  fact(
    'every record of a long queue is claimed in a bounded number of claims, wherever it lies (C63, C64)',
    async (scene) => {
      const pool = scene.pool();
      const ids = Array.from({ length: 1_300 }, (_, index) => `r-${String(index).padStart(4, '0')}`);
      await pool.enqueue(ids);
      const early = await pool.next(3, { explicitBegin: true });
      const seen: string[] = [];
      for (let claim = 0; claim < 12; claim += 1) seen.push(...idsOf(await pool.next(100, { explicitBegin: true })));
      assert.equal(seen.length, 1_200);
      await pool.giveBack({ token: early.token ?? '' });
      const rest = await pool.next(100, { explicitBegin: true });
      assert.ok(rest.owned.length >= 97, 'a claim that comes out short looks at the whole queue');
      const last = await pool.next(100, { explicitBegin: true });
      const all = [...seen, ...idsOf(rest), ...idsOf(last)];
      assert.deepEqual(all.toSorted(), ids, 'each once');
    },
  ),

  fact(
    'a record that is put back far behind the newest claims is found by the next claim after a second',
    async (scene) => {
      const pool = scene.pool();
      await pool.enqueue(Array.from({ length: 700 }, (_, index) => `r-${index}`));
      const early = await pool.next(1, { explicitBegin: true });
      await pool.next(600, { explicitBegin: true });
      await pool.next(1, { explicitBegin: true });
      await pool.giveBack({ token: early.token ?? '' });
      await scene.advance(2_000);
      assert.deepEqual(idsOf(await pool.next(1)), ['r-0']);
    },
  ),

  fact('a claim of the next ones settles what expired before it, and takes that too (C67, C69)', async (scene) => {
    const pool = scene.pool();
    await pool.enqueue(['a', 'b']);
    await pool.next(2, { explicitBegin: true });
    await scene.advance(LEASE);
    const claim = await pool.next(2);
    assert.deepEqual(claim.owned.map(nameOf), ['a', 'b']);
    assert.deepEqual(claim.settled, { requeued: 2, review: 0, cancelled: 0 });
  }),
];
