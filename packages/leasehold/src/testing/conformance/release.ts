import assert from 'node:assert/strict';
import { newLockState } from '../../domain/lock-state.ts';
import { releaseMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { DAY, HOUR, MINUTE, SECOND } from './stage/timeline.ts';

export const releaseFacts: readonly Fact[] = [
  fact('the holder releases its lock, and the next start is acquired', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(10 * MINUTE);
    const now = await scene.now();
    const answer = await scene.release(lease, { status: 'success' });
    assert.deepEqual([answer.outcome, answer.runId], ['released', lease.runId]);
    const run = await scene.runOf(lease);
    scene.assertElapsed(scene.at(run.endedAt), now, 'endedAt');
    assert.deepEqual([run.status, run.outcome, run.message], ['success', 'acquired', lease.message]);
    assert.equal(await scene.countEvents(), 0);
    await scene.acquired('job');
  }),

  fact('a failed run frees its lock and is no success', async (scene) => {
    const lease = await scene.acquired('job');
    assert.equal((await scene.release(lease, { status: 'failure' })).outcome, 'released');
    assert.equal((await scene.runOf(lease)).status, 'failure');
    assert.equal((await scene.status('job')).lastSuccessAt, null);
    await scene.acquired('job');
  }),

  fact('a release without a status frees the lock and counts as nothing', async (scene) => {
    const lease = await scene.acquired('job');
    assert.equal((await scene.release(lease)).outcome, 'released');
    const run = await scene.runOf(lease);
    assert.deepEqual([run.status, run.endedAt === null], [null, false]);
    assert.equal((await scene.status('job')).lastSuccessAt, null);
  }),

  fact('a repeated release answers released, also after others have had the lock', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.release(lease, { status: 'success' });
    const endedAt = scene.at((await scene.runOf(lease)).endedAt);
    await scene.advance(MINUTE);
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
    const next = await scene.acquired('job');
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
    assert.equal(await scene.isHolder(next), true, 'and frees nothing');
    assert.equal(scene.at((await scene.runOf(lease)).endedAt), endedAt);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('a repeated release may add a missing status and never changes one', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.release(lease);
    await scene.release(lease, { status: 'success' });
    assert.equal((await scene.runOf(lease)).status, 'success');
    assert.notEqual((await scene.status('job')).lastSuccessAt, null);
    assert.equal((await scene.release(lease, { status: 'failure' })).outcome, 'released');
    assert.equal((await scene.runOf(lease)).status, 'success');
    await scene.release(lease);
    assert.equal((await scene.runOf(lease)).status, 'success');
  }),

  fact('a failure stays a failure whatever is said later', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.release(lease, { status: 'failure' });
    await scene.release(lease, { status: 'success' });
    assert.equal((await scene.runOf(lease)).status, 'failure');
    assert.equal((await scene.status('job')).lastSuccessAt, null);
  }),

  fact('a release with a pause after it keeps the lock free of starts until then, and no longer', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: MINUTE });
    assert.equal((await scene.release(lease, { status: 'failure', afterMs: 2 * DAY })).outcome, 'released');
    assert.equal((await scene.status('job')).state, 'cooling');
    await scene.advanceToJustBefore(2 * DAY);
    await scene.skipped('job', 'cooling');
    await scene.advance(1 + scene.driftMs);
    assert.equal((await scene.status('job')).state, 'free');
    await scene.acquired('job');
  }),

  fact('a pause asked for once does not come back with the next release', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.release(lease, { afterMs: HOUR });
    await scene.advance(HOUR);
    await scene.release(await scene.acquired('job'));
    await scene.acquired('job');
  }),

  fact('a wrong token releases nothing: the lock stays held', async (scene) => {
    const lease = await scene.acquired('job', { holder: 'exec-1' });
    const other = await scene.acquired('other-job');
    for (const token of [other.token, 'no-token-at-all', `${lease.token} `]) {
      await refused(scene, { lock: 'job', token }, lease);
    }
    assert.deepEqual((await scene.status('job')).leaseUntil, lease.leaseUntil);
    assert.equal(await scene.isHolder(lease), true);
    assert.equal(await scene.isHolder(other), true);
    await scene.skipped('job', 'held');
  }),

  fact('a wrong token does not free a stale lock either', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    await refused(scene, { lock: 'job', token: 'no-token-at-all' }, lease);
    assert.equal((await scene.status('job')).state, 'stale');
    await scene.reclaimed('job');
  }),

  fact('a wrong token does not end a drain', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.drain('job');
    await refused(scene, { lock: 'job', token: 'no-token-at-all' }, lease);
    assert.equal((await scene.status('job')).state, 'draining');
  }),

  fact(
    'a wrong token does not free a lock that was freed by force, and its next start is still a reclaim',
    async (scene) => {
      const lease = await scene.acquired('job');
      await scene.freeNow('job');
      await refused(scene, { lock: 'job', token: 'no-token-at-all' }, lease);
      const next = await scene.reclaimed('job');
      assert.match(next.message, /may still be running\.$/);
    },
  ),

  fact('a token that nobody knows finds a free lock already free', async (scene) => {
    await scene.release(await scene.acquired('job'));
    const answer = await scene.release({ lock: 'job', token: 'no-token-at-all' }, { status: 'success' });
    assert.deepEqual([answer.outcome, answer.runId], ['already_free', null]);
    assert.equal((await scene.status('job')).lastSuccessAt, null);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('a token that nobody knows does not end a pause', async (scene) => {
    await scene.release(await scene.acquired('job'), { afterMs: HOUR });
    await scene.release({ lock: 'job', token: 'no-token-at-all' });
    assert.equal((await scene.status('job')).state, 'cooling');
  }),

  fact('releasing a lock that no start has touched is refused, and says to check the name', async (scene) => {
    const lease = await scene.acquired('job');
    const answer = await scene.release({ lock: 'jbo', token: lease.token }, { status: 'success' });
    assert.deepEqual([answer.outcome, answer.runId], ['not_holder', null]);
    assert.equal(answer.message, releaseMessage('jbo', 'not_holder', null, 0));
    assert.equal((await scene.event('release.refused')).severity, 'critical');
    assert.equal(await scene.isHolder(lease), true);
    assert.deepEqual(await scene.store.status({ lock: 'jbo', limit: 100 }), []);
  }),

  fact('every refused release is an event of severity critical', async (scene) => {
    await scene.acquired('job', { holder: 'exec-1' });
    const answer = await scene.release({ lock: 'job', token: 'no-token-at-all' });
    const event = await scene.event('release.refused');
    assert.deepEqual([event.severity, event.lock, event.message], ['critical', 'job', answer.message]);
    await scene.release({ lock: 'job', token: 'no-token-at-all' });
    assert.equal(await scene.countEvents('release.refused'), 2);
  }),

  fact('a one-second job leaves its lock free for every tick of a minute (C14)', async (scene) => {
    for (let tick = 1; tick <= 5; tick += 1) {
      const lease = await scene.acquired('job', { leaseMs: HOUR });
      assert.equal(lease.fence, tick);
      await scene.advance(SECOND);
      await scene.release(lease, { status: 'success' });
      await scene.advance(59 * SECOND);
    }
  }),
];

async function refused(
  scene: Scene,
  presented: { lock: string; token: string },
  latest: { runId: string },
): Promise<void> {
  const answer = await scene.release(presented, { status: 'success', afterMs: HOUR });
  assert.equal(answer.outcome, 'not_holder');
  const holder = (await scene.runOf({ lock: presented.lock, runId: latest.runId })).holder;
  const lock = { ...newLockState(presented.lock), runId: latest.runId, holder };
  assert.equal(answer.message, releaseMessage(presented.lock, 'not_holder', lock, 0));
}
