import assert from 'node:assert/strict';
import { recordName } from '../../../domain/records/messages.ts';
import { decidedMessage, undecidedMessage } from '../../../domain/records/pool-messages.ts';
import { requeuedMessage } from '../../../domain/records/reasons.ts';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR } from '../stage/timeline.ts';
import { idsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';
import { VERIFIER } from './stage/sweep.ts';

const NAME = recordName('orders', { id: 'a', version: '' });

/** One record in review, which `host:1` has worked. */
async function inReview(scene: Scene): Promise<Pool> {
  const pool = scene.pool();
  const claim = await pool.owned(['a'], { holder: 'host:1', claimId: 'c-1' });
  await pool.toReview(claim, 'a');
  return pool;
}

export const reviewFacts: readonly Fact[] = [
  fact('a person’s done settles it, with a reference, and is told with its reason', async (scene) => {
    const pool = await inReview(scene);
    const answer = await pool.decide('a', 'done', { providerRef: 'ref-1', reason: 'it is in the mailbox' });
    assert.deepEqual(answer, {
      outcome: 'accepted',
      pool: 'orders',
      id: 'a',
      version: '',
      state: 'done',
      why: null,
      message: decidedMessage(NAME, 'done'),
    });
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.providerRef], ['done', 'ref-1']);
    const [event] = await pool.events('record.review');
    assert.deepEqual([event?.severity, event?.recordId], ['info', 'a']);
    assert.deepEqual([event?.data?.['action'], event?.data?.['reason']], ['done', 'it is in the mailbox']);
    assert.ok(event?.message.includes('it is in the mailbox'), event?.message);
  }),

  fact('a person’s done that names no reference keeps the one that a former owner named', async (scene) => {
    const pool = scene.pool();
    await pool.set({ redo: 'safe' });
    const former = await pool.lapsed(['a']);
    await pool.owned(['a']);
    await pool.done(former, 'a', 'ref-1');
    const answer = await pool.decide('a', 'done');
    assert.equal(answer.state, 'done');
    assert.equal((await pool.record('a')).providerRef, 'ref-1');
  }),

  fact('a person’s fail is final, and only for one in review', async (scene) => {
    const pool = await inReview(scene);
    const answer = await pool.decide('a', 'fail');
    assert.deepEqual(
      [answer.outcome, answer.state, answer.message],
      ['accepted', 'failed', decidedMessage(NAME, 'fail')],
    );
    const again = await pool.decide('a', 'fail');
    assert.deepEqual([again.outcome, again.why], ['refused', 'wrong_state']);
    assert.equal(again.message, undecidedMessage(NAME, 'wrong_state', 'failed'));
    assert.equal((await pool.decide('a', 'done')).outcome, 'accepted', 'done may follow a failure');
  }),

  fact('a person’s requeue queues it at once, forgives its attempts and is told with its reason', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 2 });
    for (const holder of ['h-1', 'h-2']) {
      await pool.failed(await pool.owned(['a'], { holder, claimId: holder }), 'a');
      await scene.advance(HOUR);
    }
    assert.deepEqual(await pool.states(), ['a review']);
    const answer = await pool.decide('a', 'requeue', { reason: 'the address was mended' });
    assert.deepEqual([answer.state, answer.message], ['queued', decidedMessage(NAME, 'requeue')]);
    const [event] = await pool.events('record.requeued');
    const about = { attempt: 2, holder: 'h-2', words: 'the address was mended', wasBegun: true, notBefore: null };
    assert.equal(event?.message, requeuedMessage(NAME, 'person', about));
    assert.deepEqual([event?.data?.['reason'], event?.data?.['attempt']], ['person', 2]);
    const claim = await pool.owned(['a']);
    assert.equal(claim.owned[0]?.attempt, 3, 'begins are counted on');
    assert.equal((await pool.failed(claim, 'a')).state, 'queued', 'and it has two attempts again');
    await scene.advance(HOUR);
    assert.equal((await pool.failed(await pool.owned(['a']), 'a')).state, 'review');
  }),

  fact(
    'a failed record can be sent back by a person, and is then as one that nothing was wrong with',
    async (scene) => {
      const pool = scene.pool();
      await pool.failedForGood(await pool.owned(['a']), 'a', 'answered 400');
      assert.equal((await pool.record('a')).error, 'answered 400');
      assert.equal((await pool.decide('a', 'requeue')).state, 'queued');
      assert.equal((await pool.record('a')).error, null);
      assert.equal((await pool.event('record.requeued')).data?.['error'], 'answered 400', 'the event keeps it');
      assert.deepEqual(idsOf(await pool.next()), ['a']);
    },
  ),

  fact('asking again needs something that can ask, and a record in review', async (scene) => {
    const pool = await inReview(scene);
    const refused = await pool.decide('a', 'ask');
    assert.deepEqual([refused.outcome, refused.why, refused.state], ['refused', 'no_verifier', 'review']);
    assert.equal(refused.message, undecidedMessage(NAME, 'no_verifier', 'review'));
    await pool.set({ verifier: VERIFIER });
    const answer = await pool.decide('a', 'ask', { reason: 'they answer again' });
    assert.deepEqual(
      [answer.outcome, answer.state, answer.message],
      ['accepted', 'review', decidedMessage(NAME, 'ask')],
    );
    assert.equal((await pool.status()).toAsk, 1);
    const [event] = await pool.events('record.review');
    assert.deepEqual([event?.severity, event?.data?.['action']], ['info', 'ask']);
    await pool.decide('a', 'fail');
    assert.equal((await pool.decide('a', 'ask')).why, 'wrong_state');
    assert.equal((await pool.status()).toAsk, 0);
  }),

  fact('what is queued, claimed, done or cancelled is no one’s to decide', async (scene) => {
    const pool = scene.pool();
    await pool.set({ verifier: VERIFIER });
    await pool.enqueue([['cancelled', '1'], 'queued']);
    await pool.enqueue([['cancelled', '2']]);
    await pool.done(await pool.owned(['done']), 'done');
    await pool.owned(['claimed']);
    const before = await pool.records();
    for (const [id, version] of [
      ['queued', ''],
      ['claimed', ''],
      ['done', ''],
      ['cancelled', '1'],
    ] as const) {
      for (const action of ['done', 'requeue', 'fail', 'ask'] as const) {
        const answer = await pool.decide(id, action, { version });
        assert.deepEqual([answer.outcome, answer.why], ['refused', 'wrong_state'], `${id} ${action}`);
      }
    }
    assert.deepEqual(await pool.records(), before);
    assert.equal(await pool.countEvents('record.review'), 0);
  }),

  fact('a record that nobody knows is said to be none', async (scene) => {
    const pool = await inReview(scene);
    for (const [id, version] of [
      ['b', null],
      ['a', '2'],
    ] as const) {
      const answer = await pool.decide(id, 'done', { version });
      assert.deepEqual([answer.outcome, answer.why, answer.state], ['refused', 'no_such_record', null]);
      assert.equal(answer.message, undecidedMessage(recordName('orders', { id, version }), 'no_such_record', null));
    }
  }),

  fact('where several versions could be meant one must be named', async (scene) => {
    const pool = scene.pool();
    await pool.failedForGood(await pool.owned([['a', '1']]), 'a');
    await pool.toReview(await pool.owned([['a', '2']]), 'a');
    const answer = await pool.decide('a', 'requeue');
    assert.deepEqual([answer.outcome, answer.why], ['refused', 'several_versions']);
    const name = recordName('orders', { id: 'a', version: null });
    assert.equal(answer.message, undecidedMessage(name, 'several_versions', null));
    const failed = await pool.decide('a', 'fail');
    assert.deepEqual([failed.outcome, failed.version], ['accepted', '2'], 'the one that it can be done to');
    assert.equal((await pool.decide('a', 'done', { version: '1' })).version, '1');
  }),
];
