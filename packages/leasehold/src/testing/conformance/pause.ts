import assert from 'node:assert/strict';
import { pausedMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

/** A person stops new starts; what is under way goes on. */
export const pauseFacts: readonly Fact[] = [
  fact('a paused lock skips every start as paused: info, and not counted, until it is resumed', async (scene) => {
    await scene.release(await scene.acquired('job', { holder: 'exec-1' }));
    assert.equal((await scene.pause('job')).outcome, 'paused');
    for (let tick = 0; tick < 3; tick += 1) {
      const skip = await scene.skipped('job', 'paused');
      assert.deepEqual([skip.skipsInRow, skip.current.holder], [0, 'exec-1']);
    }
    const [event] = await scene.events('run.skipped');
    assert.deepEqual([event?.severity, event?.data?.['reason']], ['info', 'paused']);
    const { state, paused, skipsInRow } = await scene.status('job');
    assert.deepEqual([state, paused, skipsInRow], ['free', true, 0]);
    assert.equal((await scene.resume('job')).outcome, 'resumed');
    assert.equal((await scene.status('job')).paused, false);
    await scene.acquired('job');
  }),

  fact(
    'a pause is an event of severity warning with its reason in words, a resumption one of severity info with its beginning',
    async (scene) => {
      const before = await scene.now();
      const reason = 'a move of "the" database: %s \\1.';
      const message = pausedMessage('job', false, reason);
      assert.ok(message.includes(`goes on; reason: ${reason}; to go on: leasehold resume job`), message);
      assert.equal((await scene.pause('job', reason)).message, pausedMessage('job', false));
      const paused = await scene.event('lock.paused');
      assert.deepEqual(
        [paused.severity, paused.lock, paused.runId, paused.holder, paused.message, paused.data],
        ['warning', 'job', null, null, message, { reason }],
      );
      scene.assertElapsed(scene.at(paused.at), before, 'at');
      const end = await scene.resume('job');
      const resumed = await scene.event('lock.resumed');
      assert.deepEqual(
        [resumed.severity, resumed.lock, resumed.runId, resumed.holder, resumed.message, resumed.data],
        ['info', 'job', null, null, end.message, { pausedAt: paused.at.toISOString() }],
      );
    },
  ),

  fact('a pause needs no reason', async (scene) => {
    await scene.pause('job', null);
    const { message, data } = await scene.event('lock.paused');
    assert.deepEqual([message, data], [pausedMessage('job', false), { reason: null }]);
  }),

  fact('a lock that is paused already stays so from its first pause on, and is told once', async (scene) => {
    await scene.pause('job');
    const since = scene.at((await scene.event('lock.paused')).at);
    await scene.advance(HOUR);
    assert.equal((await scene.pause('job', 'another')).outcome, 'already_paused');
    assert.equal(await scene.countEvents(), 1);
    await scene.resume('job');
    const { data } = await scene.event('lock.resumed');
    const moved = HOUR * (scene.driftMs === 0 ? 0 : 1);
    assert.equal(new Date(String(data?.['pausedAt'])).getTime() + moved, since);
  }),

  fact('resuming a lock that is not paused changes nothing, and makes no row of an unknown one', async (scene) => {
    assert.equal((await scene.resume('unknown')).outcome, 'not_paused');
    assert.deepEqual(await scene.store.status({ lock: null, limit: 10 }), []);
    await scene.acquired('job');
    assert.equal((await scene.resume('job')).outcome, 'not_paused');
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('a lock that no start has touched can be paused before its first', async (scene) => {
    await scene.pause('job');
    const { state, paused, holder } = await scene.status('job');
    assert.deepEqual([state, paused, holder], ['free', true, null]);
    await scene.skipped('job', 'paused');
    await scene.resume('job');
    assert.equal((await scene.acquired('job')).fence, 1);
  }),

  fact('a pause does not touch a run under way: it renews, is the holder, and releases', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.pause('job');
    const status = await scene.status('job');
    assert.deepEqual([status.state, status.paused], ['held', true]);
    await scene.advance(30 * MINUTE);
    assert.equal((await scene.renew(lease)).outcome, 'renewed');
    assert.equal(await scene.isHolder(lease), true);
    await scene.skipped('job', 'paused');
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
    await scene.skipped('job', 'paused');
  }),

  fact('the start of a run under way asked again gets its token in a pause too', async (scene) => {
    const same = { holder: 'exec-1', runId: 'run-x' };
    const lease = await scene.acquired('job', same);
    await scene.pause('job');
    assert.equal((await scene.acquired('job', same)).token, lease.token);
  }),

  fact('a bypass passes a pause', async (scene) => {
    await scene.pause('job');
    assert.equal((await scene.start('job', { bypassReason: 'hotfix' })).outcome, 'bypassed');
    assert.equal((await scene.status('job')).paused, true);
  }),

  fact('a stale lease is not reclaimed in a pause, but after it', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.pause('job');
    await scene.advance(2 * HOUR);
    await scene.skipped('job', 'paused');
    assert.equal((await scene.status('job')).state, 'stale');
    await scene.resume('job');
    assert.equal((await scene.reclaimed('job')).previous.runId, lease.runId);
  }),

  fact('no force-release ends a pause', async (scene) => {
    await scene.acquired('job');
    await scene.pause('job');
    await scene.freeNow('job');
    await scene.skipped('job', 'paused');
  }),

  fact('a start that waits for the end of a pause is not told before its last ask', async (scene) => {
    await scene.pause('job');
    const waiter = { holder: 'exec-2', runId: 'run-w' };
    await scene.skipped('job', 'paused', { ...waiter, waiting: true });
    assert.equal(await scene.countEvents('run.skipped'), 0);
    await scene.skipped('job', 'paused', waiter);
    assert.equal(await scene.countEvents('run.skipped'), 1);
  }),

  fact('slots that a pause skipped are missed; one that is done is said to be so', async (scene) => {
    const slot = await scene.now();
    const slots = [0, 1, 2, 3].map((hours) => scene.dateAt(slot + hours * HOUR));
    await scene.release(await scene.acquired('job', { slotAt: slots[0] ?? null }), { status: 'success' });
    await scene.pause('job');
    await scene.alreadyRan('job', { slotAt: slots[0] ?? null });
    await scene.skipped('job', 'paused', { slotAt: slots[1] ?? null });
    await scene.skipped('job', 'paused', { slotAt: slots[2] ?? null });
    await scene.resume('job');
    assert.deepEqual((await scene.acquired('job', { slotAt: slots[3] ?? null })).missed, [slots[1], slots[2]]);
  }),

  fact(
    'pausing a lock whose row was lost, and passing it by, do not let its fences start again',
    async (scene) => {
      for (const lock of ['paused', 'bypassed']) {
        await scene.acquired(lock);
        await scene.deleteLock(lock);
      }
      await scene.pause('paused');
      await scene.resume('paused');
      await scene.start('bypassed', { bypassReason: 'hotfix' });
      for (const lock of ['paused', 'bypassed']) assert.equal((await scene.acquired(lock)).fence, 2);
    },
    ['hand_written_rows'],
  ),
];
