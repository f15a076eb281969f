import assert from 'node:assert/strict';
import type { TakenAlert } from '../../ports/alert-store.ts';
import { type Fact, fact } from './stage/fact.ts';
import { Deliverer, NO_ALERTS } from './stage/outbox.ts';
import { HOUR, MINUTE, SECOND } from './stage/timeline.ts';

const kindsOf = (alerts: readonly TakenAlert[]): string[] => alerts.map((alert) => alert.kind);

export const alertFacts: readonly Fact[] = [
  fact(
    'every event of severity warning or critical is an alert, those of severity info are none (G7)',
    async (scene) => {
      const lease = await scene.acquired('job');
      for (let tick = 1; tick <= 3; tick += 1) await scene.skipped('job', 'held');
      await scene.start('job', { bypassReason: 'hotfix' });
      await scene.pause('job');
      await scene.skipped('job', 'paused');
      await scene.resume('job');
      await scene.freeNow('job');
      await scene.reclaimed('job');
      await scene.renew(lease);
      await scene.release(lease);
      const alerts = await new Deliverer(scene, 'a').take();
      const events = (await scene.events()).filter((event) => event.severity !== 'info').toReversed();
      assert.deepEqual(kindsOf(alerts), [
        'run.skipped',
        'run.skipped',
        'run.skipped',
        'run.skip_streak',
        'run.bypassed',
        'lock.paused',
        'lock.force_released',
        'lease.reclaimed',
        'lease.lost',
        'release.refused',
      ]);
      const eventOf = ({ alertId: _a, dedupKey: _b, attempts: _c, deliveredTo: _d, ...event }: TakenAlert): object =>
        event;
      assert.deepEqual(alerts.map(eventOf), events, 'with all that the event says');
      assert.equal(new Set(alerts.map((alert) => alert.alertId)).size, alerts.length, 'each has an id of its own');
    },
  ),

  fact('the skips of one run have one key, those of the next run another, and kinds are kept apart', async (scene) => {
    const keys = new Set<string>();
    for (const runId of ['run "a"', 'run-b\\']) {
      const lease = await scene.acquired('job', { runId, leaseMs: HOUR });
      for (let tick = 1; tick <= 3; tick += 1) await scene.skipped('job', 'held');
      await scene.release(lease);
      for (const alert of await new Deliverer(scene, runId).take()) keys.add(alert.dedupKey);
    }
    assert.deepEqual(
      [...keys],
      [
        'run.skipped "job" "run \\"a\\""',
        'run.skip_streak "job" "run \\"a\\""',
        'run.skipped "job" "run-b\\\\"',
        'run.skip_streak "job" "run-b\\\\"',
      ],
    );
  }),

  fact(
    'an alert that one deliverer has taken is not handed to another until its lease ends, and then is',
    async (scene) => {
      await scene.pause('job');
      const first = await new Deliverer(scene, 'a').takeOne();
      const other = new Deliverer(scene, 'b');
      assert.deepEqual(await other.take(), []);
      await scene.advanceToJustBefore(5 * MINUTE);
      assert.deepEqual(await other.take(), []);
      await scene.advance(MINUTE);
      const again = await other.takeOne();
      assert.deepEqual([again.alertId, again.attempts], [first.alertId, 2], 'the same alert, at least once');
    },
  ),

  fact('deliverers that come at once get each alert once', async (scene) => {
    for (const lock of ['a', 'b', 'c', 'd', 'e', 'f']) await scene.pause(lock);
    const another = await scene.another();
    const taken = await Promise.all(
      [scene.store, another, scene.store, another].map((store, index) =>
        store.takeAlerts({ taker: `t${index}`, limit: 4, leaseMs: MINUTE }),
      ),
    );
    const locks = taken.flat().map((alert) => alert.lock);
    assert.equal(new Set(locks).size, locks.length, 'no alert was taken twice');
    const rest = await new Deliverer(scene, 'rest').take();
    assert.deepEqual(new Set([...locks, ...rest.map((alert) => alert.lock)]), new Set(['a', 'b', 'c', 'd', 'e', 'f']));
  }),

  fact('as many alerts are taken as asked for, those that were due first, first', async (scene) => {
    for (const lock of ['a', 'b', 'c']) {
      await scene.pause(lock);
      await scene.advance(SECOND);
    }
    const deliverer = new Deliverer(scene, 'a');
    assert.deepEqual(
      (await deliverer.take(2)).map((alert) => alert.lock),
      ['a', 'b'],
    );
    assert.deepEqual(
      (await deliverer.take(2)).map((alert) => alert.lock),
      ['c'],
    );
  }),

  fact(
    'an alert that was confirmed is delivered and never handed out again; saying so twice is saying it once',
    async (scene) => {
      await scene.pause('job');
      const deliverer = new Deliverer(scene, 'a');
      const alert = await deliverer.takeOne();
      assert.deepEqual(await deliverer.confirm(alert), { outcome: 'delivered', nextAttemptAt: null });
      assert.equal((await deliverer.confirm(alert)).outcome, 'delivered');
      assert.equal((await deliverer.fail(alert)).outcome, 'not_taken', 'and stays so');
      await scene.advance(48 * HOUR);
      assert.deepEqual(await deliverer.take(), []);
      assert.deepEqual(await scene.store.alertCounts(), NO_ALERTS);
    },
  ),

  fact('an alert that failed is tried again after 30 s, doubling to 1 h', async (scene) => {
    await scene.pause('job');
    const deliverer = new Deliverer(scene, 'a');
    const waits = [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map((seconds) => seconds * SECOND);
    for (const [index, wait] of waits.entries()) {
      const alert = await deliverer.takeOne();
      assert.equal(alert.attempts, index + 1);
      const before = await scene.now();
      const answer = await deliverer.fail(alert);
      assert.equal(answer.outcome, 'retry');
      scene.assertElapsed(scene.at(answer.nextAttemptAt) - before, wait, `wait ${index + 1}`);
      assert.deepEqual(await deliverer.take(), [], 'not before');
      await scene.advance(wait + scene.driftMs);
    }
  }),

  fact('a channel that asks for more time gets it, up to 1 h', async (scene) => {
    await scene.pause('job');
    const deliverer = new Deliverer(scene, 'a');
    const before = await scene.now();
    const slow = await deliverer.fail(await deliverer.takeOne(), { retryAfterMs: 10 * MINUTE });
    scene.assertElapsed(scene.at(slow.nextAttemptAt) - before, 10 * MINUTE, 'as asked');
    await scene.advance(11 * MINUTE);
    const later = await scene.now();
    const slower = await deliverer.fail(await deliverer.takeOne(), { retryAfterMs: 7 * 24 * HOUR });
    scene.assertElapsed(scene.at(slower.nextAttemptAt) - later, HOUR, 'no longer than that');
  }),

  fact('channels that have confirmed are remembered, so that only the others are tried again', async (scene) => {
    await scene.pause('job');
    const deliverer = new Deliverer(scene, 'a');
    await deliverer.fail(await deliverer.takeOne(), { deliveredTo: ['log'] });
    await scene.advance(MINUTE + scene.driftMs);
    const again = await deliverer.takeOne();
    assert.deepEqual(again.deliveredTo, ['log']);
    assert.equal((await deliverer.confirm(again, 'ops')).outcome, 'delivered');
  }),

  fact('a deliverer that comes late can fail nothing, but what was confirmed to it counts', async (scene) => {
    await scene.pause('job');
    const late = new Deliverer(scene, 'late');
    const alert = await late.takeOne();
    await scene.advance(6 * MINUTE);
    const other = new Deliverer(scene, 'other');
    await other.takeOne();
    assert.equal((await late.fail(alert, { deliveredTo: ['log'] })).outcome, 'not_taken');
    assert.deepEqual(await new Deliverer(scene, 'third').take(), [], 'it is still the other one’s');
    assert.equal((await late.confirm(alert)).outcome, 'delivered');
    assert.equal((await other.fail(alert)).outcome, 'not_taken');
    assert.equal((await scene.store.alertCounts()).pending, 0);
  }),

  fact('an alert that does not exist is not taken', async (scene) => {
    const answer = await new Deliverer(scene, 'a').settle('no such alert', {});
    assert.deepEqual(answer, { outcome: 'not_taken', nextAttemptAt: null });
  }),

  fact('the outbox counts what is pending, since when, and what is dead', async (scene) => {
    assert.deepEqual(await scene.store.alertCounts(), NO_ALERTS);
    const before = await scene.now();
    await scene.pause('a');
    await scene.advance(HOUR);
    await scene.pause('b');
    const counts = await scene.store.alertCounts();
    assert.deepEqual([counts.pending, counts.dead], [2, 0]);
    scene.assertElapsed(scene.at(counts.oldestPendingAt), before, 'oldest');
  }),
];
