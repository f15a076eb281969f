import assert from 'node:assert/strict';
import { LEASE_MS_MAX } from '../../domain/limits.ts';
import type { Fact } from './stage/fact.ts';
import { HAND, handWritten, odd } from './stage/hand-written.ts';
import { HOUR } from './stage/timeline.ts';

const NOBODY = { holder: null, runId: null, since: null, ageMs: null, remainingMs: null };

/** Rows that say too little or too much: lengths, drains and pauses that no call of ours would have written. */
export const oddLeaseFacts: readonly Fact[] = [
  odd(
    'a lease whose length is unknown is renewed from its start to its end, or by what is left of it',
    async (scene) => {
      for (const leaseMs of [null, 0]) {
        const now = await scene.now();
        const rows = [
          [now - HOUR, 3 * HOUR],
          [null, 2 * HOUR],
          [now + HOUR, 2 * HOUR],
        ] as const;
        for (const [since, expected] of rows) {
          await handWritten(scene, { leaseMs, since, leaseUntil: now + 2 * HOUR });
          const answer = await scene.renew(HAND);
          assert.ok(answer.outcome === 'renewed', answer.message);
          scene.assertRemaining(answer.remainingMs, expected);
          assert.equal((await scene.release(HAND)).outcome, 'released');
        }
      }
    },
  ),

  odd('a drain of a lease without an end waits for nobody, and is a reclaim all the same', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { leaseUntil: null, drainUntil: now + HOUR });
    assert.equal((await scene.status('job')).state, 'stale');
    const answer = await scene.renew(HAND);
    assert.ok(answer.outcome === 'lost' && answer.reason === 'force_released', answer.message);
    await scene.reclaimed('job', { onStale: 'hold' });
  }),

  odd('a drain without a lease is over, and the next start is a reclaim', async (scene) => {
    const now = await scene.now();
    await scene.writeLock('job', { drainUntil: now + HOUR });
    assert.equal((await scene.status('job')).state, 'free');
    const lease = await scene.reclaimed('job');
    assert.deepEqual([lease.fence, lease.previous.holder, lease.previous.ageMs], [1, null, null]);
  }),

  odd('a pause of a lock about which nothing else is known stops its starts until it is resumed', async (scene) => {
    const now = await scene.now();
    await scene.writeLock('job', { pausedAt: now + 500 * HOUR });
    assert.deepEqual((await scene.skipped('job', 'paused')).current, NOBODY);
    assert.equal((await scene.resume('job')).outcome, 'resumed');
    await scene.acquired('job');
  }),

  odd('a pause after a run in the far future ends by force', async (scene) => {
    await scene.writeLock('job', { freeAt: Date.UTC(9_999, 0) });
    await scene.skipped('job', 'cooling');
    assert.equal((await scene.drain('job')).outcome, 'released');
    await scene.reclaimed('job');
  }),

  odd('a row of skips begins anew with the next grant, whatever number it had', async (scene) => {
    await handWritten(scene, { skipsInRow: 1_000_000_000 });
    assert.equal((await scene.skipped('job', 'held')).skipsInRow, 1_000_000_001);
    await scene.release(HAND);
    assert.equal((await scene.acquired('job')).skipsInRow, 0);
  }),

  odd(
    'an end in the far future, of a lease whose length nobody knows, jams the lock for 31 days at most',
    async (scene) => {
      for (const [faults, leaseMs] of [null, 0, LEASE_MS_MAX + 1].entries()) {
        await handWritten(scene, { leaseMs, leaseUntil: Date.UTC(9_999, 0) });
        scene.assertRemaining((await scene.skipped('job', 'held')).current.remainingMs, LEASE_MS_MAX);
        assert.equal(await scene.countEvents('clock.fault'), faults + 1);
        await scene.advance(LEASE_MS_MAX);
        await scene.reclaimed('job');
      }
    },
  ),
];
