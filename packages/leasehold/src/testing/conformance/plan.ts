import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { hourly } from './stage/planned.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

const KEPT = { expression: '0 * * * *', timezone: 'Europe/Berlin' };

/** The schedule that is kept with a lock. */
export const planFacts: readonly Fact[] = [
  fact(
    'a start that names its schedule leaves it with the lock, and the next slot while that lies ahead',
    async (scene) => {
      const slot = await scene.now();
      await scene.release(await scene.acquired('job', hourly(scene, slot)), { status: 'success' });
      const status = await scene.status('job');
      assert.deepEqual([status.schedule, scene.at(status.nextSlotAt)], [KEPT, slot + HOUR]);
      await scene.advance(HOUR);
      const later = await scene.status('job');
      assert.deepEqual([later.schedule, later.nextSlotAt], [KEPT, null]);
    },
  ),

  fact('a skip and a start whose slot is done bring their schedule as well', async (scene) => {
    const slot = await scene.now();
    const lease = await scene.acquired('job', { slotAt: scene.dateAt(slot) });
    await scene.skipped('job', 'held', hourly(scene, slot + HOUR));
    assert.equal(scene.at((await scene.status('job')).nextSlotAt), slot + 2 * HOUR);
    await scene.release(lease, { status: 'success' });
    await scene.alreadyRan('job', hourly(scene, slot));
    assert.equal(scene.at((await scene.status('job')).nextSlotAt), slot + HOUR);
  }),

  fact('a start that names no schedule leaves what is known', async (scene) => {
    const slot = await scene.now();
    await scene.release(await scene.acquired('job', hourly(scene, slot)));
    await scene.release(await scene.acquired('job'));
    await scene.acquired('job', { slotAt: scene.dateAt(slot + 10 * MINUTE) });
    const status = await scene.status('job');
    assert.deepEqual([status.schedule, scene.at(status.nextSlotAt)], [KEPT, slot + HOUR]);
  }),

  fact('a bypass leaves nothing with the lock that it passes by', async (scene) => {
    const slot = await scene.now();
    await scene.start('job', { ...hourly(scene, slot), bypassReason: 'hotfix' });
    assert.equal((await scene.status('job')).schedule, null);
  }),

  fact('a repeat of a start that holds its lock writes nothing of its schedule', async (scene) => {
    const slot = await scene.now();
    const same = { runId: 'run-x', holder: 'exec-x' };
    await scene.acquired('job', { ...hourly(scene, slot), ...same });
    await scene.acquired('job', { ...hourly(scene, slot + HOUR), ...same });
    assert.equal(scene.at((await scene.status('job')).nextSlotAt), slot + HOUR);
  }),
];
