import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR } from './stage/timeline.ts';

const REASON = `hotfix "4711", it's urgent`;

export const bypassFacts: readonly Fact[] = [
  fact('a bypass proceeds with its reason and holds nothing', async (scene) => {
    const answer = await scene.start('job', { bypassReason: REASON, holder: 'exec-9' });
    assert.ok(answer.outcome === 'bypassed');
    assert.deepEqual([answer.reason, answer.skipsInRow], [REASON, 0]);
    const run = await scene.runOf(answer);
    assert.deepEqual(
      [run.outcome, run.reason, run.fence, run.holder, run.message, run.ageMs, run.previousRunId, run.renewedAt],
      ['bypassed', REASON, null, 'exec-9', answer.message, null, null, null],
    );
    assert.equal((await scene.status('job')).state, 'free');
    await scene.acquired('job');
  }),

  fact('a bypass is an event of severity warning with its reason', async (scene) => {
    const answer = await scene.start('job', { bypassReason: REASON, holder: 'exec-9' });
    const event = await scene.event('run.bypassed');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder, event.message, event.data?.['reason']],
      ['warning', 'job', answer.runId, 'exec-9', answer.message, REASON],
    );
  }),

  fact('a bypass leaves the lock as it is, held, draining, cooling or stale', async (scene) => {
    const lease = await scene.acquired('held', { leaseMs: 9 * HOUR });
    await scene.skipped('held', 'held');
    await scene.acquired('draining', { leaseMs: 9 * HOUR });
    await scene.drain('draining');
    await scene.release(await scene.acquired('cooling'), { afterMs: 9 * HOUR });
    await scene.acquired('stale', { leaseMs: HOUR });
    await scene.advance(HOUR);
    for (const lock of ['held', 'draining', 'cooling', 'stale']) {
      const before = await scene.status(lock);
      const answer = await scene.start(lock, { bypassReason: REASON, onStale: 'hold' });
      assert.equal(answer.outcome, 'bypassed');
      const after = await scene.status(lock);
      assert.deepEqual(
        [after.state, after.holder, after.since, after.leaseUntil, after.skipsInRow],
        [lock, before.holder, before.since, before.leaseUntil, before.skipsInRow],
      );
      assert.equal(answer.skipsInRow, before.skipsInRow);
    }
    assert.equal(await scene.isHolder(lease), true);
    assert.equal((await scene.skipped('held', 'held')).skipsInRow, 2);
  }),

  fact('the same bypass asked again is the same start: one row, one event', async (scene) => {
    const same = { bypassReason: REASON, holder: 'exec-9', runId: 'run-b' };
    const first = await scene.start('job', same);
    const again = await scene.start('job', same);
    assert.ok(again.outcome === 'bypassed');
    assert.deepEqual([again.reason, again.message], [REASON, first.message]);
    assert.equal((await scene.runs()).length, 1);
    assert.equal(await scene.countEvents(), 1);
  }),

  fact('a start that was skipped may pass the lock by with its next ask, on its own row', async (scene) => {
    await scene.acquired('job');
    const same = { holder: 'exec-9', runId: 'run-b' };
    await scene.skipped('job', 'held', same);
    const answer = await scene.start('job', { ...same, bypassReason: REASON });
    const run = await scene.runOf(answer);
    assert.deepEqual([run.outcome, run.reason, run.message], ['bypassed', REASON, answer.message]);
    assert.equal((await scene.status('job')).skipsInRow, 1);
  }),

  fact('a start that holds the lock does not leave it by asking for a bypass', async (scene) => {
    const same = { holder: 'exec-9', runId: 'run-b' };
    const lease = await scene.acquired('job', same);
    assert.equal((await scene.acquired('job', { ...same, bypassReason: REASON })).token, lease.token);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('a bypass between two runs is not the previous run of the second', async (scene) => {
    const first = await scene.acquired('job', { leaseMs: HOUR });
    await scene.start('job', { bypassReason: REASON });
    await scene.advance(HOUR);
    await scene.start('job', { bypassReason: REASON });
    assert.equal((await scene.reclaimed('job')).previous.runId, first.runId);
  }),
];
