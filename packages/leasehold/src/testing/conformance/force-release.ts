import assert from 'node:assert/strict';
import { newLockState } from '../../domain/lock-state.ts';
import { forceReleaseMessage, reclaimedMessage, withReason } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { DAY, HOUR, MINUTE } from './stage/timeline.ts';

/** A force-release that frees the lock now, and one that finds nothing to free. */
export const forceReleaseFacts: readonly Fact[] = [
  fact('the reason of a force-release stands in its event, word for word, and not in its answer', async (scene) => {
    const reason = 'TICKET17: 100 % of C:\\x; "it\'s" gone.';
    await scene.acquired('job');
    const answer = await scene.freeNow('job', reason);
    const { message } = await scene.event('lock.force_released');
    assert.equal(message, withReason(answer.message, reason));
    assert.ok(message.endsWith(`may still be running; reason: ${reason}`), message);
    assert.ok(!answer.message.includes('TICKET17'));
  }),

  fact('a lock freed at once is free now, and the next start is reclaimed', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1', leaseMs: 2 * HOUR });
    await scene.advance(HOUR);
    const now = await scene.now();
    const answer = await scene.freeNow('job', 'the host burned');
    assert.deepEqual([answer.outcome, answer.holder, answer.runId], ['released', 'exec-1', lease.runId]);
    scene.assertElapsed(scene.at(answer.freeAt), now, 'freeAt');
    const event = await scene.event('lock.force_released');
    assert.deepEqual(
      [event.severity, event.runId, event.holder, event.message, event.data?.['reason']],
      ['warning', lease.runId, 'exec-1', withReason(answer.message, 'the host burned'), 'the host burned'],
    );
    assert.equal((await scene.status('job')).state, 'free');
    const next = await scene.reclaimed('job');
    scene.assertElapsed(next.previous.ageMs, HOUR, 'age');
    assert.deepEqual([next.previous.runId, next.fence], [lease.runId, 2]);
    assert.equal(next.message, reclaimedMessage('job', next.previous, { forced: true, releasedItself: false }));
  }),

  fact('the holder of a lock that was freed at once is told so', async (scene) => {
    const lease = await scene.acquired('job', { graceMs: HOUR });
    await scene.freeNow('job');
    assert.equal(await scene.isHolder(lease), false);
    const before = await scene.renew(lease);
    assert.ok(before.outcome === 'lost' && before.reason === 'force_released', before.message);
    await scene.reclaimed('job');
    const after = await scene.renew(lease);
    assert.ok(after.outcome === 'lost' && after.reason === 'taken_over', after.message);
  }),

  fact('a holder that releases a lock freed at once finds it free, and its status is kept', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.freeNow('job');
    const answer = await scene.release(lease, { status: 'success' });
    assert.deepEqual([answer.outcome, answer.runId], ['already_free', lease.runId]);
    const run = await scene.runOf(lease);
    assert.deepEqual([run.status, run.endedAt === null], ['success', false]);
    assert.equal(await scene.countEvents('release.refused'), 0);
    const next = await scene.reclaimed('job');
    assert.equal(next.message, reclaimedMessage('job', next.previous, { forced: true, releasedItself: true }));
  }),

  fact('a late holder whose forced lock was taken is refused, and its status is kept', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.freeNow('job');
    const next = await scene.reclaimed('job');
    assert.equal((await scene.release(lease, { status: 'failure' })).outcome, 'not_holder');
    assert.equal((await scene.runOf(lease)).status, 'failure');
    assert.equal(await scene.isHolder(next), true);
  }),

  fact('a stale lock can be freed for starts that wait for a person, at once in either way', async (scene) => {
    for (const [lock, free] of [
      ['one', () => scene.freeNow('one')],
      ['two', () => scene.drain('two')],
    ] as const) {
      await scene.acquired(lock, { leaseMs: HOUR });
      await scene.advance(HOUR);
      await scene.skipped(lock, 'hold', { onStale: 'hold' });
      assert.equal((await free()).outcome, 'released');
      assert.equal((await scene.status(lock)).state, 'free');
      await scene.reclaimed(lock, { onStale: 'hold' });
    }
  }),

  fact('forcing a free lock answers that it is free, and is no event', async (scene) => {
    await scene.release(await scene.acquired('job'));
    for (const answer of [await scene.freeNow('job'), await scene.drain('job')]) {
      assert.equal(answer.outcome, 'already_free');
      assert.equal(answer.message, 'Nothing to release: lock "job" is free.');
    }
    assert.equal(await scene.countEvents(), 0);
    await scene.acquired('job');
  }),

  fact('forcing a lock that no start has touched answers so and makes none', async (scene) => {
    for (const answer of [await scene.freeNow('jbo'), await scene.drain('jbo')]) {
      assert.equal(answer.outcome, 'already_free');
      assert.equal(answer.message, 'Nothing to release: lock "jbo" is not known to this store; check its name.');
    }
    assert.equal(await scene.countEvents(), 0);
    assert.deepEqual(await scene.store.status({ lock: null, limit: 100 }), []);
  }),

  fact('forcing a lock that was freed at once finds it free', async (scene) => {
    await scene.acquired('job');
    await scene.freeNow('job');
    assert.equal((await scene.freeNow('job')).outcome, 'already_free');
    assert.equal(await scene.countEvents('lock.force_released'), 1);
    await scene.reclaimed('job');
  }),

  fact(
    'a force-release ends the pause that a release asked for, in either way, and the next start is reclaimed',
    async (scene) => {
      for (const [lock, free] of [
        ['one', () => scene.freeNow('one', 'asked for 31 days by mistake')],
        ['two', () => scene.drain('two', 'asked for 31 days by mistake')],
      ] as const) {
        const lease = await scene.acquired(lock, { holder: 'exec-1' });
        await scene.release(lease, { afterMs: 31 * DAY });
        const skipped = await scene.skipped(lock, 'cooling');
        assert.match(skipped.message, /to free it by force: leasehold force-release/);
        const now = await scene.now();
        const answer = await free();
        assert.deepEqual([answer.outcome, answer.runId, answer.holder], ['released', lease.runId, 'exec-1']);
        scene.assertElapsed(scene.at(answer.freeAt), now, 'freeAt');
        const pause = { ...newLockState(lock), runId: lease.runId };
        assert.equal(answer.message, forceReleaseMessage(lock, 'released', pause, 0));
        assert.equal((await scene.status(lock)).state, 'free');
        const next = await scene.reclaimed(lock);
        assert.equal(next.previous.runId, lease.runId);
        assert.equal(next.message, reclaimedMessage(lock, next.previous, { forced: true, releasedItself: true }));
        await scene.release(next);
        await scene.acquired(lock);
      }
      const events = await scene.events('lock.force_released');
      assert.deepEqual(
        events.map((event) => [event.severity, event.holder, event.data?.['reason']]),
        [
          ['warning', 'exec-1', 'asked for 31 days by mistake'],
          ['warning', 'exec-1', 'asked for 31 days by mistake'],
        ],
      );
    },
  ),

  fact('a pause that was asked for after a force-release is ended by another one', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.drain('job');
    await scene.release(lease, { afterMs: HOUR });
    await scene.skipped('job', 'cooling');
    assert.equal((await scene.drain('job')).outcome, 'released');
    assert.equal((await scene.freeNow('job')).outcome, 'already_free');
    await scene.reclaimed('job');
  }),

  fact('skips counted before a force-release end with the reclaim after it', async (scene) => {
    await scene.acquired('job');
    await scene.skipped('job', 'held');
    await scene.skipped('job', 'held');
    await scene.freeNow('job');
    assert.equal((await scene.reclaimed('job')).skipsInRow, 0);
    await scene.advance(MINUTE);
    assert.equal((await scene.status('job')).skipsInRow, 0);
  }),
];
