import assert from 'node:assert/strict';
import { newLockState } from '../../domain/lock-state.ts';
import { reclaimedMessage, skippedMessage, withReason } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

/** A force-release that lets the holder stop: at its release, at its grace after being told, or at its lease's end. */
export const drainFacts: readonly Fact[] = [
  fact(
    'a force-release lets the holder drain, and says who it is and when the lock is free at the latest',
    async (scene) => {
      const lease = await scene.acquired('job', { holder: 'exec-1', leaseMs: HOUR });
      const answer = await scene.drain('job', `"it's" stuck \\ 100%`);
      assert.deepEqual(
        [answer.outcome, answer.holder, answer.runId, answer.freeAt],
        ['draining', 'exec-1', lease.runId, lease.leaseUntil],
      );
      assert.deepEqual(await scene.isHolder(lease), false);
      const status = await scene.status('job');
      assert.deepEqual([status.state, status.holder], ['draining', 'exec-1']);
    },
  ),

  fact('a force-release is an event with the reason that was given', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1' });
    const reason = `"it's" stuck \\ 100%`;
    const answer = await scene.drain('job', reason);
    const event = await scene.event('lock.force_released');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder, event.message, event.data?.['reason']],
      ['warning', 'job', lease.runId, 'exec-1', withReason(answer.message, reason), reason],
    );
  }),

  fact('a start that meets a draining lock is skipped as draining: info, and not counted', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1', leaseMs: 2 * HOUR });
    const freeAt = scene.at((await scene.drain('job')).freeAt);
    await scene.advance(HOUR);
    const skip = await scene.skipped('job', 'draining', { onStale: 'hold' });
    assert.deepEqual([skip.current.holder, skip.current.runId, skip.skipsInRow], ['exec-1', lease.runId, 0]);
    scene.assertElapsed(skip.current.ageMs, HOUR, 'age');
    const lock = { ...newLockState('job'), holder: 'exec-1', drainUntil: scene.dateAt(freeAt).getTime() };
    assert.equal(skip.message, skippedMessage(lock, 'draining', skip.runId, 0));
    const event = await scene.event('run.skipped');
    assert.deepEqual([event.severity, event.data?.['reason'], event.message], ['info', 'draining', skip.message]);
    assert.equal((await scene.runOf(skip)).reason, 'draining');
  }),

  fact('a drain ends at the release of its holder, and the next start is reclaimed', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1', leaseMs: HOUR });
    await scene.drain('job');
    await scene.advance(10 * MINUTE);
    assert.equal((await scene.release(lease, { status: 'failure' })).outcome, 'released');
    assert.equal((await scene.status('job')).state, 'free');
    assert.equal((await scene.runOf(lease)).status, 'failure');
    const next = await scene.reclaimed('job', { holder: 'exec-2' });
    assert.deepEqual([next.previous.runId, next.previous.holder, next.fence], [lease.runId, 'exec-1', 2]);
    assert.equal(next.message, reclaimedMessage('job', next.previous, { forced: true, releasedItself: true }));
    assert.equal((await scene.event('lease.reclaimed')).runId, next.runId);
    const run = await scene.runOf(next);
    assert.deepEqual([run.previousRunId, run.ageMs], [lease.runId, next.previous.ageMs]);
  }),

  fact('the holder of a draining lock is told lost, and the drain ends at its grace after that', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: 4 * HOUR, graceMs: HOUR });
    await scene.drain('job');
    await scene.advance(MINUTE);
    const answer = await scene.renew(lease);
    assert.ok(answer.outcome === 'lost' && answer.reason === 'force_released', answer.message);
    await scene.advanceToJustBefore(HOUR);
    await scene.skipped('job', 'draining');
    await scene.advance(1 + scene.driftMs);
    assert.equal((await scene.status('job')).state, 'free');
    const next = await scene.reclaimed('job');
    assert.equal(next.message, reclaimedMessage('job', next.previous, { forced: true, releasedItself: false }));
    assert.equal((await scene.event('lease.lost')).runId, lease.runId);
  }),

  fact('asking again does not prolong the grace of a drain', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: 4 * HOUR, graceMs: HOUR });
    await scene.drain('job');
    await scene.renew(lease);
    await scene.advance(HOUR / 2);
    await scene.renew(lease, { leaseMs: 10 * HOUR });
    await scene.drain('job');
    await scene.advance(HOUR / 2);
    await scene.reclaimed('job');
  }),

  fact('a grace longer than what is left of the lease ends with the lease', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR, graceMs: HOUR });
    await scene.drain('job');
    await scene.advance(30 * MINUTE);
    await scene.renew(lease);
    await scene.advanceToJustBefore(30 * MINUTE);
    await scene.skipped('job', 'draining');
    await scene.advance(1 + scene.driftMs);
    await scene.reclaimed('job');
  }),

  fact('a holder without grace frees the lock by hearing that it lost it', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR, graceMs: 0 });
    await scene.drain('job');
    await scene.renew(lease);
    await scene.reclaimed('job');
  }),

  fact('a drain that nobody answers ends with the lease, and the next start is reclaimed', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    await scene.drain('job');
    await scene.advanceToJustBefore(HOUR);
    await scene.skipped('job', 'draining');
    await scene.advance(1 + scene.driftMs);
    assert.equal((await scene.status('job')).state, 'free');
    const next = await scene.reclaimed('job', { onStale: 'hold' });
    assert.equal(next.message, reclaimedMessage('job', next.previous, { forced: true, releasedItself: false }));
  }),

  fact('no renewal prolongs a drain', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR, graceMs: HOUR });
    await scene.drain('job');
    for (let time = 0; time < 4; time += 1) {
      await scene.advance(15 * MINUTE);
      assert.equal((await scene.renew(lease, { leaseMs: 10 * HOUR })).outcome, 'lost');
    }
    await scene.reclaimed('job');
  }),

  fact(
    'a holder that drains and asks for a pause gets it, and the start after that is still reclaimed',
    async (scene) => {
      const lease = await scene.acquired('job', { leaseMs: HOUR });
      await scene.drain('job');
      await scene.release(lease, { afterMs: 2 * HOUR });
      await scene.advance(HOUR);
      await scene.skipped('job', 'cooling');
      await scene.advance(HOUR);
      await scene.reclaimed('job');
    },
  ),

  fact('a drain forced twice stays one drain', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.drain('job');
    const again = await scene.drain('job');
    assert.deepEqual([again.outcome, again.freeAt, again.runId], ['draining', lease.leaseUntil, lease.runId]);
  }),

  fact('a drain can be cut short by freeing the lock at once', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    await scene.drain('job');
    assert.equal((await scene.freeNow('job')).outcome, 'released');
    await scene.reclaimed('job');
    assert.equal(await scene.countEvents('lock.force_released'), 2);
  }),

  fact('a drain that is over leaves nothing to release', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    await scene.drain('job');
    await scene.advance(HOUR);
    assert.equal((await scene.drain('job')).outcome, 'already_free');
    assert.equal((await scene.freeNow('job')).outcome, 'already_free');
    assert.equal(await scene.countEvents('lock.force_released'), 1);
    await scene.reclaimed('job');
  }),

  fact('the lease after a drain is a lease like any other', async (scene) => {
    const { old, lease } = await takenAfterDrain(scene);
    assert.equal((await scene.renew(lease)).outcome, 'renewed');
    assert.equal((await scene.renew(old)).outcome, 'lost');
    assert.equal((await scene.release(old)).outcome, 'not_holder');
    await scene.skipped('job', 'held');
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
    await scene.acquired('job');
  }),
];

async function takenAfterDrain(scene: Scene) {
  const old = await scene.acquired('job', { leaseMs: HOUR });
  await scene.drain('job');
  await scene.advance(HOUR);
  return { old, lease: await scene.reclaimed('job') };
}
