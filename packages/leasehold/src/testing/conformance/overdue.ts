import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { hourly } from './stage/planned.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

const KIND = 'run.none_in_interval';

/** Three planned starts, and no run got through: told once, by whoever watches. */
export const overdueFacts: readonly Fact[] = [
  fact(
    'no run in three intervals is told once: critical, since when, and how many were skipped (C13)',
    async (scene) => {
      const { slot, since } = await ranOnce(scene);
      await scene.acquired('job', { leaseMs: 480 * HOUR });
      await scene.freeNow('job');
      const jam = await scene.reclaimed('job', { ...hourly(scene, slot), again: true, leaseMs: 480 * HOUR });
      const began = scene.at((await scene.runOf(jam)).startedAt);
      assert.ok(began >= since);
      await scene.skipped('job', 'held', hourly(scene, slot + HOUR));
      await scene.skipped('job', 'held', hourly(scene, slot + 2 * HOUR));
      assert.deepEqual(await scene.store.watch(), { raised: 0, isComplete: true });
      await scene.advance(3 * HOUR);
      assert.deepEqual(await scene.store.watch(), { raised: 1, isComplete: true });
      const event = await scene.event(KIND);
      assert.deepEqual([event.severity, event.lock, event.runId], ['critical', 'job', jam.runId]);
      assert.equal(event.data?.['skipped'], 2);
      assert.equal(event.data?.['pausedAt'], null);
      assert.equal(
        event.message,
        `No run of lock "job" got through in 3 intervals of its schedule (0 * * * *, Europe/Berlin): the latest one started ${String(event.data?.['since'])}; 2 starts were skipped since; to see why: leasehold why job`,
      );
      for (let look = 0; look < 3; look += 1) assert.equal((await scene.store.watch()).raised, 0);
      await scene.advance(10 * HOUR);
      assert.equal((await scene.store.watch()).raised, 0, 'one episode is told once, however long it lasts');
      assert.equal(await scene.countEvents(KIND), 1);
    },
  ),

  fact('a schedule whose starts never come is told of, and where to look (C58)', async (scene) => {
    await ranOnce(scene);
    await scene.advance(3 * HOUR);
    await scene.store.watch();
    const { message, data } = await scene.event(KIND);
    assert.equal(data?.['skipped'], 0);
    assert.match(message, /; no start was skipped since, so look at its scheduler; to see why: leasehold why job$/);
  }),

  fact('a lock that only ever skipped is told of three intervals after its first planned start', async (scene) => {
    const slot = await scene.now();
    await scene.pause('job');
    await scene.skipped('job', 'paused', hourly(scene, slot));
    await scene.resume('job');
    await scene.advance(3 * HOUR);
    await scene.store.watch();
    const { message, data } = await scene.event(KIND);
    assert.deepEqual([data?.['since'], data?.['skipped']], [null, 1]);
    assert.match(message, /\): none is recorded; 1 start was skipped since; to see why/);
  }),

  fact('a paused lock is told of as a warning, which says since when it is paused', async (scene) => {
    const { slot } = await ranOnce(scene);
    await scene.pause('job');
    await scene.skipped('job', 'paused', hourly(scene, slot + HOUR));
    await scene.advance(3 * HOUR);
    await scene.store.watch();
    const { severity, message, data } = await scene.event(KIND);
    assert.equal(severity, 'warning');
    const pausedAt = String(data?.['pausedAt']);
    assert.ok(
      message.endsWith(`; 1 start was skipped since; it is paused since ${pausedAt}; to go on: leasehold resume job`),
    );
  }),

  fact('a start that proceeds ends the episode, and the next one is told anew', async (scene) => {
    const { slot } = await ranOnce(scene);
    await scene.advance(3 * HOUR);
    await scene.store.watch();
    await scene.release(await scene.acquired('job', hourly(scene, slot + 3 * HOUR)));
    await scene.advance(3 * HOUR - MINUTE);
    assert.equal((await scene.store.watch()).raised, 0);
    await scene.advance(MINUTE);
    assert.equal((await scene.store.watch()).raised, 1);
    assert.equal(await scene.countEvents(KIND), 2);
  }),

  fact('a skip moves nothing: it is no run that got through', async (scene) => {
    const { slot } = await ranOnce(scene);
    await scene.pause('job');
    await scene.advance(2 * HOUR);
    await scene.skipped('job', 'paused', hourly(scene, slot + 2 * HOUR));
    await scene.advance(HOUR);
    assert.equal((await scene.store.watch()).raised, 1);
  }),

  fact('a start by hand, without a schedule, has got through: three intervals count from it', async (scene) => {
    await ranOnce(scene);
    await scene.advance(2 * HOUR);
    await scene.release(await scene.acquired('job'), { status: 'success' });
    await scene.advance(2 * HOUR);
    assert.equal((await scene.store.watch()).raised, 0);
    await scene.advance(HOUR);
    assert.equal((await scene.store.watch()).raised, 1);
  }),

  fact('a rerun of an old slot has got through as well', async (scene) => {
    const { slot } = await ranOnce(scene);
    await scene.advance(10 * HOUR);
    await scene.store.watch();
    await scene.release(await scene.acquired('job', { ...hourly(scene, slot + HOUR) }), { status: 'success' });
    assert.equal((await scene.store.watch()).raised, 0);
    await scene.advance(2 * HOUR);
    assert.equal((await scene.store.watch()).raised, 0);
    await scene.advance(HOUR);
    assert.equal((await scene.store.watch()).raised, 1, 'three intervals from now: those of its slot are over');
  }),

  fact('more than 99 skips are told as at least 100', async (scene) => {
    const { slot } = await ranOnce(scene);
    await scene.pause('job');
    for (let skip = 0; skip < 101; skip += 1) await scene.skipped('job', 'paused');
    await scene.resume('job');
    await scene.skipped('job', 'cooling', hourly(scene, slot + HOUR)).catch(() => {});
    await scene.advance(3 * HOUR);
    await scene.store.watch();
    assert.equal(await scene.countEvents(KIND), 0, 'the start after the pause has got through');
    await scene.advance(2 * HOUR);
    await scene.pause('job');
    for (let skip = 0; skip < 101; skip += 1) await scene.skipped('job', 'paused');
    await scene.resume('job');
    await scene.store.watch();
    const { message, data } = await scene.event(KIND);
    assert.equal(data?.['skipped'], 100);
    assert.match(message, /; at least 100 starts were skipped since; /);
  }),

  fact('a lock without a schedule is never told of', async (scene) => {
    await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(await scene.now()) }));
    await scene.advance(1_000 * HOUR);
    assert.equal((await scene.store.watch()).raised, 0);
  }),

  fact('a look tells of at most 100 locks, says that there may be more, and the next one goes on', async (scene) => {
    const slot = await scene.now();
    for (let lock = 0; lock < 103; lock += 1) {
      await scene.release(await scene.acquired(`job-${lock}`, hourly(scene, slot)));
    }
    await scene.advance(3 * HOUR);
    assert.deepEqual(await scene.store.watch(), { raised: 100, isComplete: false });
    assert.deepEqual(await scene.store.watch(), { raised: 3, isComplete: true });
  }),

  fact('several that watch at once tell it once', async (scene) => {
    const others = [await scene.another(), await scene.another(), await scene.another()];
    await ranOnce(scene);
    await scene.advance(3 * HOUR);
    const reports = await Promise.all([scene.store, ...others].map((store) => store.watch()));
    assert.equal(
      reports.reduce((sum, { raised }) => sum + raised, 0),
      1,
    );
    assert.equal(await scene.countEvents(KIND), 1);
  }),
];

/** One hourly run that got through. */
async function ranOnce(scene: Scene): Promise<{ slot: number; since: number }> {
  const slot = await scene.now();
  const lease = await scene.acquired('job', hourly(scene, slot));
  const since = scene.at((await scene.runOf(lease)).startedAt);
  await scene.release(lease, { status: 'success' });
  return { slot, since };
}
