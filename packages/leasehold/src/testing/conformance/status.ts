import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { DAY, HOUR, MINUTE } from './stage/timeline.ts';

export const statusFacts: readonly Fact[] = [
  fact('a held lock shows its holder, since when, and what remains', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1', holderInfo: { platform: 'n8n' }, leaseMs: 3 * HOUR });
    const since = scene.at((await scene.runOf(lease)).startedAt);
    await scene.advance(HOUR);
    const status = await scene.status('job');
    scene.assertElapsed(status.ageMs, HOUR, 'age');
    scene.assertRemaining(status.remainingMs, 2 * HOUR);
    assert.equal(scene.at(status.since), since);
    assert.equal(scene.at(status.leaseUntil), since + 3 * HOUR);
    assert.deepEqual(status, {
      lock: 'job',
      state: 'held',
      holder: 'exec-1',
      holderInfo: { platform: 'n8n' },
      since: status.since,
      ageMs: status.ageMs,
      usualMs: null,
      leaseUntil: status.leaseUntil,
      remainingMs: status.remainingMs,
      skipsInRow: 0,
      lastSuccessAt: null,
      nextSlotAt: null,
      paused: false,
      schedule: null,
    });
  }),

  fact('a stale lock shows whose lease is over, and that nothing remains', async (scene) => {
    await scene.acquired('job', { holder: 'exec-1', leaseMs: HOUR });
    await scene.advance(2 * HOUR);
    const status = await scene.status('job');
    assert.deepEqual([status.state, status.holder, status.remainingMs], ['stale', 'exec-1', 0]);
    scene.assertElapsed(status.ageMs, 2 * HOUR, 'age');
  }),

  fact('a free lock shows nobody, and when it last succeeded', async (scene) => {
    const lease = await scene.acquired('job', { holderInfo: { platform: 'n8n' } });
    const now = await scene.now();
    await scene.release(lease, { status: 'success' });
    const status = await scene.status('job');
    scene.assertElapsed(scene.at(status.lastSuccessAt), now, 'lastSuccessAt');
    assert.deepEqual(status, {
      lock: 'job',
      state: 'free',
      holder: null,
      holderInfo: null,
      since: null,
      ageMs: null,
      usualMs: status.usualMs,
      leaseUntil: null,
      remainingMs: null,
      skipsInRow: 0,
      lastSuccessAt: status.lastSuccessAt,
      nextSlotAt: null,
      paused: false,
      schedule: null,
    });
  }),

  fact('a lock that is cooling or was freed by force shows nobody', async (scene) => {
    await scene.release(await scene.acquired('cooling'), { afterMs: HOUR });
    await scene.acquired('forced');
    await scene.freeNow('forced');
    for (const [lock, state] of [
      ['cooling', 'cooling'],
      ['forced', 'free'],
    ] as const) {
      const status = await scene.status(lock);
      assert.deepEqual(
        [status.state, status.holder, status.since, status.ageMs, status.leaseUntil, status.remainingMs],
        [state, null, null, null, null, null],
      );
    }
  }),

  fact('the last success stays through failures, skips and new runs', async (scene) => {
    await scene.release(await scene.acquired('job'), { status: 'success' });
    const at = scene.at((await scene.status('job')).lastSuccessAt);
    await scene.advance(HOUR);
    await scene.release(await scene.acquired('job'), { status: 'failure' });
    await scene.acquired('job');
    await scene.skipped('job', 'held');
    assert.equal(scene.at((await scene.status('job')).lastSuccessAt), at);
  }),

  fact('a lock that no start has touched has no status', async (scene) => {
    await scene.acquired('job');
    assert.deepEqual(await scene.store.status({ lock: 'jbo', limit: 100 }), []);
  }),

  fact('all locks come in the order of their names by bytes, as many as asked for', async (scene) => {
    const names = ['b', 'a', 'B', 'a b', 'a-b', 'é', 'e', 'z', 'Z', '\uffee', '🦉', 'a'.repeat(200)];
    for (const name of names) await scene.acquired(name);
    const byBytes = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const all = await scene.store.status({ lock: null, limit: 100 });
    assert.deepEqual(
      all.map((status) => status.lock),
      byBytes,
    );
    const some = await scene.store.status({ lock: null, limit: 3 });
    assert.deepEqual(
      some.map((status) => status.lock),
      byBytes.slice(0, 3),
    );
  }),

  fact('looking at a lock touches nothing, stale or not (C19)', async (scene) => {
    const lease = await scene.acquired('live', { leaseMs: HOUR });
    await scene.acquired('stale', { leaseMs: MINUTE });
    await scene.advance(20 * MINUTE);
    for (let look = 0; look < 3; look += 1) {
      await scene.store.status({ lock: null, limit: 100 });
      await scene.runs();
      await scene.events();
      await scene.isHolder(lease);
    }
    assert.equal((await scene.status('stale')).state, 'stale');
    assert.deepEqual([await scene.isHolder(lease), await scene.countEvents()], [true, 0]);
    await scene.skipped('live', 'held');
    await scene.reclaimed('stale');
  }),

  fact('the usual duration is the median of the newest 50 runs that ended with success', async (scene) => {
    assert.equal(await ran(scene, HOUR, 'failure'), null, 'a failure says nothing of what is usual');
    assert.equal(await ran(scene, HOUR), HOUR);
    await scene.acquired('job', { leaseMs: MINUTE });
    await scene.skipped('job', 'held');
    await scene.advance(2 * MINUTE);
    const lease = await scene.reclaimed('job', { leaseMs: DAY });
    await scene.advance(3 * HOUR);
    await scene.release(lease, { status: 'success' });
    assert.equal(minutes((await scene.status('job')).usualMs), 60, 'of two the smaller one');
    for (let run = 0; run < 24; run += 1) await ran(scene, 2 * MINUTE);
    assert.equal(await ran(scene, 2 * MINUTE), 2 * MINUTE, 'the old ones are few now');
    for (let run = 0; run < 26; run += 1) await ran(scene, 20 * MINUTE);
    assert.equal(await ran(scene, 20 * MINUTE), 20 * MINUTE, 'two of the newest 50 are gone');
    await scene.release(await scene.acquired('other'), { status: 'failure' });
    assert.equal((await scene.status('other')).usualMs, null, 'each lock has its own');
  }),
];

/** The usual duration after a run that took so long; whole minutes, since a store's clock may run on. */
async function ran(scene: Scene, ms: number, status: 'success' | 'failure' = 'success'): Promise<number | null> {
  const lease = await scene.acquired('job', { leaseMs: DAY });
  await scene.advance(ms);
  await scene.release(lease, { status });
  const { usualMs } = await scene.status('job');
  return usualMs === null ? null : minutes(usualMs) * MINUTE;
}

function minutes(ms: number | null): number {
  return Math.floor((ms ?? 0) / MINUTE);
}
