import assert from 'node:assert/strict';
import { type Fact, fact } from '../stage/fact.ts';
import { Deliverer } from '../stage/outbox.ts';
import { HOUR } from '../stage/timeline.ts';
import { LEASE, NO_TOKEN } from './stage/names.ts';

export const recordAlertFacts: readonly Fact[] = [
  fact('however many records need a person, the pool has one alert of it that waits (G7)', async (scene) => {
    const pool = scene.pool('the "pool"');
    const claim = await pool.owned(['a', 'b', 'c', 'd']);
    await pool.toReview(claim, 'a');
    await scene.advance(LEASE);
    assert.equal((await pool.settle()).review, 3);
    assert.equal(await pool.countEvents('record.review'), 4);
    const alert = await new Deliverer(scene, 'x').takeOne();
    assert.deepEqual(
      [alert.kind, alert.severity, alert.pool, alert.lock, alert.dedupKey],
      ['record.review', 'warning', 'the "pool"', null, 'record.review "the \\"pool\\""'],
    );
  }),

  fact('an alert that a deliverer has, or that arrived, hides no later one', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b', 'c']);
    const deliverer = new Deliverer(scene, 'x');
    await pool.toReview(claim, 'a');
    const first = await deliverer.takeOne();
    await pool.toReview(claim, 'b');
    const second = await deliverer.takeOne();
    assert.deepEqual([first.recordId, second.recordId], ['a', 'b']);
    await deliverer.confirm(first);
    await deliverer.confirm(second);
    await pool.toReview(claim, 'c');
    assert.equal((await deliverer.takeOne()).recordId, 'c');
  }),

  fact('each pool and each kind has an alert of its own', async (scene) => {
    for (const name of ['one', 'other']) {
      const pool = scene.pool(name);
      const claim = await pool.owned(['a', 'b']);
      await pool.toReview(claim, 'a');
      await pool.done(claim, 'a');
      await pool.done(NO_TOKEN, 'b');
    }
    const alerts = await new Deliverer(scene, 'x').take();
    assert.deepEqual(
      alerts.map(({ kind, pool }) => `${pool} ${kind}`),
      ['one', 'other'].flatMap((name) => [
        `${name} record.review`,
        `${name} verdict.evidence`,
        `${name} verdict.refused`,
      ]),
    );
  }),

  fact('each doubled effect is an alert of its own: critical, with its record', async (scene) => {
    const pool = scene.pool();
    const claim = await pool.owned(['a', 'b']);
    for (const id of ['a', 'b']) {
      await pool.done(claim, id, 'ref-1');
      await pool.done(claim, id, 'ref-2');
    }
    const alerts = await new Deliverer(scene, 'x').take();
    assert.deepEqual(
      alerts.map(({ kind, severity, recordId }) => [kind, severity, recordId]),
      [
        ['effect.doubled', 'critical', 'a'],
        ['effect.doubled', 'critical', 'b'],
      ],
    );
    assert.equal(new Set(alerts.map((alert) => alert.dedupKey)).size, 2);
  }),

  fact('what is nothing to page for is an event and no alert', async (scene) => {
    const pool = scene.pool();
    await pool.set({ attempts: 3 });
    const claim = await pool.unbegun(['a', 'b', 'c']);
    await pool.failed(claim, 'a');
    await pool.done(claim, 'b');
    await pool.failed(claim, 'b');
    await pool.begin(claim, 'b');
    await scene.advance(HOUR);
    await pool.settle();
    await pool.pause();
    const kinds = new Set((await pool.events()).map(({ kind }) => kind));
    assert.deepEqual(kinds, new Set(['settings.changed', 'record.requeued', 'verdict.refused']));
    assert.deepEqual(await new Deliverer(scene, 'x').take(), []);
  }),

  fact('what a person decides is told and pages nobody', async (scene) => {
    const pool = scene.pool();
    await pool.toReview(await pool.owned(['a']), 'a');
    const deliverer = new Deliverer(scene, 'x');
    await deliverer.confirm(await deliverer.takeOne());
    await pool.decide('a', 'fail');
    assert.deepEqual(await deliverer.take(), []);
  }),
];
