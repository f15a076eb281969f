import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { probedLease, skippedWith } from './stage/probing.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

const KIND = 'lease.near_end';
/** Long enough that the calls of a test are no part of it. */
const LEASE = { leaseMs: 100 * MINUTE, runId: 'run-a', holder: 'exec-a' };

/** A run past half of its lease, and past four fifths, without a renewal. */
export const nearEndFacts: readonly Fact[] = [
  fact('a lease past half of its length is told once, and once more past four fifths', async (scene) => {
    await scene.acquired('job', LEASE);
    await scene.advance(49 * MINUTE);
    assert.equal((await scene.store.watch()).raised, 0);
    await scene.advance(2 * MINUTE);
    assert.deepEqual(await scene.store.watch(), { raised: 1, isComplete: true });
    const event = await scene.event(KIND);
    assert.deepEqual([event.severity, event.runId, event.holder], ['warning', 'run-a', 'exec-a']);
    assert.deepEqual([event.data?.['level'], event.data?.['leaseMs']], [50, 100 * MINUTE]);
    scene.assertElapsed(event.data?.['elapsedMs'] as number, 51 * MINUTE);
    assert.match(
      event.message,
      /^Lock "job" is held past 50 % of its lease without a renewal \(51m( \d+s)? of 1h 40m\) by run run-a of holder exec-a; the lease ends \S+Z; for a longer lease: leasehold advise job$/,
    );
    await scene.advance(20 * MINUTE);
    assert.equal((await scene.store.watch()).raised, 0, 'once a level');
    await scene.advance(10 * MINUTE);
    assert.equal((await scene.store.watch()).raised, 1);
    assert.equal((await scene.store.watch()).raised, 0);
    assert.deepEqual(await levels(scene), [50, 80]);
  }),

  fact('where nobody watched before, only the higher level is told', async (scene) => {
    await scene.acquired('job', LEASE);
    await scene.advance(85 * MINUTE);
    await scene.store.watch();
    await scene.store.watch();
    assert.deepEqual(await levels(scene), [80]);
  }),

  fact('each renewal begins a lease anew', async (scene) => {
    const lease = await scene.acquired('job', LEASE);
    await scene.advance(55 * MINUTE);
    await scene.store.watch();
    await scene.renew(lease);
    await scene.advance(45 * MINUTE);
    assert.equal((await scene.store.watch()).raised, 0);
    await scene.advance(10 * MINUTE);
    await scene.store.watch();
    assert.deepEqual(await levels(scene), [50, 50]);
  }),

  fact('a renewal and a release that come so late tell it themselves, in their own words', async (scene) => {
    const lease = await scene.acquired('job', LEASE);
    await scene.advance(85 * MINUTE);
    await scene.renew(lease);
    await scene.advance(60 * MINUTE);
    await scene.release(lease, { status: 'success' });
    const [released, renewed] = await scene.events(KIND);
    assert.match(
      renewed?.message ?? '',
      /^Lock "job" was renewed only past 80 % of its lease \(1h 25m of 1h 40m\) by run run-a of holder exec-a; for a longer lease: leasehold advise job$/,
    );
    assert.match(
      released?.message ?? '',
      /^Lock "job" was released only past 50 % of its lease \(1h of 1h 40m\) by run run-a of holder exec-a; for a longer lease: leasehold advise job$/,
    );
    assert.deepEqual(await levels(scene), [80, 50]);
  }),

  fact('a release that asks for a pause, or has a slot, tells it as well', async (scene) => {
    const cooling = await scene.acquired('job', LEASE);
    await scene.advance(60 * MINUTE);
    await scene.release(cooling, { afterMs: HOUR });
    const planned = await scene.acquired('other', { ...LEASE, slotAt: scene.dateAt(await scene.now()) });
    await scene.advance(60 * MINUTE);
    await scene.release(planned, { status: 'success' });
    assert.deepEqual(await levels(scene), [50, 50]);
  }),

  fact(
    'of a lease that was extended a late release counts from the latest renewal, not from its end',
    async (scene) => {
      const lease = await probedLease(scene, 'job', LEASE);
      await scene.advance(101 * MINUTE);
      await skippedWith(scene, 'job', 'alive', 'held');
      await scene.advance(10 * MINUTE);
      await scene.release(lease, { status: 'success' });
      assert.deepEqual(await levels(scene), [80]);
    },
  ),

  fact('what a watch has told, a renewal or release tells again only at the higher level', async (scene) => {
    const lease = await scene.acquired('job', LEASE);
    await scene.advance(60 * MINUTE);
    await scene.store.watch();
    await scene.renew(lease);
    assert.deepEqual(await levels(scene), [50]);
    await scene.advance(60 * MINUTE);
    await scene.store.watch();
    await scene.advance(25 * MINUTE);
    await scene.release(lease);
    assert.deepEqual(await levels(scene), [50, 50, 80]);
  }),

  fact('renewals at a fifth of the lease tell nothing, however long the run is', async (scene) => {
    const lease = await scene.acquired('job', LEASE);
    for (let beat = 0; beat < 12; beat += 1) {
      await scene.advance(20 * MINUTE);
      await scene.store.watch();
      await scene.renew(lease);
    }
    await scene.release(lease, { status: 'success' });
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('nothing is told of a lock that is free, stale, draining, or whose row says no length', async (scene) => {
    await scene.release(await scene.acquired('free', LEASE));
    await scene.acquired('stale', { ...LEASE, leaseMs: 30 * MINUTE });
    await scene.acquired('draining', { ...LEASE, graceMs: HOUR });
    await scene.drain('draining');
    await scene.advance(60 * MINUTE);
    await scene.store.watch();
    assert.equal(await scene.countEvents(KIND), 0);
  }),

  fact(
    'a held row without a length, or with one of no time, is judged and told of nothing',
    async (scene) => {
      const now = await scene.now();
      for (const leaseMs of [null, 0]) {
        const lock = `job-${String(leaseMs)}`;
        await scene.writeLock(lock, {
          token: `t-${lock}`,
          fence: 1,
          since: now - HOUR,
          leaseUntil: now + HOUR,
          leaseMs,
        });
      }
      assert.deepEqual(await scene.store.watch(), { raised: 0, isComplete: true });
    },
    ['hand_written_rows'],
  ),
];

/** The levels that were told, oldest first. */
async function levels(scene: Scene): Promise<unknown[]> {
  return (await scene.events(KIND)).map((event) => event.data?.['level']).toReversed();
}
