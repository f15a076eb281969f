import assert from 'node:assert/strict';
import { skipStreakMessage } from '../../domain/alert-messages.ts';
import { newLockState } from '../../domain/lock-state.ts';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

export const skipStreakFacts: readonly Fact[] = [
  fact(
    'the third skip in a row is a streak: critical, long before the lease ends, and says who holds, how long, and how to end it (C12)',
    async (scene) => {
      const lease = await scene.acquired("job's", { holder: 'exec-1', leaseMs: 10 * HOUR });
      await scene.advance(HOUR);
      await scene.skipped("job's", 'held');
      await scene.skipped("job's", 'held');
      assert.equal(await scene.countEvents('run.skip_streak'), 0);
      const third = await scene.skipped("job's", 'held', { holder: 'exec-4' });
      const event = await scene.event('run.skip_streak');
      assert.deepEqual(
        [event.severity, event.lock, event.runId, event.holder, event.data],
        ['critical', "job's", third.runId, 'exec-4', { skipsInRow: 3, currentRunId: lease.runId }],
      );
      const { leaseUntil, since } = await scene.status("job's");
      const state = {
        ...newLockState("job's"),
        holder: 'exec-1',
        skipsInRow: 3,
        leaseUntil: leaseUntil?.getTime() ?? 0,
      };
      const now = (since?.getTime() ?? 0) + HOUR;
      assert.equal(event.message, skipStreakMessage({ ...state, since: since?.getTime() ?? 0 }, now));
      assert.match(event.message, /3 starts in a row were skipped \(holder exec-1, for 1h, lease ends \S+Z\)/);
      assert.ok(event.message.endsWith(`leasehold force-release 'job'\\''s' --reason TEXT`), event.message);
    },
  ),

  fact(
    'a streak is told at 3, 6, 12, 24 … skips in a row, and no more often; it disables nothing (C60)',
    async (scene) => {
      const lease = await scene.acquired('job', { leaseMs: 10 * HOUR });
      for (let tick = 1; tick <= 150; tick += 1) await scene.skipped('job', 'held');
      const told = (await scene.events('run.skip_streak')).map((event) => event.data?.['skipsInRow']);
      assert.deepEqual(told.toReversed(), [3, 6, 12, 24, 48, 96]);
      await scene.release(lease, { status: 'success' });
      await scene.acquired('job');
    },
  ),

  fact('a streak begins anew with each run', async (scene) => {
    for (let round = 1; round <= 2; round += 1) {
      const lease = await scene.acquired('job');
      for (let tick = 1; tick <= 3; tick += 1) await scene.skipped('job', 'held');
      await scene.release(lease);
      assert.equal(await scene.countEvents('run.skip_streak'), round);
    }
  }),

  fact('a start that asks again and again is one skip, and so no streak', async (scene) => {
    await scene.acquired('job');
    const waiter = { holder: 'exec-2', runId: 'run-w' };
    for (let ask = 1; ask <= 5; ask += 1) await scene.skipped('job', 'held', { ...waiter, waiting: true });
    for (let ask = 1; ask <= 5; ask += 1) await scene.skipped('job', 'held', waiter);
    assert.equal(await scene.countEvents('run.skip_streak'), 0);
  }),

  fact('skips for any other reason make no streak', async (scene) => {
    await scene.pause('job');
    for (let tick = 1; tick <= 4; tick += 1) await scene.skipped('job', 'paused');
    await scene.resume('job');
    await scene.release(await scene.acquired('job'), { afterMs: 10 * MINUTE });
    for (let tick = 1; tick <= 4; tick += 1) await scene.skipped('job', 'cooling');
    assert.equal(await scene.countEvents('run.skip_streak'), 0);
  }),
];
