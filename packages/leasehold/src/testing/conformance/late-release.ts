import assert from 'node:assert/strict';
import { newLockState } from '../../domain/lock-state.ts';
import { releaseMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Lease, Scene } from './stage/scene.ts';
import { HOUR, MINUTE, SECOND } from './stage/timeline.ts';

/** A holder that comes back after its lease: refused where another has the lock, heard in any case. */
export const lateReleaseFacts: readonly Fact[] = [
  fact(
    'a release after expiry with nobody in between answers expired, frees, and keeps the result (C32)',
    async (scene) => {
      const lease = await scene.acquired('job', { leaseMs: HOUR });
      await scene.advance(HOUR + 2 * HOUR + 30 * MINUTE + 15 * SECOND);
      const answer = await scene.release(lease, { status: 'success' });
      assert.deepEqual([answer.outcome, answer.runId], ['expired', lease.runId]);
      const lock = { ...newLockState('job'), leaseUntil: 0 };
      assert.equal(answer.message, releaseMessage('job', 'expired', lock, 2.5 * HOUR));
      assert.equal((await scene.runOf(lease)).status, 'success');
      assert.equal((await scene.status('job')).state, 'free');
      assert.equal(await scene.countEvents('release.refused'), 0);
    },
  ),

  fact('work finished after expiry is recorded as finished, and the next start is a plain one (C28)', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    const now = await scene.now();
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'expired');
    scene.assertElapsed(scene.at((await scene.status('job')).lastSuccessAt), now, 'lastSuccessAt');
    scene.assertElapsed(scene.at((await scene.runOf(lease)).endedAt), now, 'endedAt');
    await scene.acquired('job');
  }),

  fact('a release after expiry tells of the lost lease where no renewal has, once', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
    await scene.advance(HOUR);
    const answer = await scene.release(lease, { status: 'success' });
    await scene.release(lease);
    await scene.renew(lease);
    const [released, expired, ...rest] = (await scene.events('lease.lost'))
      .toReversed()
      .map((event) => [event.severity, event.runId, event.holder, event.message, event.data?.['reason']]);
    assert.deepEqual(released, ['warning', lease.runId, 'exec-1', answer.message, 'expired']);
    assert.equal(expired?.at(-1), 'released', 'that of the renewal');
    assert.deepEqual(rest, []);
  }),

  fact('a loss that a renewal was told of is not told again by the release after it', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    await scene.renew(lease);
    assert.equal((await scene.release(lease)).outcome, 'expired');
    assert.equal(await scene.countEvents('lease.lost'), 1);
  }),

  fact('an expired release repeated answers released, as any repeat of one’s own release', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    await scene.release(lease);
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
    assert.equal((await scene.runOf(lease)).status, 'success');
  }),

  fact('an expired release may still ask for a pause', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    await scene.release(lease, { afterMs: HOUR });
    assert.equal((await scene.status('job')).state, 'cooling');
  }),

  fact('a holder that was overtaken releases nothing, and its status is kept (C26)', async (scene) => {
    const { old, lease } = await overtaken(scene);
    const answer = await scene.release(old, { status: 'success', afterMs: HOUR });
    assert.deepEqual([answer.outcome, answer.runId], ['not_holder', old.runId]);
    const lock = { ...newLockState('job'), runId: lease.runId, holder: 'exec-2' };
    assert.equal(answer.message, releaseMessage('job', 'not_holder', lock, 0));
    const status = await scene.status('job');
    assert.deepEqual([status.state, status.holder, status.leaseUntil], ['held', 'exec-2', lease.leaseUntil]);
    assert.equal(await scene.isHolder(lease), true);
    const run = await scene.runOf(old);
    assert.deepEqual([run.status, run.endedAt === null], ['success', false]);
    const event = await scene.event('release.refused');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder, event.message],
      ['critical', 'job', old.runId, 'exec-1', answer.message],
    );
    assert.equal((await scene.release(lease)).outcome, 'released');
  }),

  fact('the late success of an overtaken holder is a success of the lock', async (scene) => {
    const { old } = await overtaken(scene);
    const now = await scene.now();
    await scene.release(old, { status: 'success' });
    scene.assertElapsed(scene.at((await scene.status('job')).lastSuccessAt), now, 'lastSuccessAt');
  }),

  fact('a late status is added once and never changed', async (scene) => {
    const { old } = await overtaken(scene);
    await scene.release(old);
    assert.equal((await scene.runOf(old)).status, null);
    await scene.release(old, { status: 'failure' });
    assert.equal((await scene.runOf(old)).status, 'failure');
    assert.equal((await scene.release(old, { status: 'success' })).outcome, 'not_holder');
    assert.equal((await scene.runOf(old)).status, 'failure');
    assert.equal((await scene.status('job')).lastSuccessAt, null);
  }),

  fact('a late release stays refused when repeated, and when the new holder has gone', async (scene) => {
    const { old, lease } = await overtaken(scene);
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await scene.release(old, { status: 'success' })).outcome, 'not_holder');
    }
    await scene.release(lease);
    assert.equal((await scene.release(old, { status: 'success' })).outcome, 'not_holder');
    assert.equal(await scene.countEvents('release.refused'), 3);
  }),

  fact('a late release first heard after the new holder has gone is refused as well', async (scene) => {
    const { old, lease } = await overtaken(scene);
    await scene.release(lease);
    assert.equal((await scene.release(old, { status: 'failure' })).outcome, 'not_holder');
    assert.equal((await scene.runOf(old)).status, 'failure');
  }),

  fact('both runs of an overlap end with their own status (C26)', async (scene) => {
    const { old, lease } = await overtaken(scene);
    await scene.release(lease, { status: 'success' });
    await scene.release(old, { status: 'failure' });
    assert.deepEqual(
      (await scene.runs('job')).map((run) => [run.runId, run.status]),
      [
        [lease.runId, 'success'],
        [old.runId, 'failure'],
      ],
    );
  }),
];

async function overtaken(scene: Scene): Promise<{ old: Lease; lease: Lease }> {
  const old = await scene.acquired('job', { leaseMs: HOUR, holder: 'exec-1' });
  await scene.advance(HOUR);
  const lease = await scene.reclaimed('job', { leaseMs: HOUR, holder: 'exec-2' });
  return { old, lease };
}
