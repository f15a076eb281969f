import assert from 'node:assert/strict';
import { clockFaultMessage } from '../../domain/clock-fault.ts';
import type { Fact } from './stage/fact.ts';
import { HAND, handWritten, odd } from './stage/hand-written.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

/**
 * Rows as a faulty clock, a restore or a person's SQL leaves them: judged, not trusted. None of them
 * may jam a lock, free one early, or make an answer up.
 */
export const oddStateFacts: readonly Fact[] = [
  odd('a lease without an end is no lease: it is reclaimed', async (scene) => {
    await handWritten(scene, { leaseUntil: null });
    assert.equal((await scene.status('job')).state, 'stale');
    const skip = await scene.skipped('job', 'hold', { onStale: 'hold' });
    assert.deepEqual([skip.current.holder, skip.current.remainingMs], ['by-hand', null]);
    assert.equal(await scene.isHolder(HAND), false);
    const lease = await scene.reclaimed('job');
    assert.deepEqual([lease.previous.holder, lease.fence], ['by-hand', 8]);
  }),

  odd('a holder or a run without a name is unknown to whoever reads of it', async (scene) => {
    await handWritten(scene, { holder: '', runId: '' });
    assert.match((await scene.skipped('job', 'held')).message, /\(holder unknown, for /);
    const draining = await scene.drain('job');
    assert.match(draining.message, /: holder unknown is told at its next renewal/);
    assert.match((await scene.skipped('job', 'draining')).message, /waits for holder unknown to stop/);
    const freed = await scene.freeNow('job');
    assert.match(freed.message, /its run unknown may still be running/);
    const lease = await scene.reclaimed('job');
    assert.match(lease.message, /previous holder unknown, /);
    await handWritten(scene, { holder: '', runId: '', token: 'another' });
    assert.match((await scene.release(HAND)).message, /its latest run is unknown of holder unknown\./);
  }),

  odd('a lease without an end can be renewed no more, but released', async (scene) => {
    await handWritten(scene, { leaseUntil: null });
    const answer = await scene.renew(HAND);
    assert.ok(answer.outcome === 'lost' && answer.reason === 'expired', answer.message);
    assert.equal((await scene.release(HAND)).outcome, 'expired');
    await scene.acquired('job');
  }),

  odd('a lease that begins in the future has no age, and its end decides all the same (C21)', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { since: now + 9 * HOUR, leaseUntil: now + HOUR });
    const skip = await scene.skipped('job', 'held');
    assert.equal(skip.current.ageMs, null);
    assert.match(skip.message, /for unknown, lease ends /);
    assert.equal((await scene.runOf(skip)).ageMs, null);
    assert.equal((await scene.status('job')).ageMs, null);
    await scene.advance(2 * HOUR);
    const lease = await scene.reclaimed('job');
    assert.equal(lease.previous.ageMs, null);
    assert.match(lease.message, /lease age unknown/);
    assert.equal((await scene.runOf(lease)).ageMs, null);
  }),

  odd('a lease that began just now is 1 ms old, never 0 (C21)', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { since: now, leaseUntil: now + HOUR });
    const { current } = await scene.skipped('job', 'held');
    scene.assertElapsed(current.ageMs, 1, 'age');
  }),

  odd('a lease without a beginning has no age, and is not ignored (C20)', async (scene) => {
    await handWritten(scene, { since: null });
    assert.equal((await scene.skipped('job', 'held')).current.ageMs, null);
    await scene.advance(HOUR);
    const lease = await scene.reclaimed('job');
    assert.deepEqual([lease.previous.ageMs, lease.previous.since], [null, null]);
  }),

  odd('a lease without a holder is held, and its holder called unknown', async (scene) => {
    await handWritten(scene, { holder: null, runId: null });
    const skip = await scene.skipped('job', 'held');
    assert.deepEqual([skip.current.holder, skip.current.runId], [null, null]);
    assert.match(skip.message, /holder unknown/);
    await scene.advance(HOUR);
    const lease = await scene.reclaimed('job');
    assert.match(lease.message, /previous holder unknown/);
    assert.deepEqual([lease.previous.holder, (await scene.runOf(lease)).previousRunId], [null, null]);
  }),

  odd('a row with nothing but a token jams nothing', async (scene) => {
    await scene.writeLock('job', { token: HAND.token });
    const lease = await scene.reclaimed('job');
    assert.equal(lease.fence, 1);
    assert.deepEqual(
      [lease.previous.holder, lease.previous.runId, lease.previous.since, lease.previous.ageMs],
      [null, null, null, null],
    );
  }),

  odd('an end further away than a whole lease is drawn in, recorded once, and reclaimed no earlier', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { since: now, leaseMs: HOUR, leaseUntil: now + 500 * HOUR });
    scene.assertRemaining((await scene.skipped('job', 'held')).current.remainingMs, HOUR);
    await scene.skipped('job', 'held');
    const event = await scene.event('clock.fault');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder],
      ['warning', 'job', 'run-by-hand', 'by-hand'],
    );
    const [endedAt, leaseUntil] = [event.data?.['endedAt'], event.data?.['leaseUntil']].map((iso) =>
      Date.parse(String(iso)),
    );
    assert.equal(scene.at(new Date(endedAt ?? Number.NaN)), now + 500 * HOUR);
    assert.equal(event.message, clockFaultMessage('job', endedAt ?? 0, leaseUntil ?? 0));
    await scene.advanceToJustBefore(HOUR);
    await scene.skipped('job', 'held');
    await scene.advance(1 + scene.driftMs);
    await scene.reclaimed('job');
  }),

  odd('an end that is too far away is shown as it will be drawn in, and looking records nothing', async (scene) => {
    await tooFarAway(scene);
    scene.assertRemaining((await scene.status('job')).remainingMs, HOUR);
    assert.equal(await scene.countEvents(), 0);
  }),

  odd('a bypass leaves an end that is too far away as it is, and records nothing of it', async (scene) => {
    await tooFarAway(scene);
    await scene.start('job', { bypassReason: 'hotfix' });
    assert.equal(await scene.countEvents('clock.fault'), 0);
    await scene.skipped('job', 'held');
    assert.equal(await scene.countEvents('clock.fault'), 1);
  }),

  odd('an end that was drawn in is still the end of a lease that its holder may renew', async (scene) => {
    await tooFarAway(scene);
    assert.equal(await scene.isHolder(HAND), true);
    const answer = await scene.renew(HAND);
    assert.ok(answer.outcome === 'renewed' && answer.remainingMs === HOUR, answer.message);
    assert.equal((await scene.event('clock.fault')).runId, 'run-by-hand');
  }),

  odd('a drain of a lease whose end is too far away ends with what it was drawn in to', async (scene) => {
    await tooFarAway(scene);
    const now = await scene.now();
    const { freeAt } = await scene.drain('job');
    scene.assertElapsed(scene.at(freeAt), now + HOUR, 'freeAt');
    await scene.advance(HOUR);
    await scene.reclaimed('job');
  }),

  odd('a lease whose end is too far away is released by its holder as any other', async (scene) => {
    await tooFarAway(scene);
    assert.equal((await scene.release(HAND)).outcome, 'released');
    await scene.acquired('job');
  }),

  odd('the end of a lease as long as a whole lease from now is no fault', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { since: now - MINUTE, leaseMs: HOUR, leaseUntil: now + HOUR });
    await scene.skipped('job', 'held');
    assert.equal(await scene.countEvents('clock.fault'), 0);
  }),

  odd('the end of a pause that a release asked for is not drawn in', async (scene) => {
    const now = await scene.now();
    await scene.writeLock('job', { fence: 7, leaseMs: MINUTE, freeAt: now + 500 * HOUR });
    await scene.advance(499 * HOUR);
    await scene.skipped('job', 'cooling');
    await scene.advance(HOUR);
    await scene.acquired('job');
    assert.equal(await scene.countEvents('clock.fault'), 0);
  }),

  odd('a drain outlives no lease, whatever its row says', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { leaseUntil: now + HOUR, drainUntil: now + 500 * HOUR });
    assert.equal((await scene.status('job')).state, 'draining');
    await scene.skipped('job', 'draining');
    await scene.advance(HOUR);
    await scene.reclaimed('job', { onStale: 'hold' });
  }),

  odd('a lock whose row is odd keeps no other lock from being taken or shown (C22)', async (scene) => {
    await handWritten(scene, { since: null, leaseUntil: null, leaseMs: null, holder: null, runId: null });
    await scene.acquired('another');
    const shown = await scene.store.status({ lock: null, limit: 100 });
    assert.deepEqual(
      shown.map((status) => [status.lock, status.state]),
      [
        ['another', 'held'],
        ['in-use', 'held'],
        ['job', 'stale'],
      ],
    );
  }),

  odd('what a free row says of an old lease frees and holds nothing', async (scene) => {
    const now = await scene.now();
    await handWritten(scene, { token: null, leaseUntil: now + HOUR });
    assert.equal((await scene.status('job')).state, 'free');
    assert.equal(await scene.isHolder(HAND), false);
    assert.equal((await scene.acquired('job')).fence, 8);
  }),

  odd(
    'a lock row that a failover forgot: the first holder is told lost, whoever has it now keeps it (C38)',
    async (scene) => {
      const first = await scene.acquired('job', { holder: 'exec-1', leaseMs: HOUR });
      await scene.deleteLock('job');
      assert.equal((await scene.renew(first)).outcome, 'lost');
      const second = await scene.acquired('job', { holder: 'exec-2', leaseMs: HOUR });
      assert.notEqual(second.token, first.token);
      assert.equal((await scene.renew(first)).outcome, 'lost');
      assert.deepEqual([await scene.isHolder(first), await scene.isHolder(second)], [false, true]);
      await scene.release(first, { status: 'success' });
      assert.equal(await scene.isHolder(second), true);
      assert.equal((await scene.renew(second)).outcome, 'renewed');
    },
  ),
];

async function tooFarAway(scene: Scene): Promise<void> {
  const now = await scene.now();
  await handWritten(scene, { since: now, leaseMs: HOUR, leaseUntil: now + 500 * HOUR });
}
