import assert from 'node:assert/strict';
import { replayMessage } from '../../domain/messages.ts';
import type { AcquireRequest } from '../../ports/store.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR, MINUTE } from './stage/timeline.ts';

const SAME = { holder: 'exec-1', runId: 'run-x', leaseMs: HOUR };

/** The same start asked again: its answer was lost, or somebody else presents its run id. */
export const replayFacts: readonly Fact[] = [
  fact('the same start asked again gets the same token with what remains of its lease', async (scene) => {
    const first = await scene.acquired('job', SAME);
    await scene.advance(20 * MINUTE);
    const end = scene.at((await scene.status('job')).leaseUntil);
    const again = await scene.acquired('job', { ...SAME, leaseMs: 9 * HOUR });
    assert.deepEqual([again.token, again.fence, scene.at(again.leaseUntil)], [first.token, 1, end]);
    scene.assertRemaining(again.remainingMs, 40 * MINUTE);
    assert.equal(again.message, replayMessage('job', 'run-x', again.leaseUntil.getTime()));
    assert.equal(scene.at((await scene.status('job')).leaseUntil), end, 'asking renews nothing');
  }),

  fact('the same start asked again is neither a row nor an event nor a skip', async (scene) => {
    const first = await scene.acquired('job', SAME);
    await scene.acquired('job', SAME);
    const run = await scene.runOf(first);
    assert.deepEqual([run.outcome, run.message], ['acquired', first.message]);
    assert.equal((await scene.runs()).length, 1);
    assert.equal(await scene.countEvents(), 0);
    assert.equal((await scene.status('job')).skipsInRow, 0);
  }),

  fact('the same start asked again after a renewal gets what the renewal left', async (scene) => {
    const first = await scene.acquired('job', SAME);
    await scene.advance(30 * MINUTE);
    await scene.renew(first);
    scene.assertRemaining((await scene.acquired('job', SAME)).remainingMs, HOUR);
  }),

  fact('the same start of a reclaimed lease is answered reclaimed again, with whose lease it was', async (scene) => {
    const old = await scene.acquired('job', { holder: 'exec-0', leaseMs: HOUR });
    await scene.advance(HOUR);
    const first = await scene.reclaimed('job', SAME);
    await scene.advance(MINUTE);
    const again = await scene.reclaimed('job', SAME);
    assert.deepEqual([again.token, again.fence], [first.token, first.fence]);
    assert.deepEqual(
      [again.previous.runId, again.previous.holder, again.previous.ageMs],
      [old.runId, 'exec-0', first.previous.ageMs],
    );
    assert.equal(await scene.countEvents('lease.reclaimed'), 1);
  }),

  fact('a start whose lease is over is told that its run has ended: no row, no count, no event', async (scene) => {
    const lease = await scene.acquired('job', SAME);
    await scene.release(lease, { status: 'success' });
    await staysEnded(scene, 'released');
    const next = await scene.acquired('job', { holder: 'exec-2', leaseMs: HOUR });
    const skip = await staysEnded(scene, 'another holds the lock');
    assert.deepEqual([skip.current.holder, skip.current.runId], ['exec-2', next.runId]);
    assert.equal(skip.skipsInRow, 0);
  }),

  fact('a start whose lease expired has ended even if nobody took it', async (scene) => {
    await scene.acquired('job', SAME);
    await scene.advance(HOUR);
    await staysEnded(scene, 'expired');
    assert.equal((await scene.status('job')).state, 'stale');
    await scene.reclaimed('job');
    await staysEnded(scene, 'taken over');
  }),

  fact('a repeated start is told the slot that it was asked for first', async (scene) => {
    const slotAt = new Date(Date.UTC(2026, 0, 1));
    const lease = await scene.acquired('job', { ...SAME, slotAt });
    const again = await scene.acquired('job', { ...SAME, slotAt: new Date(Date.UTC(2026, 0, 2)) });
    assert.deepEqual([again.token, again.slotAt], [lease.token, slotAt]);
    const bypass = { ...SAME, holder: 'exec-2', bypassReason: 'fire drill' };
    await scene.start('job', { ...bypass, slotAt });
    assert.deepEqual((await scene.start('job', bypass)).slotAt, slotAt);
  }),

  fact('a start whose lock was freed by force has ended', async (scene) => {
    await scene.acquired('job', SAME);
    await scene.freeNow('job');
    await staysEnded(scene, 'freed');
    await scene.reclaimed('job');
  }),

  fact('a start whose lock drains gets no token any more, and its row stays', async (scene) => {
    const lease = await scene.acquired('job', SAME);
    await scene.drain('job');
    await scene.skipped('job', 'draining', SAME);
    assert.equal((await scene.runs()).length, 1);
    assert.equal((await scene.runOf(lease)).outcome, 'acquired');
    assert.equal((await scene.status('job')).skipsInRow, 0);
  }),

  fact('a run id presented by another holder is a second start, with its own row (C08, C53)', async (scene) => {
    const lease = await scene.acquired('job', SAME);
    const skip = await scene.skipped('job', 'held', { ...SAME, holder: 'exec-2' });
    assert.deepEqual([skip.current.holder, skip.skipsInRow], ['exec-1', 1]);
    const rows = await scene.store.runs({ lock: 'job', runId: 'run-x', limit: 100 });
    assert.deepEqual(
      rows.map((run) => [run.holder, run.outcome]),
      [
        ['exec-2', 'skipped'],
        ['exec-1', 'acquired'],
      ],
    );
    await scene.release(lease);
    const second = await scene.acquired('job', { ...SAME, holder: 'exec-2' });
    assert.notEqual(second.token, lease.token);
    await staysEnded(scene, 'the first stays ended');
  }),

  fact('a run id says nothing about another lock', async (scene) => {
    await scene.acquired('job', SAME);
    const other = await scene.acquired('other-job', SAME);
    assert.equal(other.fence, 1);
    assert.equal((await scene.runs()).length, 2);
  }),

  fact('a skipped start asked again is decided anew on its own row, and counted once', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.skipped('job', 'held', SAME);
    await scene.advance(MINUTE);
    const again = await scene.skipped('job', 'held', SAME);
    assert.equal(again.skipsInRow, 1);
    assert.equal((await scene.runOf(again)).message, again.message, 'the row has the latest answer');
    assert.equal(await scene.countEvents('run.skipped'), 1);
    assert.equal((await scene.runs()).length, 2);
    await scene.release(lease);
    const now = await scene.now();
    const granted = await scene.acquired('job', SAME);
    const run = await scene.runOf(granted);
    assert.deepEqual(
      [run.outcome, run.reason, run.fence, run.leaseMs, run.ageMs, run.message],
      ['acquired', null, 2, HOUR, null, granted.message],
    );
    scene.assertElapsed(scene.at(run.startedAt), now, 'startedAt');
    assert.equal((await scene.runs()).length, 2);
  }),

  fact('a start skipped for another reason first is counted and told once it is skipped as held', async (scene) => {
    await scene.release(await scene.acquired('job'), { afterMs: HOUR });
    await scene.skipped('job', 'cooling', SAME);
    await scene.advance(HOUR);
    await scene.acquired('job');
    for (let ask = 0; ask < 2; ask += 1) assert.equal((await scene.skipped('job', 'held', SAME)).skipsInRow, 1);
    assert.deepEqual(
      (await scene.events('run.skipped')).map((event) => [event.severity, event.data?.['reason']]),
      [
        ['warning', 'held'],
        ['info', 'cooling'],
      ],
    );
  }),

  fact('a skipped start asked again keeps the instant of its first ask', async (scene) => {
    await scene.acquired('job', { leaseMs: 2 * HOUR });
    const now = await scene.now();
    await scene.skipped('job', 'held', SAME);
    await scene.advance(HOUR);
    const again = await scene.skipped('job', 'held', SAME);
    const run = await scene.runOf(again);
    scene.assertElapsed(scene.at(run.startedAt), now, 'startedAt');
    assert.equal(run.ageMs, again.current.ageMs, 'the age is that of the latest ask, as is the message');
  }),

  fact('a start counted before a grant is counted again only as a new start', async (scene) => {
    const first = await scene.acquired('job');
    await scene.skipped('job', 'held', SAME);
    await scene.release(first);
    await scene.acquired('job');
    assert.equal((await scene.skipped('job', 'held', SAME)).skipsInRow, 0, 'it was counted behind the first run');
    assert.equal((await scene.skipped('job', 'held')).skipsInRow, 1);
  }),
];

async function staysEnded(scene: Scene, why: string) {
  const count = async (): Promise<unknown[]> => [
    await scene.runs(),
    await scene.events(),
    await scene.store.status({ lock: 'job', limit: 1 }).then((rows) => rows.map((row) => [row.state, row.skipsInRow])),
  ];
  const before = await count();
  const request: Partial<AcquireRequest> = SAME;
  const skip = await scene.skipped('job', 'run_ended', request);
  assert.deepEqual(await count(), before, why);
  return skip;
}
