import assert from 'node:assert/strict';
import { reclaimedMessage } from '../../domain/messages.ts';
import { type Fact, fact } from './stage/fact.ts';
import { ask, askedFirst, evidence, PROBED, probedLease, probing, reclaimedBy, skippedWith } from './stage/probing.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

/** All that a start could have left. */
async function left(scene: Scene): Promise<unknown> {
  const { leaseUntil, skipsInRow } = await scene.status('job');
  return [leaseUntil, skipsInRow, await scene.runs(), await scene.events()];
}

export const evidenceFacts: readonly Fact[] = [
  fact('a start that meets a holder it can ask after is told so, and nothing is written', async (scene) => {
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR, holder: 'exec-1' });
    const before = await scene.runs();
    const first = await askedFirst(scene, 'job');
    assert.deepEqual(first.holderInfo, PROBED.holderInfo);
    assert.deepEqual([first.fence, first.holder, first.runId], [1, 'exec-1', lease.runId]);
    assert.equal(scene.at(first.leaseUntil), scene.at(lease.leaseUntil));
    scene.assertRemaining(first.remainingMs, HOUR);
    assert.deepEqual(await scene.runs(), before);
    assert.equal(await scene.countEvents(), 0);
    assert.equal((await scene.status('job')).skipsInRow, 0);
  }),

  fact('a stale lease and one that drains are asked after as well, also for a start that would hold', async (scene) => {
    await probedLease(scene, 'stale', { leaseMs: HOUR });
    await probedLease(scene, 'draining', { leaseMs: 3 * HOUR });
    await scene.drain('draining');
    await scene.advance(HOUR);
    assert.equal((await askedFirst(scene, 'stale')).remainingMs, 0);
    await askedFirst(scene, 'stale', { onStale: 'hold' });
    await askedFirst(scene, 'draining');
    assert.equal((await scene.runs('stale')).length, 1);
  }),

  fact('where there is nobody to ask, or nothing to ask about, the answer is that of any start', async (scene) => {
    await scene.acquired('bare', { leaseMs: HOUR });
    await scene.acquired('other', { leaseMs: HOUR, holderInfo: { probe: 'n8n', executionId: '7' } });
    await scene.acquired('odd', { leaseMs: HOUR, holderInfo: { probe: ['process'] } });
    for (const lock of ['bare', 'other', 'odd']) {
      const answer = await ask(scene, lock);
      assert.ok(answer.outcome === 'skipped' && answer.reason === 'held', lock);
    }
    const start = {
      ...PROBED,
      holder: 'exec-1',
      runId: 'run-a',
      leaseMs: HOUR,
      slotAt: scene.dateAt(await scene.now()),
    };
    assert.equal((await ask(scene, 'free', start)).outcome, 'acquired');
    assert.equal((await ask(scene, 'free', start)).outcome, 'acquired', 'the same start again');
    assert.equal((await ask(scene, 'free', { bypassReason: 'by hand' })).outcome, 'bypassed');
    await scene.pause('free');
    const paused = await ask(scene, 'free');
    assert.ok(paused.outcome === 'skipped' && paused.reason === 'paused');
    await scene.resume('free');
    const [run] = await scene.store.runs({ lock: 'free', runId: 'run-a', limit: 1 });
    assert.equal(run?.outcome, 'acquired');
  }),

  fact('the repeat of a start that drains, and a lock that cools, are answered without a probe', async (scene) => {
    const own = { ...PROBED, holder: 'exec-1', runId: 'run-a', leaseMs: HOUR, graceMs: HOUR };
    const lease = await scene.acquired('job', own);
    await scene.drain('job');
    const repeat = await ask(scene, 'job', own);
    assert.ok(repeat.outcome === 'skipped' && repeat.reason === 'draining');
    await scene.release(lease, { afterMs: HOUR });
    const cooling = await ask(scene, 'job');
    assert.ok(cooling.outcome === 'skipped' && cooling.reason === 'cooling');
  }),

  fact('proof that a holder has ended frees its live lease at once, and its run is told so', async (scene) => {
    const old = await probedLease(scene, 'job', { leaseMs: HOUR, holder: 'exec-1' });
    const lease = await reclaimedBy(scene, 'job', 'ended', { holder: 'exec-2', leaseMs: 2 * HOUR });
    const { previous } = lease;
    assert.deepEqual(
      [previous.holder, previous.runId, previous.probe],
      ['exec-1', old.runId, 'ended: process 17 has ended'],
    );
    assert.deepEqual([lease.fence, lease.remainingMs], [2, 2 * HOUR]);
    assert.equal(lease.message, reclaimedMessage('job', previous, { forced: false, releasedItself: false }));
    assert.match(
      lease.message,
      /probe ended: process 17 has ended; the previous run has ended without releasing it\.$/,
    );
    const event = await scene.event('lease.reclaimed');
    assert.deepEqual(event.data?.['previous'], JSON.parse(JSON.stringify(previous)));
    const late = await scene.renew(old);
    assert.ok(late.outcome === 'lost' && late.reason === 'taken_over');
    assert.equal((await scene.release(old)).outcome, 'not_holder');
    assert.equal(await scene.isHolder(lease), true);
  }),

  fact(
    'proof of the end frees a lock that drains, and a stale one that a start would hold for a person',
    async (scene) => {
      await probedLease(scene, 'draining', { leaseMs: 3 * HOUR });
      await scene.drain('draining');
      const forced = await reclaimedBy(scene, 'draining', 'ended');
      assert.match(forced.message, /after a force-release: .* has ended without releasing it\.$/);
      await probedLease(scene, 'stale', { leaseMs: HOUR });
      await scene.advance(HOUR);
      await reclaimedBy(scene, 'stale', 'ended', { onStale: 'hold' });
    },
  ),

  fact(
    'of a lock that is free by force nothing is told that a probe said: its lease is in nobody’s way',
    async (scene) => {
      await probedLease(scene, 'job', { leaseMs: 3 * HOUR });
      const heard = evidence(await askedFirst(scene, 'job'), 'ended');
      await scene.store.forceRelease({ lock: 'job', reason: 'it hangs', atOnce: true });
      const answer = await scene.store.acquireOrProbe(probing(scene, 'job', heard));
      assert.ok(answer.outcome === 'reclaimed');
      assert.equal(answer.previous.probe, null);
    },
  ),

  fact('a start that brought evidence is repeatable like any other', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    const heard = evidence(await askedFirst(scene, 'job'), 'ended');
    const request = probing(scene, 'job', heard, { leaseMs: HOUR });
    const [one, other] = [await scene.store.acquireOrProbe(request), await scene.store.acquireOrProbe(request)];
    assert.ok(one.outcome === 'reclaimed' && other.outcome === 'reclaimed');
    assert.deepEqual([other.token, other.fence, other.previous], [one.token, one.fence, one.previous]);
  }),

  fact('a holder that is alive keeps its live lease as it is', async (scene) => {
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
    const end = scene.at(lease.leaseUntil);
    await scene.advance(10 * MINUTE);
    const skip = await skippedWith(scene, 'job', 'alive', 'held');
    assert.equal(skip.skipsInRow, 1);
    assert.equal(scene.at((await scene.status('job')).leaseUntil), end);
    assert.equal(await scene.countEvents('lease.extended'), 0);
  }),

  fact('what is not known changes nothing: the clock decides, and the reclaim says what was said', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    await skippedWith(scene, 'job', 'unknown', 'held');
    await scene.advance(HOUR);
    await skippedWith(scene, 'job', 'unknown', 'hold', { onStale: 'hold' });
    const lease = await reclaimedBy(scene, 'job', 'unknown');
    assert.equal(lease.previous.probe, 'unknown: its host is another one');
    assert.match(lease.message, /probe unknown: its host is another one; the previous run may still be running\.$/);
    assert.equal((await scene.store.events({ lock: 'job', kind: 'lease.reclaimed', limit: 9 })).length, 1);
  }),

  fact('evidence of a lease that was renewed since changes nothing', async (scene) => {
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
    const heard = evidence(await askedFirst(scene, 'job'), 'ended');
    await scene.advance(MINUTE);
    await scene.renew(lease);
    const before = await left(scene);
    const again = await scene.store.acquireOrProbe(probing(scene, 'job', heard));
    assert.ok(again.outcome === 'probe_first', 'the lease as it is now is to be asked about');
    assert.notDeepEqual(again.leaseUntil, heard.leaseUntil);
    assert.deepEqual(await left(scene), before);
    const skip = await scene.store.acquireOrProbe(probing(scene, 'job', heard, { probes: [] }));
    assert.ok(skip.outcome === 'skipped' && skip.reason === 'held');
    assert.equal(await scene.isHolder(lease), true);
  }),

  fact('evidence of a holder whose lock another has taken since changes nothing', async (scene) => {
    const old = await probedLease(scene, 'job', { leaseMs: HOUR });
    const heard = evidence(await askedFirst(scene, 'job'), 'ended');
    await scene.release(old);
    const lease = await probedLease(scene, 'job', { leaseMs: HOUR });
    for (const fence of [heard.fence, lease.fence - 1]) {
      // Even of two leases that end in the same instant.
      const stale = { ...heard, fence, leaseUntil: (await scene.status('job')).leaseUntil };
      const skip = await scene.store.acquireOrProbe(probing(scene, 'job', stale, { probes: [] }));
      assert.ok(skip.outcome === 'skipped' && skip.reason === 'held');
    }
    assert.equal(await scene.isHolder(lease), true);
  }),

  fact('evidence about a holder that nobody can be asked after is no evidence', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR, holderInfo: { pid: 17 } });
    const heard = {
      fence: 1,
      leaseUntil: (await scene.status('job')).leaseUntil,
      state: 'ended',
      detail: 'x',
    } as const;
    const skip = await scene.store.acquireOrProbe(probing(scene, 'job', heard));
    assert.ok(skip.outcome === 'skipped' && skip.reason === 'held');
    assert.equal(await scene.isHolder(lease), true);
  }),

  fact('of fifty contenders with proof that the holder has ended exactly one reclaims', async (scene) => {
    await probedLease(scene, 'job', { leaseMs: HOUR });
    const heard = evidence(await askedFirst(scene, 'job'), 'ended');
    const clients = [scene.store, await scene.another(), await scene.another(), await scene.another()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (clients[index % clients.length] ?? scene.store).acquireOrProbe(probing(scene, 'job', heard)),
      ),
    );
    const winners = answers.flatMap((answer) => ('proceed' in answer && answer.proceed ? [answer.outcome] : []));
    assert.deepEqual(winners, ['reclaimed']);
    assert.equal(await scene.countEvents('lease.reclaimed'), 1);
    const reclaims = (await scene.runs('job')).filter(({ outcome }) => outcome === 'reclaimed');
    assert.deepEqual(
      reclaims.map(({ fence }) => fence),
      [2],
    );
  }),
];
