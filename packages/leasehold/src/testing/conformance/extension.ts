import assert from 'node:assert/strict';
import { extendedMessage } from '../../domain/messages.ts';
import { newLockState } from '../../domain/lock-state.ts';
import { type Fact, fact } from './stage/fact.ts';
import { bring, PROBED, probedLease, reclaimedBy, skippedWith } from './stage/probing.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

export const extensionFacts: readonly Fact[] = [
  fact(
    'the lease of a live holder that has run out goes on, for everybody, and that is an event of its run',
    async (scene) => {
      const lease = await probedLease(scene, 'job', { leaseMs: HOUR, holder: 'exec-1' });
      const end = scene.at(lease.leaseUntil);
      await scene.advance(HOUR + MINUTE);
      const now = await scene.now();
      const skip = await skippedWith(scene, 'job', 'alive', 'held');
      assert.equal(skip.skipsInRow, 1);
      scene.assertRemaining(skip.current.remainingMs, HOUR);
      const { leaseUntil, state } = await scene.status('job');
      scene.assertElapsed(scene.at(leaseUntil), now + HOUR, 'leaseUntil');
      assert.equal(state, 'held');
      const event = await scene.event('lease.extended');
      assert.deepEqual([event.severity, event.lock, event.runId, event.holder], ['info', 'job', lease.runId, 'exec-1']);
      assert.deepEqual(event.data, {
        endedAt: scene.dateAt(end).toISOString(),
        leaseUntil: leaseUntil?.toISOString(),
        probe: 'process 17 runs',
      });
      const holder = { ...newLockState('job'), holder: 'exec-1' };
      assert.equal(event.message, extendedMessage(holder, 'process 17 runs', leaseUntil?.getTime() ?? 0));
      await scene.skipped('job', 'held');
      assert.equal(await scene.isHolder(lease), true);
      assert.equal((await scene.renew(lease)).outcome, 'renewed', 'its holder goes on with it');
    },
  ),

  fact('an extension is no renewal: when the holder last renewed stays what it was', async (scene) => {
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
    await scene.advance(MINUTE);
    await scene.renew(lease);
    const renewedAt = scene.at((await scene.runOf(lease)).renewedAt);
    await scene.advance(2 * HOUR);
    await skippedWith(scene, 'job', 'alive', 'held');
    assert.equal(scene.at((await scene.runOf(lease)).renewedAt), renewedAt);
  }),

  fact(
    'a lease is extended to four of its lengths past the last renewal, and then the clock decides',
    async (scene) => {
      const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
      await scene.advance(MINUTE);
      await scene.renew(lease);
      const renewedAt = scene.at((await scene.runOf(lease)).renewedAt);
      for (const minutes of [61, 61, 61]) {
        await scene.advance(minutes * MINUTE);
        await skippedWith(scene, 'job', 'alive', 'held');
      }
      const end = scene.at((await scene.status('job')).leaseUntil);
      assert.equal(end, renewedAt + 4 * HOUR, 'the last extension is cut off');
      await scene.advance(HOUR);
      const reclaim = await reclaimedBy(scene, 'job', 'alive');
      assert.equal(reclaim.previous.probe, 'alive: process 17 runs');
      assert.match(reclaim.message, /probe alive: process 17 runs; the previous run may still be running\.$/);
      assert.equal(await scene.countEvents('lease.extended'), 3);
    },
  ),

  fact('a holder that never renewed is extended to four leases past its start', async (scene) => {
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
    const since = scene.at((await scene.runOf(lease)).startedAt);
    await scene.advance(3.5 * HOUR);
    await skippedWith(scene, 'job', 'alive', 'held');
    assert.equal(scene.at((await scene.status('job')).leaseUntil), since + 4 * HOUR);
    await scene.advance(HOUR);
    await reclaimedBy(scene, 'job', 'alive');
  }),

  fact('a live holder is extended rather than held for a person', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    await skippedWith(scene, 'job', 'alive', 'held', { onStale: 'hold' });
    assert.equal((await scene.status('job')).state, 'held');
  }),

  fact('a holder that has stopped renewing on purpose is not extended', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR, holderInfo: { ...PROBED.holderInfo, extendable: false } });
    await scene.advance(HOUR);
    await skippedWith(scene, 'job', 'alive', 'hold', { onStale: 'hold' });
    await reclaimedBy(scene, 'job', 'alive');
    assert.equal(await scene.countEvents('lease.extended'), 0);
  }),

  fact('a live holder does not hold up its force-release', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    await scene.drain('job');
    await skippedWith(scene, 'job', 'alive', 'draining');
    await scene.advance(HOUR);
    await scene.reclaimed('job');
    assert.equal(await scene.countEvents('lease.extended'), 0);
  }),

  fact('an extension begins no lease anew: that it is nearly over is told once', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    await scene.advance(55 * MINUTE);
    assert.equal((await scene.store.watch()).raised, 1);
    await scene.advance(10 * MINUTE);
    await skippedWith(scene, 'job', 'alive', 'held');
    await scene.advance(55 * MINUTE);
    assert.equal((await scene.store.watch()).raised, 0);
    assert.equal(await scene.countEvents('lease.near_end'), 1);
  }),

  fact('a start that waits and extends a lease is not counted before its last ask', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    const waiter = { holder: 'exec-2', runId: 'run-w' };
    const skip = await skippedWith(scene, 'job', 'alive', 'held', { ...waiter, waiting: true });
    assert.equal(skip.skipsInRow, 0);
    assert.equal((await skippedWith(scene, 'job', 'alive', 'held', waiter)).skipsInRow, 1);
    assert.equal((await scene.runs('job')).length, 2);
  }),

  fact(
    'a lease without an end, a length or a start, or renewed in the future, is not extended',
    async (scene) => {
      const now = await scene.now();
      const row = { ...PROBED, fence: 3, token: 'by-hand', runId: 'r', holder: 'h', leaseMs: HOUR };
      const stale = { since: now - 2 * HOUR, leaseUntil: now - HOUR, renewedAt: null };
      await scene.writeLock('no-end', { ...row, ...stale, leaseUntil: null, token: 'a' });
      await scene.writeLock('no-length', { ...row, ...stale, leaseMs: null, token: 'b' });
      await scene.writeLock('no-start', { ...row, ...stale, since: null, token: 'c' });
      await scene.writeLock('future', { ...row, ...stale, renewedAt: now + 9 * HOUR, token: 'd' });
      for (const lock of ['no-end', 'no-length', 'no-start', 'future']) {
        const answer = await bring(scene, lock, 'alive');
        assert.equal(answer.outcome, 'reclaimed', lock);
      }
    },
    ['hand_written_rows'],
  ),

  fact('a renewal can say more of its holder, on the lock and on its run', async (scene) => {
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
    const holderInfo = { ...PROBED.holderInfo, childGroup: { pgid: 18, startTicks: 99 } };
    await scene.renew(lease, { holderInfo });
    await scene.renew(lease);
    assert.deepEqual((await scene.status('job')).holderInfo, holderInfo);
    assert.deepEqual((await scene.runOf(lease)).holderInfo, holderInfo);
    await scene.advance(HOUR);
    await scene.renew(lease, { holderInfo: { probe: 'n8n' } });
    assert.deepEqual((await scene.runOf(lease)).holderInfo, holderInfo, 'what a lost renewal says is not kept');
  }),
];
