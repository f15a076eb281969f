import assert from 'node:assert/strict';
import type { AcquireAnswer } from '../../domain/answers.ts';
import { MISSED_SLOTS_MAX } from '../../domain/slot.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

/** What became of no success is handed to the next run: its data windows are still to be done. */
export const missedFacts: readonly Fact[] = [
  fact('the run after a long one receives the slots that were skipped meanwhile (C61)', async (scene) => {
    const nine = await scene.now();
    const lease = await scene.acquired('job', { slotAt: scene.dateAt(nine), leaseMs: 4 * HOUR });
    assert.deepEqual(lease.missed, []);
    for (const hours of [1, 2]) {
      await scene.advance(HOUR);
      await scene.skipped('job', 'held', { slotAt: scene.dateAt(nine + hours * HOUR) });
    }
    await scene.advance(HOUR);
    await scene.release(lease, { status: 'success' });
    const next = await scene.acquired('job', { slotAt: scene.dateAt(nine + 3 * HOUR) });
    assert.deepEqual(at(scene, next), [nine + HOUR, nine + 2 * HOUR]);
    await scene.release(next, { status: 'success' });
    assert.deepEqual((await scene.acquired('job', { slotAt: scene.dateAt(nine + 4 * HOUR) })).missed, []);
  }),

  fact(
    'of twelve missed slots that fire together one is acquired, and the next run is told the other eleven (C59)',
    async (scene) => {
      const now = await scene.now();
      const slots = Array.from({ length: 12 }, (_, index) => now - (12 - index) * 5 * MINUTE);
      const answers: AcquireAnswer[] = [];
      for (const slot of slots) answers.push(await scene.start('job', { slotAt: scene.dateAt(slot) }));
      assert.deepEqual(
        answers.map((answer) => answer.outcome),
        ['acquired', ...Array<string>(11).fill('skipped')],
      );
      assert.equal((await scene.status('job')).skipsInRow, 11);
      assert.deepEqual(
        at(scene, answers[11]),
        slots.slice(0, 11),
        'every slot before its own, the one under way as well',
      );
      const [lease] = answers;
      assert.ok(lease?.outcome === 'acquired');
      await scene.release(lease, { status: 'success' });
      const next = await scene.acquired('job', { slotAt: scene.dateAt(now) });
      assert.deepEqual(at(scene, next), slots.slice(1));
    },
  ),

  fact(
    'a slot that fires twice in a moment is acquired once, and is no missed slot of its own (C09)',
    async (scene) => {
      const slot = await scene.now();
      const lease = await scene.acquired('job', { slotAt: scene.dateAt(slot) });
      const skip = await scene.skipped('job', 'held', { slotAt: scene.dateAt(slot) });
      assert.deepEqual(skip.missed, []);
      await scene.release(lease, { status: 'success' });
      assert.deepEqual((await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR) })).missed, []);
    },
  ),

  fact('150 skipped slots behind one long run are all told to the next, and disable nothing (C60)', async (scene) => {
    const first = await scene.now();
    const lease = await scene.acquired('job', { slotAt: scene.dateAt(first), leaseMs: 300 * HOUR });
    const skipped = Array.from({ length: 150 }, (_, index) => first + (index + 1) * HOUR);
    for (const slot of skipped) await scene.skipped('job', 'held', { slotAt: scene.dateAt(slot) });
    await scene.release(lease, { status: 'success' });
    const next = await scene.acquired('job', { slotAt: scene.dateAt(first + 151 * HOUR) });
    assert.deepEqual(at(scene, next), skipped);
  }),

  fact('slots whose runs failed, ended without a status or were lost are missed', async (scene) => {
    const slot = await scene.now();
    const slotAt = (hours: number): { slotAt: Date } => ({ slotAt: scene.dateAt(slot + hours * HOUR) });
    await scene.release(await scene.acquired('job', slotAt(0)), { status: 'success' });
    await scene.release(await scene.acquired('job', slotAt(1)), { status: 'failure' });
    await scene.release(await scene.acquired('job', slotAt(2)));
    await scene.acquired('job', { ...slotAt(3), leaseMs: HOUR });
    await scene.advance(HOUR);
    const last = await scene.reclaimed('job', slotAt(4));
    assert.deepEqual(
      at(scene, last),
      [1, 2, 3].map((hours) => slot + hours * HOUR),
    );
  }),

  fact('a late success takes its slot from the list, and leaves those after it there', async (scene) => {
    const slot = await scene.now();
    const slow = await scene.acquired('job', { slotAt: scene.dateAt(slot), leaseMs: HOUR });
    await scene.advance(HOUR);
    const second = await scene.reclaimed('job', { slotAt: scene.dateAt(slot + HOUR) });
    assert.deepEqual(at(scene, second), [slot]);
    await scene.release(slow, { status: 'success' });
    await scene.release(second, { status: 'failure' });
    assert.deepEqual(at(scene, await scene.acquired('job', { slotAt: scene.dateAt(slot + 2 * HOUR) })), [slot + HOUR]);
  }),

  fact('only slots since the last success count, whatever became of those before it', async (scene) => {
    const slot = await scene.now();
    await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(slot) }), { status: 'failure' });
    await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR) }), { status: 'success' });
    assert.deepEqual((await scene.acquired('job', { slotAt: scene.dateAt(slot + 2 * HOUR) })).missed, []);
  }),

  fact('a start is told the slots before its own; a start without a slot is told all', async (scene) => {
    const slot = await scene.now();
    for (const hours of [2, 0, 1]) {
      const lease = await scene.acquired('job', { slotAt: scene.dateAt(slot + hours * HOUR) });
      await scene.release(lease, { status: 'failure' });
    }
    const manual = await scene.acquired('job');
    assert.deepEqual(at(scene, manual), [slot, slot + HOUR, slot + 2 * HOUR]);
    const skip = await scene.skipped('job', 'held', { slotAt: scene.dateAt(slot + HOUR) });
    assert.deepEqual(at(scene, skip), [slot]);
    await scene.release(manual, { status: 'success' });
    assert.equal(at(scene, await scene.acquired('job')).length, 3, 'a success without a slot does none');
  }),

  fact('every answer has the list: acquired, reclaimed, skipped, already ran, bypassed and a repeat', async (scene) => {
    const slot = await scene.now();
    const failed = await scene.acquired('job', { slotAt: scene.dateAt(slot) });
    await scene.release(failed, { status: 'failure' });
    const slow = await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR), leaseMs: HOUR });
    await scene.advance(HOUR);
    const same = { runId: 'run-x', holder: 'exec-x', slotAt: scene.dateAt(slot + 2 * HOUR) };
    const asks = [same, same, {}, { bypassReason: 'hotfix' }];
    for (const ask of asks) {
      const answer = await scene.start('job', ask);
      const expected = ask === same || answer.outcome === 'reclaimed' ? [slot, slot + HOUR] : undefined;
      assert.deepEqual(at(scene, answer), expected ?? [slot, slot + HOUR, slot + 2 * HOUR], answer.outcome);
    }
    await scene.release(slow, { status: 'success' });
    const done = await scene.alreadyRan('job', { slotAt: scene.dateAt(slot + HOUR) });
    assert.deepEqual(done.missed, [], 'the first slot lies before the last success');
  }),

  fact('a lock is told nothing of the slots of another', async (scene) => {
    const slot = await scene.now();
    await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(slot) }), { status: 'failure' });
    assert.deepEqual((await scene.acquired('other-job', { slotAt: scene.dateAt(slot + HOUR) })).missed, []);
  }),

  fact('the newest 1,000 slots of a lock are kept', async (scene) => {
    const first = await scene.now();
    await scene.acquired('job', { leaseMs: HOUR });
    const slots = Array.from({ length: MISSED_SLOTS_MAX + 3 }, (_, index) => first + index * MINUTE);
    for (const slot of slots) await scene.start('job', { slotAt: scene.dateAt(slot), waiting: true });
    const told = at(scene, await scene.skipped('job', 'held'));
    assert.deepEqual([told.length, told[0], told.at(-1)], [MISSED_SLOTS_MAX, slots[3], slots.at(-1)]);
  }),

  fact(
    'a lock whose row was lost still knows which slots are done, and tells of no old ones anew',
    async (scene) => {
      const slot = await scene.now();
      await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(slot) }), { status: 'failure' });
      await scene.release(await scene.acquired('job', { slotAt: scene.dateAt(slot + HOUR) }), { status: 'success' });
      await scene.deleteLock('job');
      await scene.alreadyRan('job', { slotAt: scene.dateAt(slot + HOUR) });
      assert.deepEqual((await scene.acquired('job', { slotAt: scene.dateAt(slot + 2 * HOUR) })).missed, []);
    },
    ['hand_written_rows'],
  ),
];

/** The missed slots of an answer, on the test's line of time. */
function at(scene: Scene, answer: AcquireAnswer | undefined): number[] {
  assert.ok(answer !== undefined);
  return answer.missed.map((slot) => scene.at(slot));
}
