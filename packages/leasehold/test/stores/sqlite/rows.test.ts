import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { AcquireAnswer } from '../../../src/domain/answers.ts';
import { LEASE_MS_MAX } from '../../../src/domain/limits.ts';
import type { Store } from '../../../src/ports/store.ts';
import { FakeClock } from '../../../src/testing/index.ts';
import { changeFile, HOUR, MINUTE, openStore, rowsIn, startOf, temporaryFolder } from './stage.ts';

/** What stands in the tables after a call, beyond what the port shows. Clock: one that stands still. */

interface Scene {
  readonly store: Store;
  readonly path: string;
  readonly clock: FakeClock;
}

async function openScene(t: TestContext): Promise<Scene> {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  return { store: await openStore(t, path, clock), path, clock };
}

function tokenOf(answer: AcquireAnswer): string {
  assert.ok('token' in answer, answer.message);
  return answer.token;
}

function renewal(token: string): Parameters<Store['renew']>[0] {
  return { lock: 'job', token, leaseMs: null, progress: null, holderInfo: null };
}

test('a reclaim notes on the lost run when it was lost and last renewed, and when it is released late, its end', async (t) => {
  const { store, path, clock } = await openScene(t);
  const token = tokenOf(await store.acquire(startOf('job', { runId: 'slow' })));
  await clock.advance(MINUTE);
  await store.renew(renewal(token));
  const renewedAt = clock.read().wallMs;
  await clock.advance(2 * HOUR);
  await store.acquire(startOf('job'));
  const lostAt = clock.read().wallMs;
  await clock.advance(MINUTE);
  const answer = await store.release({ lock: 'job', token, status: 'success', afterMs: 0, lost: null });
  assert.equal(answer.outcome, 'not_holder');
  const sql = "select lost_at, renewed_at, ended_at, status from runs where run_id = 'slow'";
  const endedAt = clock.read().wallMs;
  assert.deepEqual(rowsIn(path, sql), [
    { lost_at: lostAt, renewed_at: renewedAt, ended_at: endedAt, status: 'success' },
  ]);
  await clock.advance(MINUTE);
  await store.release({ lock: 'job', token, status: 'failure', afterMs: 0, lost: null });
  assert.deepEqual(rowsIn(path, sql)[0]?.['ended_at'], endedAt, 'the first end counts');
  assert.deepEqual(rowsIn(path, sql)[0]?.['status'], 'success', 'a status is never changed');
  assert.deepEqual(rowsIn(path, 'select last_success_at from locks'), [{ last_success_at: endedAt }]);
});

test('what was asked is stored with each start: slot, again, trigger, grace, holder info', async (t) => {
  const { store, path } = await openScene(t);
  const slotAt = new Date(Date.UTC(2026, 0, 5, 3));
  const asked = { slotAt, again: true, trigger: 'schedule', graceMs: 5_000, holderInfo: { pid: 7 } };
  await store.acquire(startOf('job', asked));
  await store.acquire(startOf('job', asked));
  const stored = {
    slot_at: slotAt.getTime(),
    again: 1,
    trigger: 'schedule',
    grace_ms: 5_000,
    holder_info: '{"pid":7}',
    lease_ms: HOUR,
  };
  assert.deepEqual(
    rowsIn(path, 'select slot_at, again, trigger, grace_ms, holder_info, lease_ms from runs order by seq'),
    [stored, stored],
  );
});

test('a release on time ends the lease at once and keeps who had it', async (t) => {
  const { store, path, clock } = await openScene(t);
  const token = tokenOf(await store.acquire(startOf('job', { runId: 'run-a', holder: 'host:a' })));
  await clock.advance(MINUTE);
  const now = clock.read().wallMs;
  await store.release({ lock: 'job', token, status: null, afterMs: MINUTE, lost: null });
  assert.deepEqual(rowsIn(path, 'select token, lease_until, free_at, run_id, holder, since, drain_until from locks'), [
    {
      token: null,
      lease_until: now,
      free_at: now + MINUTE,
      run_id: 'run-a',
      holder: 'host:a',
      since: now - MINUTE,
      drain_until: null,
    },
  ]);
});

test('a late release leaves the end of the lease as it was', async (t) => {
  const { store, path, clock } = await openScene(t);
  const end = clock.read().wallMs + HOUR;
  const token = tokenOf(await store.acquire(startOf('job')));
  await clock.advance(2 * HOUR);
  assert.equal((await store.release({ lock: 'job', token, status: null, afterMs: 0, lost: null })).outcome, 'expired');
  assert.deepEqual(rowsIn(path, 'select lease_until from locks'), [{ lease_until: end }]);
});

test('a run that drains and asks again keeps its row: it is the one that has the lock', async (t) => {
  const { store, path } = await openScene(t);
  const start = startOf('job', { graceMs: MINUTE });
  const token = tokenOf(await store.acquire(start));
  await store.forceRelease({ lock: 'job', reason: 'hangs', atOnce: false });
  const before = rowsIn(path, 'select * from runs');
  const again = await store.acquire(start);
  assert.ok(again.outcome === 'skipped' && again.reason === 'draining', again.message);
  assert.deepEqual(rowsIn(path, 'select * from runs'), before);
  assert.equal(
    (await store.release({ lock: 'job', token, status: 'success', afterMs: 0, lost: null })).outcome,
    'released',
  );
});

test('a start that is asked again keeps the instant of its first ask until it proceeds', async (t) => {
  const { store, path, clock } = await openScene(t);
  const token = tokenOf(await store.acquire(startOf('job')));
  const first = clock.read().wallMs;
  const start = startOf('job', { runId: 'again' });
  await store.acquire(start);
  await clock.advance(MINUTE);
  await store.acquire(start);
  const sql = "select started_at, age_ms, told, counted from runs where run_id = 'again'";
  assert.deepEqual(rowsIn(path, sql), [{ started_at: first, age_ms: MINUTE, told: 1, counted: 1 }]);
  await store.release({ lock: 'job', token, status: null, afterMs: 0, lost: null });
  await store.acquire(start);
  assert.deepEqual(rowsIn(path, sql), [{ started_at: first + MINUTE, age_ms: null, told: 0, counted: 0 }]);
});

test('a bypass keeps its reason for a repeat, apart from the reasons of skips', async (t) => {
  const { store, path } = await openScene(t);
  const start = startOf('job', { bypassReason: 'fire drill' });
  const first = await store.acquire(start);
  assert.deepEqual(await store.acquire({ ...start, bypassReason: null }), first);
  assert.deepEqual(rowsIn(path, 'select reason, bypass_reason from runs'), [
    { reason: null, bypass_reason: 'fire drill' },
  ]);
});

test('a replay writes nothing', async (t) => {
  const { store, path, clock } = await openScene(t);
  const start = startOf('job');
  const token = tokenOf(await store.acquire(start));
  const all = (): unknown[] =>
    ['locks', 'runs', 'events', 'clock'].map((table) => rowsIn(path, `select * from ${table}`));
  const before = all();
  await clock.advance(MINUTE);
  assert.equal(tokenOf(await store.acquire(start)), token);
  assert.deepEqual(all(), before);
});

test('a lock whose row was lost goes on with its fences', async (t) => {
  const { store, path } = await openScene(t);
  for (let run = 0; run < 3; run += 1) {
    await store.release({
      lock: 'job',
      token: tokenOf(await store.acquire(startOf('job'))),
      status: null,
      afterMs: 0,
      lost: null,
    });
  }
  changeFile(path, 'delete from locks');
  const answer = await store.acquire(startOf('job'));
  assert.ok(answer.outcome === 'acquired' && answer.fence === 4, answer.message);
  await store.acquire(startOf('other'));
  assert.deepEqual(rowsIn(path, "select fence from locks where name = 'other'"), [{ fence: 1 }]);
});

test('JSON that somebody spoilt by hand is nothing known, and jams nothing', async (t) => {
  const { store, path } = await openScene(t);
  const start = startOf('job');
  await store.acquire(start);
  changeFile(
    path,
    "update locks set holder_info = 'not json'; update runs set previous = '[1]', outcome = 'reclaimed'",
  );
  const again = await store.acquire(start);
  assert.ok(again.outcome === 'reclaimed', again.message);
  assert.equal(again.previous.holder, null);
  assert.equal((await store.status({ lock: 'job', limit: 1 }))[0]?.holderInfo, null);
});

test('a row of the past that ends at the end of time is held for the longest lease from now', async (t) => {
  const { store, path, clock } = await openScene(t);
  changeFile(path, "insert into locks (name, token, since, lease_until) values ('job', 't', -1, 8640000000000000)");
  const [status] = await store.status({ lock: 'job', limit: 1 });
  assert.deepEqual([status?.state, status?.leaseUntil], ['held', new Date(clock.read().wallMs + LEASE_MS_MAX)]);
  const answer = await store.acquire(startOf('job'));
  assert.ok(answer.outcome === 'skipped' && answer.reason === 'held', answer.message);
  assert.equal((await store.forceRelease({ lock: 'job', reason: 'odd', atOnce: true })).outcome, 'released');
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
});

test('a slot has its latest run until one has done it, and then the one that did', async (t) => {
  const { store, path, clock } = await openScene(t);
  const slotAt = new Date(clock.read().wallMs);
  const sql = 'select is_done, run_id, holder, started_at, ended_at from slots';
  const runs = [
    ['first', 'failure', false],
    ['second', 'success', false],
    ['third', 'failure', true],
  ] as const;
  for (const [runId, status, again] of runs) {
    const token = tokenOf(await store.acquire(startOf('job', { runId, holder: 'h', slotAt, again })));
    await clock.advance(MINUTE);
    await store.release({ lock: 'job', token, status, afterMs: 0, lost: null });
    const isFirst = runId === 'first';
    const begun = slotAt.getTime() + (isFirst ? 0 : MINUTE);
    assert.deepEqual(rowsIn(path, sql), [
      {
        is_done: isFirst ? 0 : 1,
        run_id: isFirst ? 'first' : 'second',
        holder: 'h',
        started_at: begun,
        ended_at: isFirst ? null : begun + MINUTE,
      },
    ]);
  }
});
