import assert from 'node:assert/strict';
import { reclaimedMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { DAY, HOUR, MINUTE, SECOND } from './stage/timeline.ts';

const STALE = { forced: false, releasedItself: false };

export const reclaimFacts: readonly Fact[] = [
  fact('a lease is held until its last millisecond and reclaimed from its end on', async (scene) => {
    await scene.acquired('job', { leaseMs: 10 * MINUTE });
    await scene.advanceToJustBefore(10 * MINUTE);
    await scene.skipped('job', 'held');
    await scene.advance(1 + scene.driftMs);
    await scene.reclaimed('job');
  }),

  fact('a stale lease is reclaimed, never plainly acquired, and the answer tells whose it was (C25)', async (scene) => {
    const old = await scene.acquired('job', { holder: 'exec-1', leaseMs: HOUR });
    const since = scene.at((await scene.runOf(old)).startedAt);
    await scene.advance(2 * HOUR);
    const lease = await scene.reclaimed('job', { holder: 'exec-2', leaseMs: 3 * HOUR });
    const { previous } = lease;
    assert.deepEqual(
      [
        previous.holder,
        previous.runId,
        scene.at(previous.since),
        previous.renewedAt,
        previous.progress,
        previous.probe,
      ],
      ['exec-1', old.runId, since, null, null, null],
    );
    scene.assertElapsed(previous.ageMs, 2 * HOUR, 'age');
    assert.deepEqual([lease.fence, lease.remainingMs, lease.skipsInRow], [2, 3 * HOUR, 0]);
    assert.equal(lease.message, reclaimedMessage('job', previous, STALE));
    assert.match(lease.message, /^Reclaimed stale lease of lock "job": previous holder exec-1, lease age 2h,/);
    assert.match(lease.message, /the previous run may still be running\.$/);
  }),

  fact('a reclaim is an event of severity warning that keeps what was known of the lease before', async (scene) => {
    const old = await scene.acquired('job', { holder: 'exec-1', leaseMs: HOUR });
    await scene.renew(old, { progress: 'row 17' });
    await scene.advance(2 * HOUR);
    const lease = await scene.reclaimed('job', { holder: 'exec-2' });
    const event = await scene.event('lease.reclaimed');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder, event.message],
      ['warning', 'job', lease.runId, 'exec-2', lease.message],
    );
    assert.deepEqual(event.data?.['previous'], JSON.parse(JSON.stringify(lease.previous)));
  }),

  fact('the row of a reclaimed start names the run before and the age of its lease', async (scene) => {
    const old = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(2 * HOUR);
    const lease = await scene.reclaimed('job', { leaseMs: 5 * MINUTE });
    const run = await scene.runOf(lease);
    assert.deepEqual(
      [run.outcome, run.reason, run.fence, run.leaseMs, run.ageMs, run.previousRunId, run.message, run.endedAt],
      ['reclaimed', null, 2, 5 * MINUTE, lease.previous.ageMs, old.runId, lease.message, null],
    );
  }),

  fact('the run that lost its lease keeps its outcome and has neither end nor status', async (scene) => {
    const old = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(2 * HOUR);
    await scene.reclaimed('job');
    const run = await scene.runOf(old);
    assert.deepEqual([run.outcome, run.endedAt, run.status, run.message], ['acquired', null, null, old.message]);
  }),

  fact('what the holder said at its last renewal reaches the one that takes over', async (scene) => {
    const old = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(30 * MINUTE);
    const renewedAt = await scene.now();
    await scene.renew(old, { progress: 'page 3 of 9' });
    await scene.advance(2 * HOUR);
    const { previous, message } = await scene.reclaimed('job');
    assert.equal(previous.progress, 'page 3 of 9');
    scene.assertElapsed(scene.at(previous.renewedAt), renewedAt, 'renewedAt');
    scene.assertElapsed(previous.ageMs, 2.5 * HOUR, 'age counts from the acquisition');
    assert.equal(message, reclaimedMessage('job', previous, STALE));
  }),

  fact('a reclaimed lease begins without the progress and the renewals of the one before', async (scene) => {
    const old = await scene.acquired('job', { leaseMs: HOUR });
    await scene.renew(old, { progress: 'page 3 of 9' });
    await scene.advance(2 * HOUR);
    await scene.reclaimed('job', { leaseMs: HOUR });
    await scene.advance(2 * HOUR);
    const { previous } = await scene.reclaimed('job');
    assert.deepEqual([previous.progress, previous.renewedAt], [null, null]);
  }),

  fact(
    'after a kill the next tick within the lease is skipped, the first one past it reclaims, once (C11)',
    async (scene) => {
      // One second of the report is one minute here, so that a running clock can't blur it.
      await scene.acquired('job', { leaseMs: 60 * MINUTE, holder: 'killed' });
      await scene.advance(30 * MINUTE);
      const skip = await scene.skipped('job', 'held');
      scene.assertElapsed(skip.current.ageMs, 30 * MINUTE, 'age');
      await scene.advance(31 * MINUTE);
      const lease = await scene.reclaimed('job');
      scene.assertElapsed(lease.previous.ageMs, 61 * MINUTE, 'age');
      assert.equal(lease.previous.holder, 'killed');
      assert.equal(await scene.countEvents('lease.reclaimed'), 1);
    },
  ),

  fact(
    'a holder whose host is gone for ever blocks nobody past its lease, wherever they start (C47)',
    async (scene) => {
      await scene.acquired('job', { holder: 'node-42:9', holderInfo: { host: 'node-42', pid: 9 }, leaseMs: HOUR });
      await scene.advance(HOUR);
      const lease = await scene.reclaimed('job', { holder: 'node-7:9', holderInfo: { host: 'node-7', pid: 9 } });
      assert.equal(lease.previous.holder, 'node-42:9');
    },
  ),

  fact(
    'without renewal a run longer than its lease is taken over and told so; with renewal it is not (C24)',
    async (scene) => {
      const off = await scene.acquired('off', { leaseMs: 60 * MINUTE });
      const on = await scene.acquired('on', { leaseMs: 60 * MINUTE });
      await scene.advance(40 * MINUTE);
      await scene.renew(on);
      await scene.advance(21 * MINUTE);
      await scene.skipped('on', 'held');
      assert.match((await scene.reclaimed('off')).message, /may still be running/);
      assert.equal((await scene.renew(on)).outcome, 'renewed');
      assert.equal((await scene.renew(off)).outcome, 'lost');
    },
  ),

  fact(
    'a reclaimed lease is a lease like any other: renewed, released, and followed by a plain start',
    async (scene) => {
      await scene.acquired('job', { leaseMs: HOUR });
      await scene.advance(HOUR);
      const lease = await scene.reclaimed('job');
      assert.equal((await scene.renew(lease)).outcome, 'renewed');
      assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
      await scene.acquired('job');
    },
  ),

  fact('each reclaim names the lease just before it', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    const second = await scene.reclaimed('job', { leaseMs: HOUR, holder: 'exec-2' });
    await scene.advance(HOUR);
    const third = await scene.reclaimed('job');
    assert.deepEqual([third.previous.runId, third.previous.holder, third.fence], [second.runId, 'exec-2', 3]);
    scene.assertElapsed(third.previous.ageMs, HOUR, 'age of the second alone');
  }),

  fact('a lease forgotten for a year is reclaimed, with its whole age', async (scene) => {
    await scene.acquired('job', { leaseMs: SECOND });
    await scene.advance(365 * DAY);
    const lease = await scene.reclaimed('job');
    scene.assertElapsed(lease.previous.ageMs, 365 * DAY, 'age');
    assert.match(lease.message, /lease age 365d/);
  }),
];
