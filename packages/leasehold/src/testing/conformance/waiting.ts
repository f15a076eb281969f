import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

const WAITER = { holder: 'exec-2', runId: 'run-w', leaseMs: HOUR };
const ASK = { ...WAITER, waiting: true };

/** A start that will ask again: stored, but neither counted nor told before its last ask. */
export const waitingFacts: readonly Fact[] = [
  fact('a start that waits is stored, not counted, and no event', async (scene) => {
    await scene.acquired('job');
    const skip = await scene.skipped('job', 'held', ASK);
    assert.equal(skip.skipsInRow, 0);
    assert.equal((await scene.status('job')).skipsInRow, 0);
    assert.equal(await scene.countEvents(), 0);
    const run = await scene.runOf(skip);
    assert.deepEqual([run.outcome, run.reason, run.message], ['skipped', 'held', skip.message]);
  }),

  fact('a start that waits in vain is counted and told once, at its last ask', async (scene) => {
    await scene.acquired('job', { leaseMs: 2 * HOUR });
    for (let ask = 0; ask < 5; ask += 1) {
      await scene.skipped('job', 'held', ASK);
      await scene.advance(MINUTE);
    }
    const last = await scene.skipped('job', 'held', WAITER);
    assert.equal(last.skipsInRow, 1);
    const event = await scene.event('run.skipped');
    assert.deepEqual([event.severity, event.runId, event.message], ['warning', 'run-w', last.message]);
    assert.equal((await scene.runOf(last)).message, last.message);
    await scene.skipped('job', 'held', WAITER);
    assert.equal((await scene.status('job')).skipsInRow, 1);
    assert.equal(await scene.countEvents('run.skipped'), 1);
    assert.equal((await scene.runs()).length, 2);
  }),

  fact('a start that waited with success leaves one row, no skip and no event', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.skipped('job', 'held', ASK);
    await scene.skipped('job', 'held', ASK);
    await scene.release(lease);
    const granted = await scene.acquired('job', ASK);
    const run = await scene.runOf(granted);
    assert.deepEqual([run.outcome, run.reason, run.fence], ['acquired', null, 2]);
    assert.equal((await scene.runs()).length, 2);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('what remains counts from the grant, not from the beginning of the wait (C33)', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: 2 * HOUR });
    await scene.skipped('job', 'held', ASK);
    await scene.advance(50 * MINUTE);
    await scene.release(lease);
    const now = await scene.now();
    const granted = await scene.acquired('job', ASK);
    assert.equal(granted.remainingMs, HOUR);
    scene.assertElapsed(scene.at(granted.leaseUntil), now + HOUR, 'leaseUntil');
    scene.assertElapsed(scene.at((await scene.runOf(granted)).startedAt), now, 'startedAt');
    await scene.advance(30 * MINUTE);
    scene.assertElapsed((await scene.status('job')).ageMs, 30 * MINUTE, 'age');
  }),

  fact('a waiting start that asks again after its grant gets the same token', async (scene) => {
    const granted = await scene.acquired('job', ASK);
    assert.equal((await scene.acquired('job', ASK)).token, granted.token);
    assert.equal((await scene.acquired('job', WAITER)).token, granted.token);
  }),

  fact(
    'a waiting start may reclaim, and a waiting start that holds for a person is told at its last ask',
    async (scene) => {
      await scene.acquired('job', { leaseMs: HOUR });
      await scene.skipped('job', 'held', ASK);
      await scene.advance(HOUR);
      await scene.skipped('job', 'hold', { ...ASK, onStale: 'hold' });
      assert.equal(await scene.countEvents(), 0);
      await scene.skipped('job', 'hold', { ...WAITER, onStale: 'hold' });
      assert.equal((await scene.event('run.skipped')).severity, 'critical');
      await scene.reclaimed('job', { ...ASK, holder: 'exec-3' });
    },
  ),

  fact('starts that wait do not count one another: the row of skips is of those that gave up', async (scene) => {
    await scene.acquired('job');
    for (const runId of ['w1', 'w2', 'w3']) await scene.skipped('job', 'held', { ...ASK, runId });
    assert.equal((await scene.skipped('job', 'held')).skipsInRow, 1);
    assert.equal((await scene.skipped('job', 'held', { ...WAITER, runId: 'w2' })).skipsInRow, 2);
  }),

  fact('a start that was told as skipped is told as well that its slot is done, at its last ask', async (scene) => {
    const slotAt = scene.dateAt(await scene.now());
    const lease = await scene.acquired('job', { slotAt });
    await scene.skipped('job', 'held', { ...WAITER, slotAt });
    await scene.release(lease, { status: 'success' });
    await scene.alreadyRan('job', { ...ASK, slotAt });
    assert.equal(await scene.countEvents('run.already_ran'), 0);
    await scene.alreadyRan('job', { ...WAITER, slotAt });
    await scene.alreadyRan('job', { ...WAITER, slotAt });
    assert.equal((await scene.event('run.already_ran')).runId, 'run-w');
  }),

  fact('waiting for a drain or a pause is not told either', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.drain('job');
    await scene.skipped('job', 'draining', ASK);
    await scene.release(lease, { afterMs: HOUR });
    await scene.skipped('job', 'cooling', ASK);
    assert.equal(await scene.countEvents('run.skipped'), 0);
    await scene.skipped('job', 'cooling', WAITER);
    assert.equal((await scene.event('run.skipped')).severity, 'info');
  }),
];
