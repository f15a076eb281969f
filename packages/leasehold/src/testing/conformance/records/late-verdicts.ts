import assert from 'node:assert/strict';
import {
  effectDoubledMessage,
  evidenceMessage,
  recordName,
  verdictRefusedMessage,
} from '../../../domain/records/messages.ts';
import { reviewMessage, reviewWords } from '../../../domain/records/reasons.ts';
import { type Fact, fact } from '../stage/fact.ts';
import type { Scene } from '../stage/scene.ts';
import { HOUR } from '../stage/timeline.ts';
import { type Claim, LEASE, refusalsOf } from './stage/names.ts';
import type { Pool } from './stage/pool.ts';

const NAME = recordName('orders', { id: 'a', version: '' });

interface Overtaken {
  readonly pool: Pool;
  /** Had the record, began it, and was too late. */
  readonly former: Claim;
}

/** A record whose claim expired in a pool that repeats; it is queued again. */
async function expired(scene: Scene): Promise<Overtaken> {
  const pool = scene.pool();
  await pool.set({ redo: 'safe' });
  const former = await pool.lapsed(['a'], { holder: 'h-1', claimId: 'c-1' });
  await pool.settle();
  assert.deepEqual(await pool.states(), ['a queued']);
  return { pool, former };
}

/** The same with a second claim that has it: `begun` as it says. */
async function overtaken(scene: Scene, begun: boolean): Promise<Overtaken & { readonly claim: Claim }> {
  const { pool, former } = await expired(scene);
  const claim = await pool.owned(['a'], { holder: 'h-2', claimId: 'c-2', explicitBegin: !begun });
  return { pool, former, claim };
}

async function assertDone(pool: Pool, providerRef: string | null): Promise<void> {
  const row = await pool.record('a');
  assert.deepEqual([row.state, row.providerRef], ['done', providerRef]);
  assert.deepEqual((await pool.next()).owned, [], 'and never handed out again');
  assert.deepEqual(refusalsOf(await pool.claim(['a'])), ['a done']);
}

export const lateVerdictFacts: readonly Fact[] = [
  fact('a late done of a record that is queued again is evidence: it is done (G3)', async (scene) => {
    const { pool, former } = await expired(scene);
    const answer = await pool.done(former, 'a', 'ref-1');
    assert.deepEqual([answer.outcome, answer.state], ['evidence', 'done']);
    assert.equal(answer.message, evidenceMessage(NAME, 'done'));
    const event = await pool.event('verdict.evidence');
    assert.deepEqual(
      [event.severity, event.recordId, event.holder, event.message],
      ['warning', 'a', 'h-1', answer.message],
    );
    await assertDone(pool, 'ref-1');
  }),

  fact('a late done of a record that another has claimed and not begun revokes that claim', async (scene) => {
    const { pool, former, claim } = await overtaken(scene, false);
    assert.equal((await pool.done(former, 'a', 'ref-1')).outcome, 'evidence');
    const begin = await pool.begin(claim, 'a');
    assert.deepEqual([begin.outcome, begin.reason], ['refused', 'not_owner']);
    assert.equal((await pool.extend(claim)).outcome, 'lost');
    const late = await pool.failed(claim, 'a');
    assert.deepEqual([late.outcome, late.reason], ['refused', 'not_owner']);
    await assertDone(pool, 'ref-1');
  }),

  fact('a late done of a record that another has begun waits for that one’s word, in review', async (scene) => {
    const { pool, former, claim } = await overtaken(scene, true);
    const answer = await pool.done(former, 'a', 'ref-1');
    assert.deepEqual([answer.outcome, answer.state], ['evidence', 'review']);
    assert.equal(answer.message, evidenceMessage(NAME, 'review'));
    const words = reviewWords('evidence', { attempt: 2, holder: 'h-2', words: null, times: 0 });
    const review = await pool.event('record.review');
    assert.equal(review.message, reviewMessage(NAME, 'orders', words));
    assert.equal(review.data?.['reason'], 'evidence');
    assert.deepEqual(refusalsOf(await pool.claim(['a'])), ['a review']);
    const own = await pool.done(claim, 'a', 'ref-1');
    assert.deepEqual([own.outcome, own.state], ['accepted', 'done']);
    await assertDone(pool, 'ref-1');
    assert.equal(await pool.countEvents('effect.doubled'), 0);
  }),

  fact('a late done of a record whose present owner doesn’t know is enough: it is done', async (scene) => {
    const { pool, former, claim } = await overtaken(scene, true);
    await pool.unknown(claim, 'a');
    const answer = await pool.done(former, 'a', 'ref-1');
    assert.deepEqual([answer.outcome, answer.state], ['evidence', 'done']);
    await assertDone(pool, 'ref-1');
  }),

  fact('where both did it with references of their own, the effect was doubled: critical', async (scene) => {
    const { pool, former, claim } = await overtaken(scene, true);
    await pool.done(former, 'a', 'ref-1');
    const own = await pool.done(claim, 'a', 'ref-2');
    assert.deepEqual([own.outcome, own.state], ['accepted', 'done']);
    const event = await pool.event('effect.doubled');
    assert.equal(event.severity, 'critical');
    assert.equal(event.message, effectDoubledMessage(NAME, 'ref-1', 'ref-2'));
    assert.equal(own.message, event.message, 'whoever may have done the second one hears of it');
    await assertDone(pool, 'ref-1');
  }),

  ...(['failed', 'failedForGood', 'unknown', 'toReview'] as const).map((verdict) =>
    fact(`a record that a former owner did is done whatever the present one says: ${verdict}`, async (scene) => {
      const { pool, former, claim } = await overtaken(scene, true);
      await pool.done(former, 'a', 'ref-1');
      const own = await pool[verdict](claim, 'a');
      assert.deepEqual([own.outcome, own.state], ['accepted', 'done']);
      await assertDone(pool, 'ref-1');
    }),
  ),

  fact('a late done of a record that failed, is in review or was cancelled makes it done', async (scene) => {
    const pool = scene.pool();
    const former = await pool.owned(['failed', 'review']);
    for (const id of ['failed', 'review']) await pool.failed(former, id);
    const stale = await pool.unbegun([['old', '1']]);
    await scene.advance(HOUR);
    await pool.settle();
    const claim = await pool.owned(['failed', 'review']);
    await pool.failedForGood(claim, 'failed');
    await pool.toReview(claim, 'review');
    await pool.enqueue([['old', '2']]);
    assert.equal((await pool.record(['old', '1'])).state, 'cancelled');
    for (const [token, id] of [
      [former, 'failed'],
      [former, 'review'],
      [stale, 'old'],
    ] as const) {
      const answer = await pool.done(token, id, `ref of ${id}`);
      assert.deepEqual([answer.outcome, answer.state], ['evidence', 'done'], id);
    }
    assert.deepEqual(await pool.states(), ['failed done', 'old/1 done', 'old/2 queued', 'review done']);
  }),

  fact('a late done of what is done changes nothing, unless the references differ', async (scene) => {
    const { pool, former, claim } = await overtaken(scene, true);
    await pool.done(claim, 'a', 'ref-2');
    for (const ref of ['ref-2', null]) assert.equal((await pool.done(former, 'a', ref)).state, 'done');
    assert.equal(await pool.countEvents('effect.doubled'), 0);
    const answer = await pool.done(former, 'a', 'ref-1');
    assert.deepEqual([answer.outcome, answer.state], ['evidence', 'done']);
    const event = await pool.event('effect.doubled');
    assert.deepEqual([event.severity, event.recordId, event.holder], ['critical', 'a', 'h-1']);
    assert.equal(event.message, effectDoubledMessage(NAME, 'ref-2', 'ref-1'));
    await assertDone(pool, 'ref-2');
  }),

  fact('a late failed, unknown or review is refused, and told with what it said (G3)', async (scene) => {
    const { pool, former } = await overtaken(scene, true);
    const answers = [
      await pool.failed(former, 'a', 'error-1'),
      await pool.failedForGood(former, 'a', 'error-2'),
      await pool.unknown(former, 'a', 'error-3'),
      await pool.toReview(former, 'a', 'error-4'),
    ];
    const said = ['failed', 'failed_permanent', 'unknown', 'review'] as const;
    const events = (await pool.events('verdict.refused')).toReversed();
    assert.equal(events.length, 4);
    for (const [index, answer] of answers.entries()) {
      const spoken = said[index] ?? assert.fail();
      const verdict = spoken === 'failed_permanent' ? 'failed' : spoken;
      assert.deepEqual([answer.outcome, answer.reason], ['refused', 'not_owner']);
      assert.equal(answer.message, verdictRefusedMessage(NAME, 'not_owner', { verdict, given: null }));
      const { severity, holder, message, data } = events[index] ?? assert.fail();
      assert.deepEqual([severity, holder, message], ['warning', 'h-1', answer.message]);
      assert.deepEqual(
        [data?.['verdict'], data?.['reason'], data?.['error']],
        [spoken, 'not_owner', `error-${index + 1}`],
      );
    }
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.claimedBy], ['claimed', 'h-2']);
  }),

  fact('a verdict repeated after its record went to another is accepted again, and changes nothing', async (scene) => {
    const pool = scene.pool();
    const former = await pool.owned(['a']);
    await pool.failed(former, 'a');
    await scene.advance(HOUR);
    await pool.owned(['a'], { holder: 'h-2' });
    const before = await pool.events();
    assert.equal((await pool.failed(former, 'a')).outcome, 'accepted');
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.claimedBy, row.attempt], ['claimed', 'h-2', 2]);
    assert.deepEqual(await pool.events(), before);
    assert.deepEqual((await pool.failedForGood(former, 'a')).outcome, 'refused', 'that was another word');
  }),

  fact('a verdict of the first of three owners is known as evidence', async (scene) => {
    const { pool, former } = await expired(scene);
    for (const holder of ['h-2', 'h-3']) await pool.lapsed(['a'], { holder });
    assert.equal((await pool.done(former, 'a', 'ref-1')).outcome, 'evidence');
    const row = await pool.record('a');
    assert.ok(['done', 'review'].includes(row.state), row.state);
    const fourth = await pool.claim(['a']);
    assert.deepEqual(fourth.owned, [], 'nobody else begins it any more');
  }),

  fact('a record that went back unworked knows its former owner: its late done is evidence', async (scene) => {
    const pool = scene.pool();
    const former = await pool.unbegun(['a']);
    await pool.giveBack(former);
    assert.equal((await pool.done(former, 'a', 'ref-1')).outcome, 'evidence');
    await assertDone(pool, 'ref-1');
  }),

  fact('after a person sent it back, its owner’s late done is evidence', async (scene) => {
    const pool = scene.pool();
    const former = await pool.lapsed(['a']);
    await pool.settle();
    await pool.decide('a', 'requeue');
    assert.deepEqual(await pool.states(), ['a queued']);
    assert.equal((await pool.done(former, 'a', 'ref-1')).outcome, 'evidence');
    await assertDone(pool, 'ref-1');
  }),

  fact('a review that waits for the present owner’s word survives the end of its lease', async (scene) => {
    const { pool, former, claim } = await overtaken(scene, true);
    await pool.done(former, 'a', 'ref-1');
    await scene.advance(LEASE);
    await pool.settle();
    assert.equal((await pool.record('a')).state, 'review');
    const own = await pool.failed(claim, 'a');
    assert.deepEqual([own.outcome, own.state], ['accepted', 'done']);
  }),
];
