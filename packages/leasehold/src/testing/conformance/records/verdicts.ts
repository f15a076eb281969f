import assert from 'node:assert/strict';
import { recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import { requeuedMessage, reviewMessage, reviewWords } from '../../../domain/records/reasons.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR, MINUTE, SECOND } from '../stage/timeline.ts';
import { LEASE, NO_TOKEN, refusalsOf } from './stage/names.ts';

const NAME = recordName('orders', { id: 'a', version: '' });

const accepted = (patch: Partial<Parameters<typeof verdictAcceptedMessage>[1]>): string =>
  verdictAcceptedMessage(NAME, { state: 'done', providerRef: null, notBefore: null, why: null, ...patch });

export const verdictFacts: readonly Fact[] = [
  fact('done is kept with the provider’s reference, and tells of nothing', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b'], { holder: 'host:1' });
    await scene.advance(MINUTE);
    const now = await scene.now();
    const answer = await pool.done(claim, 'a', 'ref-1');
    assert.deepEqual(answer, {
      outcome: 'accepted',
      pool: 'orders',
      id: 'a',
      version: '',
      state: 'done',
      notBefore: null,
      reason: null,
      message: accepted({ providerRef: 'ref-1' }),
    });
    const row = await pool.record('a');
    assert.deepEqual(
      [row.state, row.providerRef, row.error, row.claimedBy, row.attempt],
      ['done', 'ref-1', null, 'host:1', 1],
    );
    scene.assertElapsed(scene.at(row.updatedAt), now, 'updatedAt');
    assert.equal(
      (await pool.done(claim, 'b')).message,
      verdictAcceptedMessage(recordName('orders', { id: 'b', version: '' }), {
        state: 'done',
        providerRef: null,
        notBefore: null,
        why: null,
      }),
    );
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('each verdict repeated is accepted again and counts once', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['done', 'failed', 'unknown', 'review', 'again']);
    for (let time = 0; time < 3; time += 1) {
      const answers = [
        await pool.done(claim, 'done', 'ref'),
        await pool.failedForGood(claim, 'failed'),
        await pool.unknown(claim, 'unknown'),
        await pool.toReview(claim, 'review'),
        await pool.failed(claim, 'again'),
      ];
      for (const { outcome, message } of answers) assert.equal(outcome, 'accepted', message);
      await scene.advance(SECOND);
    }
    const kinds = (await pool.events()).map(({ kind, recordId }) => `${kind} ${recordId}`);
    assert.deepEqual(kinds.toSorted(), ['record.requeued again', 'record.review review']);
    assert.deepEqual(await pool.states(), [
      'again queued',
      'done done',
      'failed failed',
      'review review',
      'unknown claimed',
    ]);
  }),

  fact('a verdict needs no live lease: the token that the record still carries is enough', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.lapsed(['a', 'b', 'c', 'd']);
    assert.equal((await pool.done(claim, 'a')).outcome, 'accepted');
    assert.equal((await pool.failed(claim, 'b')).outcome, 'accepted');
    assert.equal((await pool.unknown(claim, 'c')).outcome, 'accepted');
    await pool.settle();
    assert.deepEqual(await pool.states(), ['a done', 'b queued', 'c review', 'd review']);
    assert.deepEqual(
      [(await pool.done(claim, 'd', 'ref')).outcome, (await pool.record('d')).state],
      ['evidence', 'done'],
      'review keeps its token, and what its owner learned',
    );
  }),

  fact('a temporary failure goes back to the queue, and waits 30 s, doubling to 1 h', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 10 });
    const waits = [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map((seconds) => seconds * SECOND);
    for (const [index, wait] of waits.entries()) {
      const claim = await pool.owned(['a'], { holder: 'host:1', claimId: `c-${index}` });
      assert.equal(claim.owned[0]?.attempt, index + 1);
      const now = await scene.now();
      const answer = await pool.failed(claim, 'a', 'answered 503');
      assert.deepEqual([answer.outcome, answer.state], ['accepted', 'queued']);
      scene.assertElapsed(scene.at(answer.notBefore) - now, wait, `wait ${index + 1}`);
      assert.equal(answer.message, accepted({ state: 'queued', notBefore: Number(answer.notBefore) }));
      const [event] = await pool.events('record.requeued');
      assert.deepEqual([event?.severity, event?.holder, event?.recordId], ['info', 'host:1', 'a']);
      const about = { attempt: index + 1, holder: 'host:1', words: 'answered 503' };
      assert.equal(
        event?.message,
        requeuedMessage(NAME, 'failed', { ...about, wasBegun: true, notBefore: Number(answer.notBefore) }),
      );
      assert.deepEqual(event?.data, {
        version: '',
        reason: 'failed',
        attempt: index + 1,
        claimId: `c-${index}`,
        wasBegun: true,
        notBefore: answer.notBefore?.toISOString(),
      });
      const row = await pool.record('a');
      assert.deepEqual([row.error, row.notBefore, row.leaseUntil], ['answered 503', answer.notBefore, null]);
      assert.deepEqual(refusalsOf(await pool.claim(['a'])), ['a not_before']);
      await scene.advance(wait + scene.driftMs);
    }
  }),

  fact(
    'the last attempt that fails ends in review, not in a loop: its neighbours are worked once (C97)',
    async (scene) => {
      const pool = scene.pool();
      await pool.set({ attempts: 3 });
      const ids = ['r1', 'r2', 'r3'];
      await pool.enqueue(ids);
      const worked: string[] = [];
      for (let tick = 0; tick < 6; tick += 1) {
        const claim = await pool.next(10, { claimId: `c-${tick}`, holder: 'host:1' });
        for (const { id } of claim.owned) {
          worked.push(id);
          const own = { token: claim.token ?? '' };
          if (id === 'r1') await pool.failed(own, id, 'answered 400');
          else await pool.done(own, id);
        }
        await scene.advance(HOUR + scene.driftMs);
      }
      assert.deepEqual(worked, ['r1', 'r2', 'r3', 'r1', 'r1']);
      assert.deepEqual(await pool.states(), ['r1 review', 'r2 done', 'r3 done']);
      const event = await pool.event('record.review');
      const words = reviewWords('attempts', { attempt: 3, holder: 'host:1', words: 'answered 400', times: 3 });
      assert.equal(event.message, reviewMessage(recordName('orders', { id: 'r1', version: '' }), 'orders', words));
      assert.deepEqual([event.severity, event.recordId, event.holder], ['warning', 'r1', 'host:1']);
      assert.deepEqual(event.data, { version: '', reason: 'attempts', attempt: 3, claimId: 'c-2' });
      assert.equal((await pool.record('r1')).error, words);
    },
  ),

  fact('a permanent failure is final, keeps its row, and is told to whoever offers it again (C98)', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a']);
    const answer = await pool.failedForGood(claim, 'a', 'no such address');
    assert.deepEqual([answer.state, answer.message], ['failed', accepted({ state: 'failed' })]);
    await scene.advance(9 * 24 * HOUR);
    assert.deepEqual(refusalsOf(await pool.claim(['a'])), ['a failed']);
    const row = await pool.record('a');
    assert.deepEqual([row.state, row.error], ['failed', 'no such address']);
  }),

  fact('unknown keeps the record claimed and flags it for the next sweep, whatever its lease', async (scene) => {
    const pool = scene.pool();
    await pool.set({ verifier: '{"kind":"function"}' });
    const claim = await pool.owned(['a']);
    const answer = await pool.unknown(claim, 'a', 'timed out');
    assert.deepEqual([answer.outcome, answer.state], ['accepted', 'claimed']);
    assert.equal(answer.message, accepted({ state: 'claimed' }));
    assert.equal((await pool.status()).toAsk, 1);
    assert.equal((await pool.record('a')).error, 'timed out');
    assert.deepEqual((await pool.claim(['a'])).owned, []);
    assert.equal((await pool.done(claim, 'a', 'ref')).outcome, 'accepted', 'its sender learned it after all');
    assert.deepEqual(await pool.states(), ['a done']);
    assert.equal((await pool.status()).toAsk, 0);
  }),

  fact('an owner that doesn’t know any more asks for a person by review', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], { holder: 'host:1', claimId: 'c-1' });
    const answer = await pool.toReview(claim, 'a', 'no such address');
    const why = reviewWords('said', { attempt: 1, holder: 'host:1', words: 'no such address', times: 0 });
    assert.deepEqual([answer.state, answer.message], ['review', accepted({ state: 'review', why })]);
    const event = await pool.event('record.review');
    assert.equal(event.message, reviewMessage(NAME, 'orders', why));
    assert.deepEqual(event.data, { version: '', reason: 'said', attempt: 1, claimId: 'c-1' });
    assert.equal((await pool.record('a')).error, why);
  }),

  fact('a verdict of a token that never had the record is refused, and told (G3)', async (scene) => {
    const pool = scene.pool();
    await pool.owned(['a']);
    const stranger = await pool.owned(['b']);
    for (const [token, id, reason] of [
      [NO_TOKEN, 'a', 'not_owner'],
      [stranger, 'a', 'not_owner'],
      [stranger, 'nowhere', 'unknown_record'],
    ] as const) {
      const answer = await pool.done(token, id, 'ref');
      assert.deepEqual([answer.outcome, answer.reason], ['refused', reason]);
      const [event] = await pool.events('verdict.refused');
      assert.deepEqual([event?.severity, event?.recordId, event?.message], ['warning', id, answer.message]);
      assert.deepEqual([event?.data?.['verdict'], event?.data?.['reason']], ['done', reason]);
    }
    assert.deepEqual(await pool.states(), ['a claimed', 'b claimed']);
    assert.equal(await pool.countEvents(), 3);
  }),

  fact('an error of 4,096 bytes is kept whole, and none is needed', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b']);
    const error = `${'€'.repeat(1_365)}x`;
    await pool.failedForGood(claim, 'a', error);
    assert.equal((await pool.record('a')).error, error);
    const answer = await pool.verdict(claim, 'b', 'failed', { error: null, isPermanent: true });
    assert.deepEqual([answer.outcome, (await pool.record('b')).error], ['accepted', null]);
  }),

  fact(
    'an error is cut to 4,096 bytes and its control characters become spaces; it is never refused',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.owned(['a', 'b']);
      await pool.failedForGood(claim, 'a', 'line 1\nline 2\ttab');
      assert.equal((await pool.record('a')).error, 'line 1 line 2 tab');
      await pool.failedForGood(claim, 'b', '€'.repeat(5_000));
      assert.equal((await pool.record('b')).error, '€'.repeat(1_365), 'no character is cut in two');
    },
  ),

  fact('verdicts of a claim settle its records one by one; the claim is over with the last', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b']);
    await pool.done(claim, 'a');
    assert.equal((await pool.extend(claim)).outcome, 'extended');
    await pool.done(claim, 'b');
    assert.equal((await pool.extend(claim)).outcome, 'lost');
    await scene.advance(LEASE);
    assert.deepEqual((await pool.settle()).review, 0);
    assert.equal(await pool.countEvents(), 0);
  }),
];
