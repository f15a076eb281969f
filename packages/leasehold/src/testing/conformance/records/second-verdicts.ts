import assert from 'node:assert/strict';
import {
  effectDoubledMessage,
  evidenceMessage,
  recordName,
  verdictLateMessage,
  verdictRefusedMessage,
} from '../../../domain/records/messages.ts';
import { type Fact, fact } from '../stage/fact.ts';
import { HOUR } from '../stage/timeline.ts';
import { NO_TOKEN } from './stage/names.ts';

const NAME = recordName('orders', { id: 'a', version: '' });

/** What a token may say after it has said something. */
export const secondVerdictFacts: readonly Fact[] = [
  fact('another verdict of the same token is refused, and the first one counts', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b', 'c']);
    await pool.done(claim, 'a', 'ref-1');
    await pool.failedForGood(claim, 'b');
    await pool.toReview(claim, 'c');
    const answers = [
      await pool.failed(claim, 'a'),
      await pool.failedForGood(claim, 'a'),
      await pool.unknown(claim, 'a'),
      await pool.toReview(claim, 'a'),
      await pool.failed(claim, 'b'),
      await pool.unknown(claim, 'c'),
    ];
    for (const { outcome, reason } of answers) assert.deepEqual([outcome, reason], ['refused', 'other_verdict']);
    assert.equal(
      answers[0]?.message,
      verdictRefusedMessage(NAME, 'other_verdict', { verdict: 'failed', given: 'done' }),
    );
    assert.deepEqual(await pool.states(), ['a done', 'b failed', 'c review']);
    const events = await pool.events('verdict.refused');
    assert.deepEqual(
      events.map((event) => [event.severity, event.data?.['reason']]),
      Array.from({ length: 6 }, () => ['info', 'other_verdict']),
    );
  }),

  fact(
    'what its owner says of a record that its lease’s end sent to review is told, and said again it is told no more',
    async (scene) => {
      const pool = scene.pool();
      const claim = await pool.lapsed(['a'], { holder: 'host:1' });
      await pool.settle();
      const since = (await pool.record('a')).updatedAt.getTime();
      const before = await pool.record('a');
      const words = { failed: 'answered 400', unknown: 'timed out', review: 'no such address' } as const;
      for (const _ of [1, 2]) {
        for (const verdict of ['failed', 'unknown', 'review'] as const) {
          const error = words[verdict];
          const answer = await pool.verdict(claim, 'a', verdict, { error });
          assert.deepEqual([answer.outcome, answer.reason, answer.state], ['refused', 'settled', 'review']);
          const [event, ...others] = await pool.events('verdict.refused');
          const again = await pool.verdict(claim, 'a', verdict, { error });
          assert.deepEqual(again, answer, 'the answer is the same');
          assert.equal(await pool.countEvents('verdict.refused'), 1 + others.length, 'and told once');
          assert.deepEqual([event?.severity, event?.holder, event?.message], ['info', 'host:1', answer.message]);
          assert.deepEqual([event?.data?.['verdict'], event?.data?.['error']], [verdict, error]);
          const late = verdictLateMessage(NAME, { verdict, error }, { state: 'review', since });
          assert.equal(answer.message, late);
        }
      }
      assert.deepEqual(await pool.record('a'), before, 'it waits for a person as before');
      assert.equal((await pool.done(claim, 'a', 'ref-1')).outcome, 'evidence');
    },
  ),

  fact('a record known to be done is never requeued by any verdict (G4)', async (scene) => {
    const pool = scene.pool();
    const former = await pool.owned(['a']);
    await pool.failed(former, 'a');
    await scene.advance(HOUR);
    const claim = await pool.owned(['a']);
    await pool.done(claim, 'a');
    for (const token of [claim, former, NO_TOKEN]) {
      for (const verdict of ['failed', 'unknown', 'review'] as const) {
        await pool.verdict(token, 'a', verdict, { error: 'x' });
        await pool.verdict(token, 'a', verdict, { error: 'x', isPermanent: true });
      }
    }
    await scene.advance(HOUR);
    await pool.settle();
    assert.deepEqual(await pool.states(), ['a done']);
    assert.deepEqual((await pool.next()).owned, []);
  }),

  fact('done after one’s own failure or review is evidence: the record is done', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b'], { holder: 'host:1' });
    await pool.failedForGood(claim, 'a');
    await pool.toReview(claim, 'b');
    const answer = await pool.done(claim, 'a', 'ref-a');
    assert.deepEqual(
      [answer.outcome, answer.state, answer.message],
      ['evidence', 'done', evidenceMessage(NAME, 'done')],
    );
    const event = await pool.event('verdict.evidence');
    assert.deepEqual(
      [event.severity, event.recordId, event.holder, event.message],
      ['warning', 'a', 'host:1', answer.message],
    );
    assert.equal((await pool.done(claim, 'b')).outcome, 'evidence');
    assert.deepEqual(await pool.states(), ['a done', 'b done']);
    assert.equal((await pool.record('a')).providerRef, 'ref-a');
  }),

  fact('done twice with two references is two effects: critical, and the first reference stays', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a'], { holder: 'host:1' });
    await pool.done(claim, 'a', 'ref-1');
    const answer = await pool.done(claim, 'a', 'ref-2');
    assert.deepEqual([answer.outcome, answer.state], ['evidence', 'done']);
    const event = await pool.event('effect.doubled');
    assert.deepEqual([event.severity, event.recordId, event.holder], ['critical', 'a', 'host:1']);
    assert.equal(event.message, effectDoubledMessage(NAME, 'ref-1', 'ref-2'));
    assert.equal(answer.message, event.message);
    assert.equal((await pool.record('a')).providerRef, 'ref-1');
  }),

  fact('a reference that was missing is filled in by a repeat, and one without it takes none away', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a']);
    await pool.done(claim, 'a');
    assert.equal((await pool.done(claim, 'a', 'ref-1')).outcome, 'accepted');
    assert.equal((await pool.done(claim, 'a')).outcome, 'accepted');
    assert.equal((await pool.record('a')).providerRef, 'ref-1');
    assert.equal(await scene.countEvents(), 0);
  }),
];
