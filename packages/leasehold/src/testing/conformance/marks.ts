import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR } from './stage/timeline.ts';

/** What a lock remembers from one run to the next. */
export const markFacts: readonly Fact[] = [
  fact('a lock that no start has touched remembers nothing', async (scene) => {
    assert.deepEqual(await scene.store.marks('job'), { lastSuccessSlotAt: null, progress: null });
  }),

  fact('what the run said last of its progress is kept through renewals and its release', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.renew(lease, { progress: '10 of 300' });
    await scene.renew(lease, { progress: '200 of 300' });
    await scene.renew(lease);
    assert.equal((await scene.store.marks('job')).progress, '200 of 300');
    await scene.release(lease, { status: 'failure' });
    assert.equal((await scene.store.marks('job')).progress, '200 of 300');
  }),

  fact('the next run begins without a progress, and is not told of the one before as its own', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.renew(lease, { progress: 'half' });
    await scene.release(lease);
    await scene.acquired('job');
    assert.equal((await scene.store.marks('job')).progress, null);
  }),

  fact('the latest slot that ran to success is kept: no failure and no older slot changes it', async (scene) => {
    const slot = await scene.now();
    const runSlot = async (at: number, status: 'success' | 'failure'): Promise<number> => {
      await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(at) }), { status });
      const { lastSuccessSlotAt } = await scene.store.marks('job');
      return lastSuccessSlotAt === null ? 0 : scene.at(lastSuccessSlotAt);
    };
    assert.equal(await runSlot(slot, 'failure'), 0);
    assert.equal(await runSlot(slot + HOUR, 'success'), slot + HOUR);
    assert.equal(await runSlot(slot + 2 * HOUR, 'failure'), slot + HOUR);
    assert.equal(await runSlot(slot, 'success'), slot + HOUR);
    assert.equal(await runSlot(slot + 2 * HOUR, 'success'), slot + 2 * HOUR);
    await scene.release(await scene.acquired('job'), { status: 'success' });
    assert.equal(scene.at((await scene.store.marks('job')).lastSuccessSlotAt), slot + 2 * HOUR, 'no slot, no mark');
  }),
];
