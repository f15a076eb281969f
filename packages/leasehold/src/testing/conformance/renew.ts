import assert from 'node:assert/strict';
import { newLockState } from '../../domain/lock-state.ts';
import { lostMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE, SECOND } from './stage/timeline.ts';

export const renewFacts: readonly Fact[] = [
  fact('a renewal counts from now, as long as the lease was', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(40 * MINUTE);
    const now = await scene.now();
    const answer = await scene.renew(lease);
    assert.ok(answer.outcome === 'renewed');
    assert.deepEqual([answer.runId, answer.remainingMs], [lease.runId, HOUR]);
    scene.assertElapsed(scene.at(answer.leaseUntil), now + HOUR, 'leaseUntil');
    const status = await scene.status('job');
    assert.deepEqual(status.leaseUntil, answer.leaseUntil);
    scene.assertElapsed(scene.at((await scene.runOf(lease)).renewedAt), now, 'renewedAt');
  }),

  fact('a renewal may ask for another length, and the next one keeps it', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    const longer = await scene.renew(lease, { leaseMs: 3 * HOUR });
    assert.ok(longer.outcome === 'renewed' && longer.remainingMs === 3 * HOUR);
    await scene.advance(HOUR);
    const kept = await scene.renew(lease);
    assert.ok(kept.outcome === 'renewed' && kept.remainingMs === 3 * HOUR);
    assert.equal((await scene.runOf(lease)).leaseMs, HOUR, 'its row has what the start asked for');
    const shorter = await scene.renew(lease, { leaseMs: 5 * MINUTE });
    assert.ok(shorter.outcome === 'renewed' && shorter.remainingMs === 5 * MINUTE);
    await scene.advance(5 * MINUTE);
    await scene.reclaimed('job');
  }),

  fact('the row of a run keeps when it was last renewed, past its end and past its loss', async (scene) => {
    const released = await scene.acquired('one', { leaseMs: HOUR });
    const overtaken = await scene.acquired('two', { leaseMs: HOUR });
    await scene.advance(10 * MINUTE);
    const now = await scene.now();
    await scene.renew(released);
    await scene.renew(overtaken);
    await scene.advance(10 * MINUTE);
    await scene.release(released);
    await scene.acquired('one');
    await scene.advance(HOUR);
    await scene.reclaimed('two');
    for (const lease of [released, overtaken]) {
      scene.assertElapsed(scene.at((await scene.runOf(lease)).renewedAt), now, 'renewedAt');
    }
  }),

  fact('renewals change neither fence nor age nor the count of skips', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.skipped('job', 'held');
    await scene.advance(30 * MINUTE);
    await scene.renew(lease);
    const status = await scene.status('job');
    scene.assertElapsed(status.ageMs, 30 * MINUTE, 'age');
    assert.equal(status.skipsInRow, 1);
    assert.equal((await scene.runOf(lease)).fence, 1);
    assert.equal(await scene.countEvents('lease.lost'), 0);
  }),

  fact('a renewal without progress keeps what was said before', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.renew(lease, { progress: `row 17 of "it's" {}` });
    await scene.renew(lease);
    await scene.advance(HOUR);
    assert.equal((await scene.reclaimed('job')).previous.progress, `row 17 of "it's" {}`);
  }),

  fact('a lease renewed to its last millisecond lives on', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advanceToJustBefore(HOUR);
    assert.equal((await scene.renew(lease)).outcome, 'renewed');
    await scene.advanceToJustBefore(HOUR);
    await scene.skipped('job', 'held');
  }),

  fact('a renewal after expiry is lost even if nobody took the lock', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR + 2 * HOUR + 30 * MINUTE + 15 * SECOND);
    const answer = await lost(scene, lease, 'expired');
    const lock = { ...newLockState('job'), leaseUntil: 0 };
    assert.equal(answer.message, lostMessage('job', 'expired', lock, 2.5 * HOUR));
    assert.equal(answer.runId, lease.runId);
    assert.equal((await scene.status('job')).state, 'stale');
    assert.equal((await scene.reclaimed('job')).previous.renewedAt, null);
  }),

  fact('at the very end of a lease it is too late to renew it', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    await lost(scene, lease, 'expired');
  }),

  fact('a holder that was overtaken is told who has the lock now', async (scene) => {
    const old = await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
    await scene.advance(HOUR);
    const lease = await scene.reclaimed('job', { holder: 'exec-2', leaseMs: HOUR });
    const answer = await lost(scene, old, 'taken_over');
    const lock = { ...newLockState('job'), runId: lease.runId, holder: 'exec-2' };
    assert.equal(answer.message, lostMessage('job', 'taken_over', lock, 0));
    assert.equal(answer.runId, old.runId);
    assert.deepEqual((await scene.status('job')).leaseUntil, lease.leaseUntil, 'the new lease is untouched');
  }),

  fact('a holder that has released is told that it has', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.release(lease);
    assert.equal((await lost(scene, lease, 'released')).runId, lease.runId);
    assert.equal((await scene.status('job')).state, 'free');
    await scene.acquired('job');
    await lost(scene, lease, 'taken_over');
  }),

  fact('a token that this lock never gave renews nothing', async (scene) => {
    const lease = await scene.acquired('job');
    const other = await scene.acquired('other-job');
    for (const token of [
      other.token,
      'no-token-at-all',
      lease.token.toUpperCase().replace(/[0-9]/, 'x'),
      `${lease.token} `,
    ]) {
      assert.equal((await lost(scene, { lock: 'job', token }, 'unknown_token')).runId, null);
    }
    assert.deepEqual((await scene.status('job')).leaseUntil, lease.leaseUntil);
    assert.equal(await scene.isHolder(lease), true);
    const events = await scene.events('lease.lost');
    assert.equal(events.length, 4);
    assert.deepEqual(
      events.map((event) => [event.lock, event.runId, event.holder]),
      events.map(() => ['job', null, null]),
    );
  }),

  fact('a lock that no start has touched renews nothing', async (scene) => {
    await lost(scene, { lock: 'nobody', token: 'no-token-at-all' }, 'unknown_token');
    assert.deepEqual(await scene.store.status({ lock: 'nobody', limit: 100 }), []);
  }),

  fact('every refused renewal is an event of severity warning', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
    await scene.advance(HOUR);
    const answers = [await scene.renew(lease), await scene.renew(lease)];
    const events = await scene.events('lease.lost');
    assert.equal(events.length, 2);
    for (const [index, event] of events.toReversed().entries()) {
      assert.deepEqual(
        [event.severity, event.lock, event.runId, event.holder, event.message, event.data?.['reason']],
        ['warning', 'job', lease.runId, 'exec-1', answers[index]?.message, 'expired'],
      );
    }
  }),

  fact('the holder of a lock is whoever has the token of its live lease, and nobody else', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    assert.equal(await scene.isHolder(lease), true);
    assert.equal(await scene.isHolder({ lock: 'job', token: 'no-token-at-all' }), false);
    assert.equal(await scene.isHolder({ lock: 'nobody', token: lease.token }), false);
    await scene.advance(HOUR);
    assert.equal(await scene.isHolder(lease), false);
    const next = await scene.reclaimed('job');
    assert.deepEqual([await scene.isHolder(lease), await scene.isHolder(next)], [false, true]);
    await scene.release(next);
    assert.equal(await scene.isHolder(next), false);
  }),
];

async function lost(scene: Scene, lease: { lock: string; token: string }, reason: string) {
  const answer = await scene.renew(lease);
  assert.ok(answer.outcome === 'lost', answer.message);
  assert.equal(answer.reason, reason, answer.message);
  return answer;
}
