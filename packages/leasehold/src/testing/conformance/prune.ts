import assert from 'node:assert/strict';
import type { PruneReport, PruneRequest } from '../../ports/store.ts';
import { type Fact, fact } from './stage/fact.ts';
import { hourly } from './stage/planned.ts';
import type { Scene } from './stage/scene.ts';
import { DAY, HOUR } from './stage/timeline.ts';

const KEPT = 100;

/** Retention takes what is old, and nothing that anybody counts on. */
export const pruneFacts: readonly Fact[] = [
  fact('runs older than asked for go, but for the newest 100 of each lock', async (scene) => {
    const first = await runs(scene, 'job', 1);
    await runs(scene, 'job', KEPT + 2);
    await runs(scene, 'other', 3);
    assert.deepEqual(await prune(scene), { isDue: true, runs: 0, events: 0, isComplete: true });
    await scene.advance(91 * DAY);
    assert.deepEqual(await prune(scene), { isDue: true, runs: 3, events: 0, isComplete: true });
    assert.deepEqual([(await scene.runs('job')).length, (await scene.runs('other')).length], [KEPT, 3]);
    assert.deepEqual(await scene.store.runs({ lock: 'job', runId: first, limit: 1 }), []);
    assert.equal((await prune(scene, { runsMs: DAY })).runs, 0, 'the newest 100 stay however old');
  }),

  fact('the newest 100 that ran stay as well, behind any number of skips', async (scene) => {
    await runs(scene, 'job', 2);
    await scene.pause('job');
    for (let skip = 0; skip < KEPT + 5; skip += 1) await scene.skipped('job', 'paused');
    await scene.advance(91 * DAY);
    assert.equal((await prune(scene)).runs, 5);
    const left = await scene.runs('job');
    assert.deepEqual([left.length, left.filter((run) => run.outcome === 'acquired').length], [KEPT + 2, 2]);
    assert.notEqual((await scene.status('job')).usualMs, null);
  }),

  fact('a run is as old as its end', async (scene) => {
    const slow = await scene.acquired('job', { leaseMs: 30 * DAY });
    await scene.advance(20 * DAY);
    await scene.release(slow, { status: 'success' });
    await runs(scene, 'job', KEPT);
    await scene.advance(80 * DAY);
    assert.equal((await prune(scene)).runs, 0);
    await scene.advance(11 * DAY);
    assert.equal((await prune(scene)).runs, 1);
  }),

  fact('events go by their own age, and take their alerts along', async (scene) => {
    await scene.acquired('job', { leaseMs: 30 * DAY });
    await scene.skipped('job', 'held');
    await scene.advance(200 * DAY);
    await scene.reclaimed('job');
    await scene.advance(166 * DAY);
    assert.equal((await prune(scene)).events, 1);
    assert.deepEqual(
      (await scene.events()).map((event) => event.kind),
      ['lease.reclaimed'],
    );
  }),

  fact(
    'what is counted is the same after it: skips, missed slots, slots done, fences and a held start',
    async (scene) => {
      const slot = await scene.now();
      await scene.release(await scene.acquired('job', hourly(scene, slot)), { status: 'success' });
      await scene.release(await scene.acquired('job', hourly(scene, slot + HOUR)), { status: 'failure' });
      await runs(scene, 'job', KEPT);
      await scene.advance(91 * DAY);
      const request = scene.request('job', { leaseMs: 30 * DAY, runId: 'run-held', holder: 'exec-held' });
      const held = await scene.store.acquire(request);
      assert.ok(held.outcome === 'acquired');
      await scene.skipped('job', 'held', { slotAt: scene.dateAt(slot + 2 * HOUR) });
      for (let skip = 0; skip < 3; skip += 1) await scene.skipped('job', 'held');
      const before = await counted(scene);
      assert.ok((await prune(scene)).runs > 0);
      assert.deepEqual(await counted(scene), before);
      const replayed = await scene.store.acquire(request);
      assert.ok(replayed.outcome === 'acquired' && replayed.token === held.token);
      const earlier = await scene.alreadyRan('job', { slotAt: scene.dateAt(slot), waiting: true });
      assert.equal(scene.at(earlier.slotAt), slot);
      const next = await scene.skipped('job', 'held');
      assert.deepEqual([next.skipsInRow, next.missed.map((at) => scene.at(at))], [5, [slot + HOUR, slot + 2 * HOUR]]);
      await scene.release(held);
      assert.equal((await scene.acquired('job')).fence, held.fence + 1);
    },
  ),

  fact(
    'a run without an end stays, and one whose token the lock has; fences go on where the row is lost',
    async (scene) => {
      const open = await scene.acquired('job', { leaseMs: DAY });
      await scene.deleteLock('job');
      const current = await scene.acquired('job');
      await scene.release(current, { status: 'success' });
      await runs(scene, 'job', KEPT + 1);
      await scene.writeLock('job', { token: current.token });
      await scene.advance(91 * DAY);
      assert.equal((await prune(scene)).runs, 1);
      assert.equal((await scene.runOf(open)).endedAt, null);
      assert.equal((await scene.runOf(current)).status, 'success');
      await scene.deleteLock('job');
      assert.equal((await scene.acquired('job')).fence, KEPT + 4);
    },
    ['hand_written_rows'],
  ),

  fact('it comes in batches that go on where the last one stopped, lock by lock', async (scene) => {
    for (const lock of ['a', 'b', 'c']) await runs(scene, lock, KEPT + 3);
    await scene.advance(91 * DAY);
    const reports: PruneReport[] = [];
    while (reports.length < 10 && reports.at(-1)?.isComplete !== true) reports.push(await prune(scene, { limit: 2 }));
    assert.deepEqual(
      reports.map((report) => report.runs),
      [2, 2, 2, 2, 1],
    );
    for (const lock of ['a', 'b', 'c']) assert.equal((await scene.runs(lock)).length, KEPT);
  }),

  fact('once through it rests, for everybody, and is due again after that', async (scene) => {
    const other = await scene.another();
    const request = { runsMs: 90 * DAY, eventsMs: 365 * DAY, everyMs: HOUR, limit: 1_000 };
    assert.equal((await scene.store.prune(request)).isDue, true);
    assert.deepEqual(await other.prune(request), { isDue: false, runs: 0, events: 0, isComplete: true });
    await scene.advance(HOUR + 30_000);
    assert.equal((await other.prune(request)).isDue, true);
    assert.equal((await scene.store.prune(request)).isDue, false);
  }),

  fact('a replay of a start whose row is gone is a new start: a run id is known as long as its row', async (scene) => {
    const same = { runId: 'run-x', holder: 'exec-x' };
    await scene.release(await scene.acquired('job', same), { status: 'success' });
    await scene.skipped('job', 'run_ended', same);
    await runs(scene, 'job', KEPT);
    await scene.advance(91 * DAY);
    await prune(scene);
    await scene.acquired('job', same);
  }),
];

/** Short runs, one after another; the run id of the last one. */
async function runs(scene: Scene, lock: string, count: number): Promise<string> {
  let runId = '';
  for (let run = 0; run < count; run += 1) {
    const lease = await scene.acquired(lock);
    await scene.release(lease, { status: 'success' });
    runId = lease.runId;
  }
  return runId;
}

async function counted(scene: Scene): Promise<unknown[]> {
  const { skipsInRow, state, nextSlotAt, lastSuccessAt } = await scene.status('job');
  const marks = await scene.store.marks('job');
  return [skipsInRow, state, nextSlotAt, scene.at(lastSuccessAt), scene.at(marks.lastSuccessSlotAt)];
}

function prune(scene: Scene, patch: Partial<PruneRequest> = {}): Promise<PruneReport> {
  return scene.store.prune({ runsMs: 90 * DAY, eventsMs: 365 * DAY, everyMs: 0, limit: 1_000, ...patch });
}
