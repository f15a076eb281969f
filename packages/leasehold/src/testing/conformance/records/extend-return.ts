import assert from 'node:assert/strict';
import { extendMessage, recordName, returnMessage } from '../../../domain/records/messages.ts';
import { requeuedMessage } from '../../../domain/records/reasons.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE } from '../stage/timeline.ts';
import { idsOf, LEASE, nameOf, NO_TOKEN } from './stage/names.ts';

export const extendFacts: readonly Fact[] = [
  fact('an extension gives all records of a claim a whole lease from now', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b'], { claimId: 'c-1' });
    await scene.advance(30 * MINUTE);
    const now = await scene.now();
    const answer = await pool.extend(claim);
    assert.deepEqual([answer.outcome, answer.claimId, answer.remainingMs], ['extended', 'c-1', LEASE]);
    scene.assertElapsed(scene.at(answer.leaseUntil), now + LEASE, 'leaseUntil');
    const leaseUntil = answer.leaseUntil?.getTime() ?? 0;
    assert.equal(answer.message, extendMessage({ pool: 'orders', claimId: 'c-1', leaseUntil }, null, 0));
    for (const { leaseUntil: until } of await pool.records()) assert.equal(until?.getTime(), leaseUntil);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('an extension may say how long, and the next one that doesn’t is as long', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a']);
    assert.equal((await pool.extend(claim, 3 * HOUR)).remainingMs, 3 * HOUR);
    assert.equal((await pool.extend(claim)).remainingMs, 3 * HOUR);
    assert.equal((await pool.extend(claim, MINUTE)).remainingMs, MINUTE, 'also shorter');
  }),

  fact('an extension after the lease is over is lost, even if nobody took the records', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], { claimId: 'c-1' });
    await scene.advance(LEASE);
    const answer = await pool.extend(claim);
    assert.deepEqual([answer.outcome, answer.reason, answer.claimId], ['lost', 'expired', 'c-1']);
    assert.match(answer.message, /^Lost claim c-1 of pool "orders": its lease ended .* ago; begin nothing more\.$/);
    await pool.settle();
    assert.equal((await pool.extend(claim)).outcome, 'lost');
    assert.equal(await pool.countEvents('lease.lost'), 0);
  }),

  fact('an extension of a claim whose records are all settled is lost', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], { claimId: 'c-1' });
    await pool.done(claim, 'a');
    const answer = await pool.extend(claim);
    assert.deepEqual([answer.outcome, answer.reason], ['lost', 'settled']);
    assert.equal(answer.message, extendMessage({ pool: 'orders', claimId: 'c-1', leaseUntil: null }, 'settled', 0));
  }),

  fact('an extension by a token that no claim of the pool has is lost', async (scene) => {
    const pool = scene.pool();
    const claim = await scene.pool('other').owned(['a']);
    for (const token of [NO_TOKEN, claim]) {
      const answer = await pool.extend(token);
      assert.deepEqual([answer.outcome, answer.reason, answer.claimId], ['lost', 'unknown_token', null]);
      const words = extendMessage({ pool: 'orders', claimId: null, leaseUntil: null }, 'unknown_token', 0);
      assert.equal(answer.message, words);
    }
  }),
];

export const returnFacts: readonly Fact[] = [
  fact('what was never begun goes back to the queue at once, and is told; what was begun stays', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b', 'c'], { holder: 'host:1', claimId: 'c-1' });
    await pool.begun(claim, 'b');
    const answer = await pool.giveBack(claim);
    assert.deepEqual(
      [answer.outcome, answer.claimId, answer.returned.map(nameOf), answer.kept.map(nameOf)],
      ['returned', 'c-1', ['a', 'c'], ['b']],
    );
    assert.equal(answer.message, returnMessage('orders', 'c-1', 2, 1));
    assert.deepEqual(await pool.states(), ['a queued', 'b claimed', 'c queued']);
    const [, event] = await pool.events('record.requeued');
    const about = { attempt: 0, holder: 'host:1', words: null, wasBegun: false, notBefore: null };
    assert.equal(event?.message, requeuedMessage(recordName('orders', { id: 'a', version: '' }), 'returned', about));
    assert.deepEqual(event?.data, {
      version: '',
      reason: 'returned',
      attempt: 0,
      claimId: 'c-1',
      wasBegun: false,
      notBefore: null,
    });
    assert.deepEqual(idsOf(await pool.next()), ['a', 'c']);
    assert.equal((await pool.done(claim, 'b')).outcome, 'accepted', 'its owner keeps what it has begun');
  }),

  fact('of a claim that began all at once only those named go back, as never begun', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b']);
    assert.deepEqual((await pool.giveBack(claim)).returned, []);
    const answer = await pool.giveBack(claim, ['b']);
    assert.deepEqual([answer.returned.map(nameOf), answer.kept.map(nameOf)], [['b'], ['a']]);
    const row = await pool.record('b');
    assert.deepEqual([row.state, row.attempt, row.begunAt], ['queued', 0, null]);
    assert.equal((await pool.owned(['b'])).owned[0]?.attempt, 1);
  }),

  fact('a begun record is not given back by naming it', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a', 'b']);
    await pool.begun(claim, 'a');
    assert.deepEqual((await pool.giveBack(claim, ['a'])).returned, []);
    assert.deepEqual(await pool.states(), ['a claimed', 'b claimed']);
    assert.deepEqual((await pool.giveBack(claim, ['b', 'nowhere'])).returned.map(nameOf), ['b']);
  }),

  fact('an attempt before stays counted when a record is given back', async (scene) => {
    const pool = scene.pool();
    await pool.failed(await pool.owned(['a']), 'a');
    await scene.advance(HOUR);
    await pool.giveBack(await pool.owned(['a']), ['a']);
    const row = await pool.record('a');
    assert.deepEqual([row.attempt, row.begunAt === null], [1, false]);
    assert.equal((await pool.owned(['a'])).owned[0]?.attempt, 2);
  }),

  fact('giving back works after the lease is over, while the records still carry the token', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.lapsed(['a'], { explicitBegin: true });
    assert.deepEqual((await pool.giveBack(claim)).returned.map(nameOf), ['a']);
    assert.equal((await pool.event('record.requeued')).data?.['reason'], 'returned');
  }),

  fact('giving back twice is giving back once, and takes nothing from the next owner', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.unbegun(['a']);
    await pool.giveBack(claim);
    const next = await pool.unbegun(['a']);
    assert.deepEqual((await pool.giveBack(claim)).returned, []);
    assert.equal(await pool.countEvents('record.requeued'), 1);
    assert.equal((await pool.begun(next, 'a')).outcome, 'accepted');
  }),

  fact('a token that no claim of the pool has gives nothing back', async (scene) => {
    const pool = scene.pool();
    await pool.unbegun(['a']);
    const answer = await pool.giveBack(NO_TOKEN);
    assert.deepEqual([answer.outcome, answer.claimId], ['not_holder', null]);
    assert.equal(answer.message, returnMessage('orders', null, 0, 0));
    assert.deepEqual(await pool.states(), ['a claimed']);
  }),
];
