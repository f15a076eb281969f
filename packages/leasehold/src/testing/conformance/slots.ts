import assert from 'node:assert/strict';
import type { RunStatus } from '../../domain/run.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Lease, Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

/** A slot is run to success once, whatever starts it: an early timer, a doubled tick, a repeated hour. */
export const slotFacts: readonly Fact[] = [
  fact('a slot that ran to success is not run again, and the answer tells which run did it', async (scene) => {
    const slot = await scene.now();
    const first = await scene.acquired('job', { slotAt: scene.dateAt(slot), holder: 'exec-1' });
    await scene.advance(MINUTE);
    await scene.release(first, { status: 'success' });
    const done = await scene.runOf(first);
    const { earlier, ...answer } = await scene.alreadyRan('job', { slotAt: scene.dateAt(slot), holder: 'exec-2' });
    assert.deepEqual(earlier, {
      runId: first.runId,
      holder: 'exec-1',
      startedAt: done.startedAt,
      endedAt: done.endedAt,
    });
    assert.match(
      answer.message,
      /^Already ran: slot .* of lock "job" was done by run .* of holder exec-1, which ended /,
    );
    assert.deepEqual([answer.proceed, answer.skipsInRow, (await scene.status('job')).state], [false, 0, 'free']);
    assert.deepEqual(await scene.runOf(answer), {
      ...(await scene.runOf(answer)),
      outcome: 'already_ran',
      reason: null,
      slotAt: answer.slotAt,
      holder: 'exec-2',
      fence: null,
      endedAt: null,
      status: null,
      ageMs: null,
      previousRunId: first.runId,
      message: answer.message,
    });
    assert.equal((await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR) })).fence, 2);
  }),

  fact('a start of a slot that is done is an event of severity info, once, and at its last ask', async (scene) => {
    const slotAt = scene.dateAt(await scene.now());
    const first = await runSlot(scene, slotAt, 'success');
    const late = { slotAt, holder: 'exec-2', runId: 'run-late' };
    await scene.alreadyRan('job', { ...late, waiting: true });
    assert.equal(await scene.countEvents(), 0);
    const told = await scene.alreadyRan('job', late);
    await scene.alreadyRan('job', late);
    const event = await scene.event('run.already_ran');
    assert.deepEqual(
      [event.severity, event.lock, event.runId, event.holder, event.message],
      ['info', 'job', 'run-late', 'exec-2', told.message],
    );
    assert.deepEqual(event.data, { slotAt: slotAt.toISOString(), earlierRunId: first.runId });
    assert.equal((await scene.runs()).length, 2);
  }),

  fact('a start of a slot that is done keeps its row, and the instant of its first ask', async (scene) => {
    const slot = await scene.now();
    await runSlot(scene, scene.dateAt(slot), 'success');
    const first = await scene.now();
    const late = { holder: 'exec-2', runId: 'run-late' };
    await scene.alreadyRan('job', { ...late, slotAt: scene.dateAt(slot) });
    await scene.advance(HOUR);
    const run = await scene.runOf(await scene.alreadyRan('job', { ...late, slotAt: scene.dateAt(slot) }));
    scene.assertElapsed(scene.at(run.startedAt), first, 'startedAt');
  }),

  ...([['failure'], [null]] as const).map(([status]) =>
    fact(`a slot whose run ended with ${status ?? 'no status'} may run again`, async (scene) => {
      const slotAt = scene.dateAt(await scene.now());
      await runSlot(scene, slotAt, status);
      const second = await runSlot(scene, slotAt, 'success');
      assert.equal((await scene.alreadyRan('job', { slotAt })).earlier.runId, second.runId);
    }),
  ),

  fact('a slot whose run was lost may run again', async (scene) => {
    const slot = await scene.now();
    await scene.acquired('job', { slotAt: scene.dateAt(slot), leaseMs: HOUR });
    await scene.advance(HOUR);
    const second = await scene.reclaimed('job', { slotAt: scene.dateAt(slot) });
    await scene.release(second, { status: 'success' });
    const { earlier } = await scene.alreadyRan('job', { slotAt: scene.dateAt(slot) });
    assert.equal(earlier.runId, second.runId);
  }),

  fact('a late success counts for its slot, whoever holds the lock: a later start of it already ran', async (scene) => {
    const slot = await scene.now();
    const slow = await scene.acquired('job', { slotAt: scene.dateAt(slot), leaseMs: HOUR });
    await scene.advance(HOUR);
    const next = await scene.reclaimed('job', { slotAt: scene.dateAt(slot + HOUR), leaseMs: 9 * HOUR });
    assert.equal((await scene.release(slow, { status: 'success' })).outcome, 'not_holder');
    const { earlier } = await scene.alreadyRan('job', { slotAt: scene.dateAt(slot) });
    assert.equal(earlier.runId, slow.runId);
    assert.equal((await scene.skipped('job', 'held')).skipsInRow, 1, 'only the second is in the row of skips');
    assert.equal(await scene.isHolder(next), true);
  }),

  fact(
    'a success that a repeated release adds counts for the slot, and a failure added later takes nothing',
    async (scene) => {
      const slotAt = scene.dateAt(await scene.now());
      const lease = await runSlot(scene, slotAt, null);
      await scene.release(lease, { status: 'success' });
      await scene.release(lease, { status: 'failure' });
      assert.equal((await scene.alreadyRan('job', { slotAt })).earlier.runId, lease.runId);
    },
  ),

  fact('a manual rerun of a slot that is done says again; the slot stays done whatever comes of it', async (scene) => {
    const slotAt = scene.dateAt(await scene.now());
    const first = await runSlot(scene, slotAt, 'success');
    await runSlot(scene, slotAt, 'failure', true);
    assert.equal((await scene.alreadyRan('job', { slotAt })).earlier.runId, first.runId);
    const third = await runSlot(scene, slotAt, 'success', true);
    assert.equal((await scene.alreadyRan('job', { slotAt })).earlier.runId, third.runId);
  }),

  fact('again does not let a start pass a run that is under way', async (scene) => {
    const slotAt = scene.dateAt(await scene.now());
    await runSlot(scene, slotAt, 'success');
    await scene.acquired('job', { slotAt, again: true });
    await scene.skipped('job', 'held', { slotAt, again: true });
    await scene.alreadyRan('job', { slotAt });
  }),

  fact(
    'an event delivered twice, a moment apart: one acquired, one skipped, and a third time already ran (C08)',
    async (scene) => {
      const slot = await scene.now();
      const lease = await scene.acquired('job', { slotAt: scene.dateAt(slot), runId: 'event-1', holder: 'call-1' });
      await scene.advance(300);
      await scene.skipped('job', 'held', { slotAt: scene.dateAt(slot), runId: 'event-1', holder: 'call-2' });
      await scene.release(lease, { status: 'success' });
      await scene.alreadyRan('job', { slotAt: scene.dateAt(slot), runId: 'event-1', holder: 'call-3' });
    },
  ),

  fact('a slot that is done is said whatever state the lock is in, and counts in no row of skips', async (scene) => {
    const slot = await scene.now();
    const states: Readonly<Record<string, (lock: string) => Promise<unknown>>> = {
      held: async (lock) => await scene.acquired(lock, { leaseMs: 9 * HOUR }),
      draining: async (lock) => {
        await scene.acquired(lock, { leaseMs: 9 * HOUR });
        await scene.drain(lock);
      },
      cooling: async (lock) => await scene.release(await scene.acquired(lock), { afterMs: 9 * HOUR }),
      stale: async (lock) => await scene.acquired(lock, { leaseMs: HOUR }),
    };
    for (const lock of Object.keys(states)) await runSlot(scene, scene.dateAt(slot), 'success', false, lock);
    for (const [lock, bring] of Object.entries(states)) await bring(lock);
    await scene.advance(HOUR);
    for (const lock of Object.keys(states)) {
      const answer = await scene.alreadyRan(lock, { slotAt: scene.dateAt(slot), onStale: 'hold' });
      const status = await scene.status(lock);
      assert.deepEqual([status.state, status.skipsInRow, answer.skipsInRow], [lock, 0, 0]);
    }
  }),

  fact('a slot is known by its lock and to the millisecond; a start without one never already ran', async (scene) => {
    const slot = await scene.now();
    await runSlot(scene, scene.dateAt(slot), 'success');
    await runSlot(scene, scene.dateAt(slot + 1), 'success');
    await runSlot(scene, scene.dateAt(slot), 'success', false, 'other-job');
    await scene.acquired('job');
  }),

  fact('a bypass passes a slot that is done, and does none itself', async (scene) => {
    const slot = await scene.now();
    await runSlot(scene, scene.dateAt(slot), 'success');
    for (const slotAt of [scene.dateAt(slot), scene.dateAt(slot + HOUR)]) {
      assert.equal((await scene.start('job', { slotAt, bypassReason: 'hotfix' })).outcome, 'bypassed');
    }
    await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR) });
  }),

  fact(
    'a start that did its slot itself has ended when it asks again; while it runs, it has the slot of its first ask',
    async (scene) => {
      const slot = await scene.now();
      const same = { holder: 'exec-1', runId: 'run-x' };
      const lease = await scene.acquired('job', { ...same, slotAt: scene.dateAt(slot) });
      const repeat = await scene.acquired('job', { ...same, slotAt: scene.dateAt(slot + HOUR) });
      assert.deepEqual([repeat.token, repeat.slotAt], [lease.token, lease.slotAt]);
      await scene.release(lease, { status: 'success' });
      await scene.skipped('job', 'run_ended', { ...same, slotAt: scene.dateAt(slot) });
      const other = await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR) });
      assert.equal(other.fence, 2, 'the slot of the second ask was not touched');
    },
  ),

  fact('a start that waits for the run of its own slot finds the slot done, on its own row', async (scene) => {
    const slotAt = scene.dateAt(await scene.now());
    const lease = await scene.acquired('job', { slotAt });
    const waiter = { slotAt, holder: 'exec-2', runId: 'run-w', waiting: true };
    await scene.skipped('job', 'held', waiter);
    await scene.release(lease, { status: 'success' });
    const answer = await scene.alreadyRan('job', { ...waiter, waiting: false });
    const run = await scene.runOf(answer);
    assert.deepEqual([run.outcome, run.reason, run.message], ['already_ran', null, answer.message]);
    assert.equal((await scene.status('job')).skipsInRow, 0);
    assert.deepEqual(
      (await scene.events()).map((event) => event.kind),
      ['run.already_ran'],
    );
  }),

  fact('the latest slot that ran to success is remembered, in whatever order they end', async (scene) => {
    const slot = await scene.now();
    assert.deepEqual(await scene.store.marks('job'), { lastSuccessSlotAt: null, progress: null });
    const slow = await scene.acquired('job', { slotAt: scene.dateAt(slot), leaseMs: HOUR });
    await scene.advance(HOUR);
    const next = await scene.reclaimed('job', { slotAt: scene.dateAt(slot + HOUR) });
    await scene.renew(next, { progress: '3 of 4' });
    await scene.release(next, { status: 'success' });
    await scene.release(slow, { status: 'success' });
    const marks = await scene.store.marks('job');
    assert.deepEqual([scene.at(marks.lastSuccessSlotAt), marks.progress], [slot + HOUR, '3 of 4']);
  }),
];

/** Starts a slot and gives the lock back with this status. */
async function runSlot(
  scene: Scene,
  slotAt: Date,
  status: RunStatus | null,
  again = false,
  lock = 'job',
): Promise<Lease> {
  const lease = await scene.acquired(lock, { slotAt, again });
  await scene.release(lease, { status });
  return lease;
}
