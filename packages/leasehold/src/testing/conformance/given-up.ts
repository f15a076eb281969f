import assert from 'node:assert/strict';
import { givenUpMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { Deliverer } from './stage/outbox.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

const WORDS = `it's no longer renewed ("stuck" \\ 100%, größer)`;

/** A holder that had given its lease up before its end, and says so with its release. */
export const givenUpFacts: readonly Fact[] = [
  fact(
    'a release that says why its lease had been given up tells of the loss in these words, once, and asks for no longer lease',
    async (scene) => {
      const lease = await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
      await scene.advance(55 * MINUTE);
      const answer = await scene.release(lease, { status: 'failure', lost: WORDS });
      assert.equal(answer.outcome, 'released');
      assert.equal((await scene.release(lease, { status: 'failure', lost: WORDS })).outcome, 'released');
      const event = await scene.event('lease.lost');
      assert.deepEqual(
        [event.severity, event.lock, event.runId, event.holder, event.message, event.data],
        ['warning', 'job', lease.runId, 'exec-1', givenUpMessage('job', WORDS), { reason: 'given_up', detail: WORDS }],
      );
      assert.equal(await scene.countEvents(), 1, 'nothing of the end of the lease');
      assert.equal((await new Deliverer(scene, 'a').takeOne()).message, event.message);
      const status = await scene.status('job');
      assert.deepEqual([status.state, (await scene.runOf(lease)).status], ['free', 'failure']);
      await scene.acquired('job');
    },
  ),

  fact('what such a release says of its run and its pause counts as that of any other', async (scene) => {
    const slot = await scene.now();
    const lease = await scene.acquired('job', { leaseMs: HOUR, slotAt: scene.dateAt(slot) });
    const now = await scene.now();
    await scene.release(lease, { status: 'success', afterMs: HOUR, lost: WORDS });
    const status = await scene.status('job');
    assert.equal(status.state, 'cooling');
    scene.assertElapsed(scene.at(status.lastSuccessAt), now, 'lastSuccessAt');
    await scene.advance(HOUR);
    assert.equal((await scene.alreadyRan('job', { slotAt: scene.dateAt(slot) })).earlier.runId, lease.runId);
  }),

  fact('where the lease had ended meanwhile, the loss is told in the holder’s words alone', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(2 * HOUR);
    assert.equal((await scene.release(lease, { lost: WORDS })).outcome, 'expired');
    assert.deepEqual((await scene.event('lease.lost')).data, { reason: 'given_up', detail: WORDS });
  }),

  fact('where another run had taken over, the loss is told beside the refusal', async (scene) => {
    const old = await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
    await scene.advance(HOUR);
    await scene.reclaimed('job', { leaseMs: HOUR });
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await scene.release(old, { lost: WORDS })).outcome, 'not_holder');
    }
    const event = await scene.event('lease.lost');
    assert.deepEqual([event.runId, event.holder], [old.runId, 'exec-1']);
    assert.equal(await scene.countEvents('release.refused'), 2);
  }),

  fact('a loss that a renewal was told of is not told again by a release that says why', async (scene) => {
    const expired = await scene.acquired('expired', { leaseMs: HOUR });
    const forced = await scene.acquired('forced', { leaseMs: 3 * HOUR, graceMs: HOUR });
    await scene.advance(HOUR);
    await scene.drain('forced');
    for (const lease of [expired, forced]) {
      assert.equal((await scene.renew(lease)).outcome, 'lost');
      await scene.release(lease, { lost: WORDS });
    }
    const reasons = (await scene.events('lease.lost')).map((event) => event.data?.['reason']);
    assert.deepEqual(reasons, ['force_released', 'expired']);
  }),

  fact('a token that this lock never gave has lost nothing', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    const other = await scene.acquired('other', { leaseMs: HOUR });
    assert.equal((await scene.release({ lock: 'job', token: other.token }, { lost: WORDS })).outcome, 'not_holder');
    assert.equal((await scene.release({ lock: 'none', token: other.token }, { lost: WORDS })).outcome, 'not_holder');
    assert.equal(await scene.countEvents('lease.lost'), 0);
    assert.equal((await scene.release(other)).outcome, 'released');
    assert.equal(await scene.countEvents('lease.lost'), 0, 'nor has its own run');
  }),
];
