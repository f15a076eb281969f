import assert from 'node:assert/strict';
import { alertDeadMessage, alertsDeadMessage } from '../../domain/alert-messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { Deliverer, NO_ALERTS } from './stage/outbox.ts';
import { DAY, HOUR, MINUTE } from './stage/timeline.ts';

export const deadAlertFacts: readonly Fact[] = [
  fact(
    'an alert that still fails 24 h after its event is dead: a critical event that says of what and why, and no alert itself (G7)',
    async (scene) => {
      await scene.pause('job');
      const paused = await scene.event('lock.paused');
      const deliverer = new Deliverer(scene, 'a');
      await deliverer.fail(await deliverer.takeOne());
      await scene.advanceToJustBefore(DAY);
      assert.equal((await deliverer.fail(await deliverer.takeOne())).outcome, 'retry', 'not before');
      await scene.advance(HOUR);
      const answer = await deliverer.fail(await deliverer.takeOne(), { error: 'ops: answered 503' });
      assert.deepEqual(answer, { outcome: 'dead', nextAttemptAt: null });
      const event = await scene.event('alert.dead');
      const { eventId, kind, lock } = paused;
      assert.deepEqual(
        [event.severity, event.lock, event.message, event.data],
        [
          'critical',
          'job',
          alertDeadMessage({ eventId, kind, lock }, 'ops: answered 503'),
          { count: 1, firstEventId: eventId, error: 'ops: answered 503' },
        ],
      );
      await scene.advance(DAY);
      assert.deepEqual(await deliverer.take(), [], 'neither it nor the event of its death');
      assert.deepEqual(await scene.store.alertCounts(), { ...NO_ALERTS, dead: 1 });
    },
  ),

  fact(
    'alerts that wait after an attempt that failed are counted, with what the newest of them was told',
    async (scene) => {
      for (const lock of ['a', 'b', 'c']) await scene.pause(lock);
      const deliverer = new Deliverer(scene, 'a');
      const [first, second] = await deliverer.take(2);
      assert.ok(first !== undefined && second !== undefined);
      const before = await scene.store.alertCounts();
      assert.deepEqual(
        [before.pending, before.failing, before.lastError],
        [3, 0, null],
        'an attempt under way is no failure',
      );
      await deliverer.fail(second, { error: 'ops: answered 503' });
      await deliverer.fail(first, { error: 'ops: answered 500' });
      const after = await scene.store.alertCounts();
      assert.deepEqual([after.pending, after.failing, after.lastError], [3, 2, 'ops: answered 503']);
      for (const alert of [first, second]) await deliverer.confirm(alert);
      const later = await scene.store.alertCounts();
      assert.deepEqual(
        [later.pending, later.failing, later.lastError],
        [1, 0, null],
        'what arrived after all fails no more',
      );
    },
  ),

  fact('an alert that was tried before is tried once more, however late that is', async (scene) => {
    await scene.pause('job');
    const deliverer = new Deliverer(scene, 'a');
    await deliverer.fail(await deliverer.takeOne());
    await scene.advance(7 * DAY);
    assert.equal((await deliverer.confirm(await deliverer.takeOne())).outcome, 'delivered');
    assert.equal(await scene.countEvents('alert.dead'), 0);
  }),

  fact('a dead alert that a channel confirms after all is delivered', async (scene) => {
    await scene.pause('job');
    const deliverer = new Deliverer(scene, 'a');
    const alert = await deliverer.takeOne();
    await scene.advance(2 * DAY);
    assert.equal((await deliverer.fail(alert)).outcome, 'dead');
    assert.equal((await deliverer.confirm(alert)).outcome, 'delivered');
    assert.equal((await scene.store.alertCounts()).dead, 0);
  }),

  fact(
    'alerts that nobody tried for 24 h are dead together, by one event, and are not sent when somebody begins to',
    async (scene) => {
      for (const lock of ['a', 'b', 'c']) await scene.pause(lock);
      const [first] = (await scene.events()).toReversed();
      await scene.advance(DAY + MINUTE);
      await scene.pause('d');
      assert.equal((await new Deliverer(scene, 'a').takeOne()).lock, 'd');
      const event = await scene.event('alert.dead');
      assert.deepEqual(
        [event.severity, event.lock, event.message, event.data],
        ['critical', null, alertsDeadMessage(3), { count: 3, firstEventId: first?.eventId, error: null }],
      );
      const { pending, dead } = await scene.store.alertCounts();
      assert.deepEqual([pending, dead], [1, 3]);
    },
  ),
];
