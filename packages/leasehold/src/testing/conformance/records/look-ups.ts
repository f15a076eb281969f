import assert from 'node:assert/strict';
import { recordName } from '../../../domain/records/messages.ts';
import { requeuedMessage, reviewMessage, reviewWords } from '../../../domain/records/reasons.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { DAY, HOUR } from '../stage/timeline.ts';
import { idsOf, LEASE } from './stage/names.ts';
import { apply, asking, doubtful, takeOne, takeToAsk } from './stage/sweep.ts';

const NAME = recordName('orders', { id: 'a', version: '' });
const FOUND = { kind: 'done', providerRef: 'ref-1' } as const;
const REQUEUE = { kind: 'requeue', sendBefore: null, reason: 'the provider has no such effect' } as const;
const REVIEW = { kind: 'review', reason: 'the provider could not say: 500' } as const;
const WAIT = { kind: 'wait', reason: 'the provider has not decided it yet' } as const;

export const lookUpFacts: readonly Fact[] = [
  fact('found is done, and nothing is sent (G5)', async (scene) => {
    const { pool, claim } = await doubtful(scene);
    const seen = await takeOne(pool);
    assert.deepEqual(await apply(pool, seen, FOUND), { outcome: 'applied', state: 'done' });
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.providerRef], ['done', 'ref-1']);
    assert.equal((await pool.done(claim, 'a', 'ref-1')).state, 'done');
    assert.equal(await pool.countEvents('effect.doubled'), 0);
    assert.equal((await pool.done(claim, 'a', 'ref-2')).outcome, 'evidence');
    assert.equal((await pool.event('effect.doubled')).severity, 'critical');
  }),

  fact('absent, and sure of it, is queued again, and told in the words of the answer', async (scene) => {
    const { pool, claim } = await doubtful(scene);
    assert.deepEqual(await apply(pool, await takeOne(pool), REQUEUE), { outcome: 'applied', state: 'queued' });
    const event = await pool.event('record.requeued');
    const about = { attempt: 1, holder: 'host:1', words: REQUEUE.reason, wasBegun: true, notBefore: null };
    assert.equal(event.message, requeuedMessage(NAME, 'looked_up', about));
    assert.deepEqual(event.data, {
      version: '',
      reason: 'looked_up',
      attempt: 1,
      claimId: 'c-1',
      wasBegun: true,
      notBefore: null,
    });
    assert.equal((await pool.begin(claim, 'a')).reason, 'not_owner');
    const next = await pool.next();
    assert.deepEqual([idsOf(next), next.owned[0]?.attempt], [['a'], 2]);
  }),

  fact(
    'queued again with a time by which it must be sent, it is not handed out after that: it is asked for anew',
    async (scene) => {
      const { pool } = await doubtful(scene);
      const sendBefore = scene.dateAt((await scene.now()) + 2 * HOUR);
      await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore });
      await scene.advance(3 * HOUR);
      const claim = await pool.claim(['a', 'b']);
      assert.deepEqual(idsOf(claim), ['b']);
      assert.deepEqual(
        claim.refused.map(({ id, why }) => [id, why]),
        [['a', 'ask_first']],
      );
      assert.equal((await pool.record('a')).state, 'claimed');
      assert.equal((await pool.status()).toAsk, 1);
      assert.equal((await takeOne(pool)).id, 'a');
    },
  ),

  fact(
    'a claim that meets nothing but a record to be asked for owns nothing, and that record is asked for',
    async (scene) => {
      const { pool } = await doubtful(scene);
      await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore: scene.dateAt((await scene.now()) + HOUR) });
      await scene.advance(2 * HOUR);
      const claim = await pool.next();
      assert.deepEqual([claim.owned, claim.token], [[], null]);
      assert.deepEqual(await apply(pool, await takeOne(pool), FOUND), { outcome: 'applied', state: 'done' });
    },
  ),

  fact(
    'asked for because its provider may no longer know it, nobody is taken to have stopped sending it (G5)',
    async (scene) => {
      const { pool } = await doubtful(scene);
      await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore: scene.dateAt((await scene.now()) + HOUR) });
      await scene.advance(2 * HOUR);
      await pool.next(1, { claimId: 'c-2', holder: 'host:2' });
      await scene.store.noteHolderEnded({ pool: 'orders', claimId: 'c-2', holder: 'host:2' });
      const { unknownAt, holderEndedAt } = await takeOne(pool);
      assert.deepEqual([unknownAt, holderEndedAt], [null, null], 'that claim never sent it, and who did may be paused');
    },
  ),

  fact('the earlier of two times by which it must be sent holds on', async (scene) => {
    const { pool } = await doubtful(scene);
    const now = await scene.now();
    await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore: scene.dateAt(now + 3 * HOUR) });
    await pool.lapsed(['a'], { leaseMs: LEASE });
    const sendBefore = scene.dateAt(now + 9 * HOUR);
    await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore });
    const claim = await pool.unbegun(['a'], { leaseMs: 9 * HOUR });
    await scene.advance(3 * HOUR);
    assert.equal((await pool.begin(claim, 'a')).reason, 'send_before');
  }),

  fact(
    'a claim that met a record to be asked for neither has it when it is asked again, nor gives it back',
    async (scene) => {
      const { pool } = await doubtful(scene);
      await apply(pool, await takeOne(pool), { ...REQUEUE, sendBefore: scene.dateAt((await scene.now()) + HOUR) });
      await scene.advance(2 * HOUR);
      const same = { claimId: 'c-2', holder: 'host:2', explicitBegin: true };
      const claim = await pool.claim(['a', 'b'], same);
      const token = { token: claim.token ?? '' };
      assert.deepEqual(idsOf(await pool.claim(['a', 'b'], same)), ['b']);
      assert.equal((await pool.begin(token, 'a')).reason, 'not_claimed');
      assert.deepEqual(
        (await pool.giveBack(token)).returned.map(({ id }) => id),
        ['b'],
      );
      assert.deepEqual(await pool.states(), ['a claimed', 'b queued']);
      assert.equal((await takeOne(pool)).id, 'a');
    },
  ),

  fact('an answer that leaves it open is review, with its words', async (scene) => {
    const { pool } = await doubtful(scene);
    assert.deepEqual(await apply(pool, await takeOne(pool), REVIEW), { outcome: 'applied', state: 'review' });
    const words = reviewWords('looked_up', { attempt: 1, holder: 'host:1', words: REVIEW.reason, times: 0 });
    assert.equal((await pool.record('a')).error, words);
    const event = await pool.event('record.review');
    assert.equal(event.message, reviewMessage(NAME, 'orders', words));
    assert.deepEqual(event.data, { version: '', reason: 'looked_up', attempt: 1, claimId: 'c-1' });
  }),

  fact('an answer to wait for changes nothing', async (scene) => {
    const { pool } = await doubtful(scene);
    assert.deepEqual(await apply(pool, await takeOne(pool), WAIT), { outcome: 'applied', state: 'claimed' });
    assert.deepEqual(await pool.states(), ['a claimed']);
    assert.equal(await pool.countEvents(), 0);
  }),

  fact('an answer doesn’t apply to a record that has changed since it was asked about', async (scene) => {
    const pool = await asking(scene);
    const settled = await pool.lapsed(['a']);
    const seen = await takeOne(pool);
    await pool.done(settled, 'a', 'ref-of-owner');
    assert.equal((await apply(pool, seen, REQUEUE)).outcome, 'overtaken');
    assert.equal((await apply(pool, seen, FOUND)).outcome, 'overtaken');
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.providerRef], ['done', 'ref-of-owner']);
    assert.equal(await pool.countEvents(), 0);
  }),

  fact('an answer asked for by an attempt before doesn’t apply to a later one', async (scene) => {
    const { pool } = await doubtful(scene);
    const seen = await takeOne(pool);
    await apply(pool, seen, REQUEUE);
    await pool.owned(['a'], { holder: 'host:1' });
    for (const decision of [FOUND, REQUEUE, REVIEW]) {
      assert.equal((await apply(pool, seen, decision)).outcome, 'overtaken');
    }
    assert.deepEqual(await pool.states(), ['a claimed']);
  }),

  fact(
    'an answer doesn’t apply where claim, holder, attempt, begin or lease are not those asked about',
    async (scene) => {
      const { pool } = await doubtful(scene);
      const seen = await takeOne(pool);
      const off = (date: Date): Date => new Date(date.getTime() - 1);
      for (const other of [
        { claimId: 'c-2' },
        { holder: 'host:2' },
        { attempt: 2 },
        { begunAt: off(seen.begunAt) },
        { leaseUntil: off(seen.leaseUntil) },
        { id: 'nowhere' },
        { version: '2' },
      ]) {
        const answer = await apply(pool, { ...seen, ...other }, FOUND);
        assert.equal(answer.outcome, 'overtaken', JSON.stringify(other));
      }
      assert.equal((await apply(pool, seen, FOUND)).outcome, 'applied');
    },
  ),

  fact('a requeue by an answer whose attempts are used up is review', async (scene) => {
    const pool = await asking(scene);
    await pool.set({ attempts: 1 });
    await pool.lapsed(['a'], { holder: 'host:1' });
    assert.deepEqual(await apply(pool, await takeOne(pool), REQUEUE), { outcome: 'applied', state: 'review' });
    assert.equal((await pool.event('record.review')).data?.['reason'], 'attempts');
    assert.equal(await pool.countEvents('record.requeued'), 0);
  }),

  fact('an answer that it is done frees the newer version', async (scene) => {
    const pool = await asking(scene);
    await pool.lapsed([['a', '1']]);
    await pool.enqueue([['a', '2']]);
    await apply(pool, await takeOne(pool), FOUND);
    assert.deepEqual(idsOf(await pool.next()), ['a/2']);
  }),

  fact('a record in review is asked for again only when a person wants it', async (scene) => {
    const { pool } = await doubtful(scene);
    await apply(pool, await takeOne(pool), REVIEW);
    await scene.advance(DAY);
    assert.deepEqual(await takeToAsk(pool), []);
    assert.equal((await pool.decide('a', 'ask')).outcome, 'accepted');
    const now = await scene.now();
    const asked = await takeOne(pool);
    assert.equal(asked.isInReview, true);
    scene.assertElapsed(scene.at(asked.askSince), now - scene.driftMs, 'askSince');
    assert.deepEqual(await apply(pool, asked, FOUND), { outcome: 'applied', state: 'done' });
    assert.deepEqual(await pool.states(), ['a done']);
  }),
];
