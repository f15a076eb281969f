import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

export const runAndEventFacts: readonly Fact[] = [
  fact('every start is a row with one outcome, newest first', async (scene) => {
    const first = await scene.acquired('job', { leaseMs: HOUR });
    const second = await scene.skipped('job', 'held');
    const third = await scene.start('job', { bypassReason: 'by hand' });
    await scene.advance(HOUR);
    const fourth = await scene.reclaimed('job');
    await scene.release(fourth, { afterMs: HOUR });
    const fifth = await scene.skipped('job', 'cooling');
    assert.deepEqual(
      (await scene.runs()).map((run) => [run.runId, run.outcome, run.reason]),
      [
        [fifth.runId, 'skipped', 'cooling'],
        [fourth.runId, 'reclaimed', null],
        [third.runId, 'bypassed', 'by hand'],
        [second.runId, 'skipped', 'held'],
        [first.runId, 'acquired', null],
      ],
    );
  }),

  fact('runs are found by lock, by run id, and as many as asked for', async (scene) => {
    await scene.acquired('a', { runId: 'one' });
    await scene.acquired('b', { runId: 'one' });
    await scene.skipped('a', 'held', { runId: 'two' });
    const found = async (lock: string | null, runId: string | null, limit = 100): Promise<string[]> =>
      (await scene.store.runs({ lock, runId, limit })).map((run) => `${run.lock}/${run.runId}`);
    assert.deepEqual(await found(null, null), ['a/two', 'b/one', 'a/one']);
    assert.deepEqual(await found('a', null), ['a/two', 'a/one']);
    assert.deepEqual(await found(null, 'one'), ['b/one', 'a/one']);
    assert.deepEqual(await found('a', 'one'), ['a/one']);
    assert.deepEqual(await found('c', null), []);
    assert.deepEqual(await found(null, 'three'), []);
    assert.deepEqual(await found(null, null, 2), ['a/two', 'b/one']);
  }),

  fact('events are found by lock, by kind, and as many as asked for', async (scene) => {
    await scene.acquired('a');
    await scene.acquired('b');
    await scene.skipped('a', 'held');
    await scene.skipped('b', 'held');
    await scene.freeNow('a');
    const found = async (lock: string | null, kind: string | null, limit = 100): Promise<string[]> =>
      (await scene.store.events({ lock, kind, limit })).map((event) => `${event.lock} ${event.kind}`);
    assert.deepEqual(await found(null, null), ['a lock.force_released', 'b run.skipped', 'a run.skipped']);
    assert.deepEqual(await found('a', null), ['a lock.force_released', 'a run.skipped']);
    assert.deepEqual(await found(null, 'run.skipped'), ['b run.skipped', 'a run.skipped']);
    assert.deepEqual(await found('b', 'run.skipped'), ['b run.skipped']);
    assert.deepEqual(await found('b', 'lock.force_released'), []);
    assert.deepEqual(await found(null, 'no.such_kind'), []);
    assert.deepEqual(await found(null, null, 1), ['a lock.force_released']);
  }),

  fact('an event bears the instant of its cause', async (scene) => {
    await scene.acquired('job', { leaseMs: 5 * HOUR });
    await scene.advance(HOUR);
    const now = await scene.now();
    await scene.skipped('job', 'held');
    scene.assertElapsed(scene.at((await scene.event('run.skipped')).at), now, 'at');
  }),

  fact('an event stays as it was when its lock and its run go on', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.skipped('job', 'held', { runId: 'again', holder: 'exec-2' });
    const before = await scene.event('run.skipped');
    const at = scene.at(before.at);
    await scene.advance(MINUTE);
    await scene.release(lease);
    await scene.acquired('job', { runId: 'again', holder: 'exec-2' });
    const after = await scene.event('run.skipped');
    assert.equal(scene.at(after.at), at);
    assert.deepEqual({ ...after, at: null }, { ...before, at: null });
  }),

  fact('no token stands in any row, event, status or message', async (scene) => {
    // The watched store compares everything that passes with every token seen; this puts all kinds through it.
    const first = await scene.acquired('job', { leaseMs: HOUR });
    await scene.renew(first, { progress: 'half' });
    await scene.skipped('job', 'held');
    await scene.advance(HOUR);
    await scene.renew(first);
    const second = await scene.reclaimed('job', { leaseMs: HOUR });
    await scene.renew(first);
    await scene.release(first, { status: 'success' });
    await scene.drain('job');
    await scene.renew(second);
    await scene.release(second);
    await scene.reclaimed('job');
    await scene.release({ lock: 'job', token: first.token.slice(0, -1) });
    const kinds = new Set((await scene.events()).map((event) => event.kind));
    assert.deepEqual([...kinds].toSorted(), [
      'lease.lost',
      'lease.reclaimed',
      'lock.force_released',
      'release.refused',
      'run.skipped',
    ]);
  }),

  fact('more rows than a page are read by the page, and none is lost', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    for (let start = 0; start < 119; start += 1) await scene.skipped('job', 'held');
    assert.equal((await scene.store.runs({ lock: 'job', runId: null, limit: 100 })).length, 100);
    assert.equal((await scene.runs('job')).length, 120);
    assert.equal(await scene.countEvents('run.skipped'), 119);
  }),
];
