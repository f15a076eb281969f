import assert from 'node:assert/strict';
import { DAY, MINUTE, SECOND } from './stage/timeline.ts';
import { type Fact, fact } from './stage/fact.ts';

export const acquireFacts: readonly Fact[] = [
  fact('the first start of a lock is acquired with fence 1 and a whole lease', async (scene) => {
    const before = await scene.now();
    const lease = await scene.acquired('job', { leaseMs: 10 * MINUTE });
    assert.equal(lease.fence, 1);
    assert.equal(lease.remainingMs, 10 * MINUTE);
    scene.assertElapsed(scene.at(lease.leaseUntil), before + 10 * MINUTE, 'leaseUntil');
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('the row of an acquired start has what was asked and what was given', async (scene) => {
    const before = await scene.now();
    const request = scene.request('job', {
      holder: 'exec-7',
      holderInfo: { platform: 'n8n', pid: 41, labels: ['a', 'b'], nested: { deep: null } },
      slotAt: scene.dateAt(before),
      trigger: 'schedule',
    });
    const answer = await scene.store.acquire(request);
    const run = await scene.runOf(answer);
    scene.assertElapsed(scene.at(run.startedAt), before, 'startedAt');
    assert.deepEqual(run, {
      runId: request.runId,
      lock: 'job',
      outcome: 'acquired',
      reason: null,
      slotAt: request.slotAt,
      holder: 'exec-7',
      holderInfo: { platform: 'n8n', pid: 41, labels: ['a', 'b'], nested: { deep: null } },
      trigger: 'schedule',
      fence: 1,
      startedAt: run.startedAt,
      endedAt: null,
      status: null,
      leaseMs: 10 * MINUTE,
      renewedAt: null,
      ageMs: null,
      previousRunId: null,
      message: answer.message,
    });
  }),

  fact('a start that says nothing of slot, trigger and holder leaves them unknown', async (scene) => {
    const run = await scene.runOf(await scene.acquired('job'));
    assert.deepEqual([run.slotAt, run.trigger, run.holderInfo], [null, null, null]);
  }),

  fact('a slot is kept to the millisecond', async (scene) => {
    const slotAt = scene.dateAt((await scene.now()) - 123_456);
    const answer = await scene.acquired('job', { slotAt });
    assert.deepEqual((await scene.runOf(answer)).slotAt, slotAt);
  }),

  fact('a released lock is acquired again, with the next fence and another token', async (scene) => {
    const first = await scene.acquired('job');
    await scene.release(first, { status: 'success' });
    const second = await scene.acquired('job');
    assert.equal(second.fence, 2);
    assert.notEqual(second.token, first.token);
    assert.equal((await scene.runOf(second)).previousRunId, null);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('fences grow by one and tokens never repeat, however the lease before ended', async (scene) => {
    const released = await scene.acquired('job');
    await scene.release(released);
    const expired = await scene.acquired('job');
    await scene.advance(10 * MINUTE);
    const forced = await scene.reclaimed('job');
    await scene.freeNow('job');
    const last = await scene.reclaimed('job');
    const leases = [released, expired, forced, last];
    assert.deepEqual(
      leases.map((lease) => lease.fence),
      [1, 2, 3, 4],
    );
    assert.equal(new Set(leases.map((lease) => lease.token)).size, 4);
  }),

  fact('a lock knows nothing of another', async (scene) => {
    const first = await scene.acquired('job-a');
    const second = await scene.acquired('job-b');
    assert.deepEqual([first.fence, second.fence], [1, 1]);
    await scene.skipped('job-a', 'held');
    assert.equal((await scene.status('job-b')).skipsInRow, 0);
    await scene.release(first);
    assert.equal(await scene.isHolder(second), true);
  }),

  fact('names are told apart by every byte', async (scene) => {
    const names = ['job', 'JOB', 'Job', 'job ', ' job', 'j\u00f6b', 'jo\u0308b', 'job%', 'job_', 'ｊob', 'ſob', 'sob'];
    for (const name of names) await scene.acquired(name);
    assert.equal((await scene.store.status({ lock: null, limit: 100 })).length, names.length);
  }),

  fact('names, holders and ids of any letters come back as they were, in the words too', async (scene) => {
    const names = [
      `it's "quoted" \\ 100% $HOME {} ; drop`,
      '毎時 ジョブ',
      '🦉',
      'a/b:c@d+e%f-g.h_i',
      "''",
      '$1 \\1 %s %L',
    ];
    for (const name of names) {
      const answer = await scene.acquired(name, {
        holder: name,
        runId: name,
        trigger: name,
        holderInfo: { [name]: name },
      });
      const run = await scene.runOf(answer);
      assert.deepEqual(
        [run.lock, run.holder, run.runId, run.trigger, run.holderInfo, run.message],
        [name, name, name, name, { [name]: name }, answer.message],
      );
      const skip = await scene.skipped(name, 'held');
      assert.equal(skip.current.holder, name);
    }
  }),

  fact('the longest names and ids fit', async (scene) => {
    const name = 'ü'.repeat(127) + 'x';
    const id = '€'.repeat(341) + 'x';
    const answer = await scene.acquired(name, { holder: id, runId: id });
    const run = await scene.runOf(answer);
    assert.deepEqual([run.lock, run.holder, run.runId], [name, id, id]);
    assert.equal((await scene.release(answer)).outcome, 'released');
  }),

  fact('the shortest lease is 1 s and the longest 31 days, and neither is rounded', async (scene) => {
    const short = await scene.acquired('short', { leaseMs: SECOND });
    const odd = await scene.acquired('odd', { leaseMs: 61_001 });
    const long = await scene.acquired('long', { leaseMs: 31 * DAY });
    assert.deepEqual([short.remainingMs, odd.remainingMs, long.remainingMs], [SECOND, 61_001, 31 * DAY]);
    await scene.advanceToJustBefore(31 * DAY);
    await scene.skipped('long', 'held');
    await scene.reclaimed('odd');
  }),

  fact('a lease lives by its own length, not by that of the start which meets it', async (scene) => {
    await scene.acquired('job', { leaseMs: 60 * MINUTE });
    await scene.advance(30 * MINUTE);
    const skip = await scene.skipped('job', 'held', { leaseMs: MINUTE });
    scene.assertRemaining(skip.current.remainingMs, 30 * MINUTE);
  }),

  fact('a grant ends the row of skips', async (scene) => {
    const lease = await scene.acquired('job');
    await scene.skipped('job', 'held');
    await scene.skipped('job', 'held');
    await scene.release(lease);
    assert.equal((await scene.acquired('job')).skipsInRow, 0);
    assert.equal((await scene.status('job')).skipsInRow, 0);
    assert.equal((await scene.skipped('job', 'held')).skipsInRow, 1);
  }),
];
