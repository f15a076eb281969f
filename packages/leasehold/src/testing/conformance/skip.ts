import assert from 'node:assert/strict';
import { newLockState } from '../../domain/lock-state.ts';
import { skippedMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

export const skipFacts: readonly Fact[] = [
  fact('a start that meets a live lease is skipped as held, and says who holds it', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1', leaseMs: 2 * HOUR });
    const since = scene.at((await scene.runOf(lease)).startedAt);
    await scene.advance(HOUR);
    const skip = await scene.skipped('job', 'held', { holder: 'exec-2' });
    const { current } = skip;
    assert.deepEqual([current.holder, current.runId, scene.at(current.since)], ['exec-1', lease.runId, since]);
    scene.assertElapsed(current.ageMs, HOUR, 'age');
    scene.assertRemaining(current.remainingMs, HOUR);
    assert.equal(skip.skipsInRow, 1);
    assert.match(skip.message, /previous run still running \(holder exec-1, for 1h, .*, skip 1 in a row\)/);
  }),

  fact('the row of a skipped start has its reason, the age it met, and no fence', async (scene) => {
    await scene.acquired('job', { leaseMs: 2 * HOUR });
    await scene.advance(HOUR);
    const before = await scene.now();
    const request = scene.request('job', { holder: 'exec-2', trigger: 'manual', holderInfo: { pid: 5 } });
    const answer = await scene.store.acquire(request);
    const run = await scene.runOf(answer);
    scene.assertElapsed(scene.at(run.startedAt), before, 'startedAt');
    scene.assertElapsed(run.ageMs, HOUR, 'ageMs');
    assert.deepEqual(run, {
      runId: request.runId,
      lock: 'job',
      outcome: 'skipped',
      reason: 'held',
      slotAt: null,
      holder: 'exec-2',
      holderInfo: { pid: 5 },
      trigger: 'manual',
      fence: null,
      startedAt: run.startedAt,
      endedAt: null,
      status: null,
      leaseMs: 10 * MINUTE,
      renewedAt: null,
      ageMs: answer.outcome === 'skipped' ? answer.current.ageMs : null,
      previousRunId: null,
      message: answer.message,
    });
  }),

  fact('a start skipped as held is an event of severity warning, with the words of the answer', async (scene) => {
    await scene.acquired('job');
    const skip = await scene.skipped('job', 'held', { holder: 'exec-2' });
    const event = await scene.event('run.skipped');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder, event.message, event.data?.['reason']],
      ['warning', 'job', skip.runId, 'exec-2', skip.message, 'held'],
    );
  }),

  fact('each start skipped as held is counted, and says which in a row it is', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    for (let count = 1; count <= 3; count += 1) {
      const skip = await scene.skipped('job', 'held');
      assert.equal(skip.skipsInRow, count);
      assert.ok(skip.message.includes(`skip ${count} in a row`), skip.message);
    }
    assert.equal((await scene.status('job')).skipsInRow, 3);
    assert.equal(await scene.countEvents('run.skipped'), 3);
  }),

  fact('the holder itself is skipped too when it starts once more', async (scene) => {
    await scene.acquired('job', { holder: 'exec-1' });
    await scene.skipped('job', 'held', { holder: 'exec-1' });
  }),

  fact('failed acquires never move the expiry (C16)', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: 60 * MINUTE });
    const end = scene.at(lease.leaseUntil);
    for (let tick = 0; tick < 50; tick += 1) {
      await scene.advance(MINUTE);
      await scene.skipped('job', 'held');
    }
    for (let tick = 0; tick < 50; tick += 1) await scene.skipped('job', 'held', { leaseMs: 5 * HOUR });
    const status = await scene.status('job');
    assert.deepEqual([scene.at(status.leaseUntil), status.skipsInRow], [end, 100]);
    await scene.advance(10 * MINUTE);
    const taken = await scene.reclaimed('job');
    assert.equal(taken.previous.runId, lease.runId);
    assert.equal(taken.previous.renewedAt, null);
  }),

  fact('a skip changes nothing of the lease: its token goes on holding', async (scene) => {
    const lease = await scene.acquired('job');
    const before = await scene.status('job');
    await scene.skipped('job', 'held', { holder: 'exec-2', holderInfo: { a: 1 }, graceMs: MINUTE });
    const after = await scene.status('job');
    assert.deepEqual(
      [after.holder, after.holderInfo, after.since, after.leaseUntil],
      [before.holder, before.holderInfo, before.since, before.leaseUntil],
    );
    assert.equal(await scene.isHolder(lease), true);
    assert.equal((await scene.renew(lease)).outcome, 'renewed');
  }),

  fact('a stale lease that waits for a person skips as hold: critical, and not counted', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
    await scene.skipped('job', 'held');
    await scene.advance(2 * HOUR);
    const skip = await scene.skipped('job', 'hold', { onStale: 'hold' });
    scene.assertElapsed(skip.current.ageMs, 2 * HOUR, 'age');
    assert.deepEqual([skip.current.holder, skip.current.remainingMs, skip.skipsInRow], ['exec-1', 0, 1]);
    const [event] = await scene.events('run.skipped');
    assert.deepEqual(
      [event?.severity, event?.data?.['reason'], event?.message, event?.runId],
      ['critical', 'hold', skip.message, skip.runId],
    );
    const run = await scene.runOf(skip);
    assert.deepEqual([run.reason, run.ageMs, run.message], ['hold', skip.current.ageMs, skip.message]);
    assert.equal((await scene.status('job')).state, 'stale');
    await scene.reclaimed('job');
  }),

  fact('holding a stale lease makes no difference while the lease lives', async (scene) => {
    await scene.acquired('job');
    assert.equal((await scene.skipped('job', 'held', { onStale: 'hold' })).skipsInRow, 1);
  }),

  fact(
    'before the end of a pause that a release asked for, a start is cooling: info, and not counted',
    async (scene) => {
      const lease = await scene.acquired('job', { holder: 'exec-1' });
      const before = await scene.now();
      await scene.release(lease, { afterMs: HOUR });
      const skip = await scene.skipped('job', 'cooling');
      assert.equal(skip.skipsInRow, 0);
      const freeAt = new Date(/free from (\S+); to free it by force: /.exec(skip.message)?.[1] ?? Number.NaN);
      scene.assertElapsed(scene.at(freeAt), before + HOUR, 'free from');
      const lock = { ...newLockState('job'), freeAt: freeAt.getTime() };
      assert.equal(skip.message, skippedMessage(lock, 'cooling', skip.runId, 0));
      assert.deepEqual(
        [skip.current.holder, skip.current.runId, skip.current.remainingMs],
        ['exec-1', lease.runId, 0],
        'whose pause it is',
      );
      const event = await scene.event('run.skipped');
      assert.deepEqual([event.severity, event.data?.['reason'], event.message], ['info', 'cooling', skip.message]);
      const run = await scene.runOf(skip);
      assert.deepEqual([run.reason, run.ageMs], ['cooling', skip.current.ageMs]);
    },
  ),

  fact('150 skips in a row disable nothing: the next start after the release is acquired (C60)', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: 10 * HOUR });
    for (let tick = 1; tick <= 150; tick += 1) {
      assert.equal((await scene.skipped('job', 'held')).skipsInRow, tick);
    }
    await scene.release(lease, { status: 'success' });
    await scene.acquired('job');
  }),

  fact('two entry points of one job run once, and the skip names the other (C07)', async (scene) => {
    await scene.acquired('nightly', { holder: 'web-cron', trigger: 'webhook' });
    const skip = await scene.skipped('nightly', 'held', { holder: 'system-cron', trigger: 'schedule' });
    assert.ok(skip.message.includes('holder web-cron'), skip.message);
    assert.equal((await scene.runOf(skip)).holder, 'system-cron');
  }),
];
