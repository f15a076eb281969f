import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import type { Lease, Scene } from './stage/scene.ts';
import { HOUR, MINUTE, SECOND } from './stage/timeline.ts';

/**
 * Field reports played through. One second of a report is one minute here, so that a running clock
 * can't blur it; where a report counts in minutes or hours, so do these.
 */
export const scheduleFacts: readonly Fact[] = [
  fact('a job that outlives its interval is never started twice while it renews (C01)', async (scene) => {
    const outcomes: string[] = [];
    let lease: Lease | null = null;
    for (let minute = 0; minute <= 180; minute += 20) {
      if (minute > 0) await scene.advance(20 * MINUTE);
      if (minute === 160 && lease !== null) await scene.release(lease, { status: 'success' });
      else if (lease !== null && minute < 160) assert.equal((await scene.renew(lease)).outcome, 'renewed');
      if (minute % 60 !== 0) continue;
      const answer = await scene.start('job', { leaseMs: 60 * MINUTE });
      outcomes.push(answer.outcome);
      if (answer.outcome === 'acquired') lease = answer;
      if (answer.outcome === 'skipped') scene.assertElapsed(answer.current.ageMs, minute * MINUTE, 'age');
    }
    assert.deepEqual(outcomes, ['acquired', 'skipped', 'skipped', 'acquired']);
  }),

  fact('two starts from two places, a moment apart: one acquired, one skipped (C04, C57)', async (scene) => {
    const other = await scene.another();
    await scene.acquired('job', { holder: 'main-1' });
    await scene.advance(10);
    const answer = await other.acquire(scene.request('job', { holder: 'main-2' }));
    assert.ok(answer.outcome === 'skipped' && answer.reason === 'held', answer.message);
    assert.equal(answer.current.holder, 'main-1');
  }),

  fact('two workers of a job longer than its interval share its ticks without overlap (C05)', async (scene) => {
    const started: number[] = [];
    let lease: Lease | null = null;
    for (let minute = 0; minute <= 30; minute += 2) {
      if (minute === 22 && lease !== null) await scene.release(lease, { status: 'success' });
      for (const holder of minute % 10 === 0 ? ['worker-1', 'worker-2'] : []) {
        const answer = await scene.start('job', { holder, leaseMs: HOUR });
        if (answer.outcome !== 'acquired') continue;
        started.push(minute);
        lease = answer;
      }
      await scene.advance(2 * MINUTE);
    }
    assert.deepEqual(started, [0, 30]);
  }),

  fact('a schedule registered three times runs once a slot, and the others are rows (C06)', async (scene) => {
    for (let slot = 0; slot < 3; slot += 1) {
      const slotAt = scene.dateAt(await scene.now());
      const answers = [];
      for (let copy = 0; copy < 3; copy += 1)
        answers.push(await scene.start('job', { slotAt, holder: `copy-${copy}` }));
      assert.deepEqual(
        answers.map((answer) => answer.outcome),
        ['acquired', 'skipped', 'skipped'],
      );
      const [lease] = answers;
      assert.ok(lease?.outcome === 'acquired');
      await scene.advance(MINUTE);
      await scene.release(lease, { status: 'success' });
    }
    assert.equal((await scene.runs('job')).length, 9);
  }),

  fact('ticks during a long run are skipped, not queued: the first one after it is acquired (C10)', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: 30 * MINUTE });
    for (let tick = 1; tick <= 10; tick += 1) {
      await scene.advance(MINUTE);
      await scene.skipped('job', 'held');
    }
    await scene.release(lease, { status: 'success' });
    assert.equal((await scene.status('job')).state, 'free', 'nobody waits in a queue');
    await scene.advance(MINUTE);
    await scene.acquired('job');
  }),

  fact('the lease counts by the store’s clock, whatever the starters think the time is (C34)', async (scene) => {
    const wrong = scene.dateAt((await scene.now()) - 10 * HOUR);
    const lease = await scene.acquired('job', { leaseMs: 30 * MINUTE, slotAt: wrong });
    for (let renewal = 0; renewal < 5; renewal += 1) {
      await scene.advance(20 * MINUTE);
      await scene.skipped('job', 'held', { slotAt: scene.dateAt((await scene.now()) + 10 * HOUR) });
      assert.equal((await scene.renew(lease)).outcome, 'renewed');
    }
    assert.equal(await scene.countEvents('lease.reclaimed'), 0);
  }),

  fact('a flow that waits inside its guarded part keeps its lock by one renewal a step (C52)', async (scene) => {
    const lease = await scene.acquired('flow', { leaseMs: 15 * MINUTE });
    for (let step = 0; step < 4; step += 1) {
      for (let tick = 0; tick < 2; tick += 1) {
        await scene.advance(5 * MINUTE);
        await scene.skipped('flow', 'held');
      }
      assert.equal((await scene.renew(lease, { progress: `step ${step}` })).outcome, 'renewed');
    }
    assert.equal((await scene.release(lease, { status: 'success' })).outcome, 'released');
  }),

  fact('an execution resumed twice gives its lock back once; the second time finds it done (C53)', async (scene) => {
    const lease = await scene.acquired('flow');
    await scene.release(lease, { status: 'success' });
    const next = await scene.acquired('flow');
    assert.equal((await scene.renew(lease)).outcome, 'lost');
    assert.equal(await scene.isHolder(lease), false);
    assert.equal((await scene.release(lease, { status: 'failure' })).outcome, 'released');
    assert.equal(await scene.isHolder(next), true);
    assert.equal((await scene.runOf(lease)).status, 'success');
  }),

  fact(
    'a flow that begins again from its trigger is the same start: one lease, and none once it is done (C54)',
    async (scene) => {
      const flow = { runId: 'exec-7', holder: 'exec-7', leaseMs: HOUR };
      const lease = await scene.acquired('flow', flow);
      await scene.renew(lease, { progress: 'sent, now it waits' });
      await scene.advance(10 * MINUTE);
      const again = await scene.acquired('flow', flow);
      assert.deepEqual([again.token, again.fence], [lease.token, 1]);
      await scene.release(again, { status: 'success' });
      await scene.skipped('flow', 'run_ended', flow);
      assert.equal((await scene.runs('flow')).length, 1);
    },
  ),

  fact(
    'a run that ended stays done when its platform calls it crashed later, and is not run again (C56)',
    async (scene) => {
      const slotAt = scene.dateAt(await scene.now());
      const first = { runId: 'exec-7', holder: 'exec-7', slotAt };
      const lease = await scene.acquired('flow', first);
      await scene.release(lease, { status: 'success' });
      assert.equal((await scene.release(lease, { status: 'failure' })).outcome, 'released');
      assert.equal((await scene.runOf(lease)).status, 'success');
      await scene.skipped('flow', 'run_ended', first);
      const recovery = await scene.alreadyRan('flow', { runId: 'exec-8', holder: 'exec-8', slotAt });
      assert.equal(recovery.earlier.runId, 'exec-7');
    },
  ),

  fact('twelve missed slots: one acquired, eleven skipped, each with its slot (C09, C59)', async (scene) => {
    const now = await scene.now();
    const slots = Array.from({ length: 12 }, (_, index) => scene.dateAt(now - (12 - index) * 5 * MINUTE));
    for (const slotAt of slots) await scene.start('job', { slotAt });
    const runs = (await scene.runs('job')).toReversed();
    assert.deepEqual(
      runs.map((run) => run.outcome),
      ['acquired', ...Array<string>(11).fill('skipped')],
    );
    assert.deepEqual(
      runs.map((run) => run.slotAt),
      slots,
    );
  }),

  fact(
    'an idle flag can’t be left behind: a run that died while working is reclaimed without hands (C50)',
    async (scene) => {
      await scene.acquired('watch', { leaseMs: 5 * MINUTE, holder: 'watcher-1' });
      await scene.advance(5 * SECOND);
      await scene.skipped('watch', 'held', { holder: 'watcher-2' });
      await scene.advance(5 * MINUTE);
      await scene.reclaimed('watch', { holder: 'watcher-2' });
    },
  ),

  fact('a slow worker and its replacement end each their own run, by their own token (C26)', async (scene) => {
    const slow = await begin(scene, 'slow');
    await scene.advance(HOUR);
    const fast = await scene.reclaimed('job', { holder: 'fast', leaseMs: HOUR });
    assert.notEqual(slow.token, fast.token);
    assert.equal((await scene.release(slow, { status: 'success' })).outcome, 'not_holder');
    assert.equal((await scene.release(fast, { status: 'success' })).outcome, 'released');
  }),
];

function begin(scene: Scene, holder: string): Promise<Lease> {
  return scene.acquired('job', { holder, leaseMs: HOUR });
}
