/**
 * onBusy: wait. Clock: fake. The ids' random number is always one half, so the jittered pauses are
 * three quarters of 250 ms, 375 ms, … up to 2 s.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Start } from '../../src/engine/api.ts';
import { refused } from './scripted-store.ts';
import { held, openStage, type Stage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

/** Holds `job` by the raw store, so that no heartbeat is in the way. */
async function rivalHolds(stage: Stage, leaseMs: number): Promise<string> {
  const start = await stage.rawStore.acquire({
    lock: 'job',
    leaseMs,
    holder: 'rival',
    holderInfo: null,
    runId: 'rival-run',
    slotAt: null,
    onStale: 'reclaim',
    again: false,
    trigger: null,
    graceMs: 0,
    waiting: false,
    bypassReason: null,
    plan: null,
  });
  return held(start).token;
}

function waiting(stage: Stage, waitMs: number, more: { signal?: AbortSignal } = {}): Promise<Start> {
  return stage.lock.acquire({ ...LEASE, renewal: 'touch', onBusy: { waitMs }, ...more });
}

test('the remaining time counts from the grant, not from the start of the wait (C33)', async () => {
  await using stage = await openStage();
  const token = await rivalHolds(stage, 120_000);
  const asking = waiting(stage, 90_000);
  await stage.advance(50_000);
  await stage.rawStore.release({ lock: 'job', token, status: null, afterMs: 0, lost: null });
  await stage.advance(2_000);
  const start = held(await asking);
  assert.equal(start.outcome, 'acquired');
  assert.equal(start.remainingMs, 60_000);
  assert.ok(start.trustRemainingMs() > 57_900, `${start.trustRemainingMs()} ms`);
});

test('a wait asks as one and the same run, and says that it waits in all asks but the last', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 120_000);
  const asking = waiting(stage, 10_000);
  await stage.advance(10_000);
  const start = await asking;
  assert.equal(start.outcome, 'skipped');
  const asked = stage.store.callsOf('acquire').map(({ request }) => request);
  assert.equal(new Set(asked.map((request) => request['runId'])).size, 1);
  assert.deepEqual(
    asked.map((request) => request['waiting']),
    [...asked.slice(1).map(() => true), false],
  );
});

test('a wait that ends in a skip is one row, counted once and told once', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 120_000);
  const asking = waiting(stage, 10_000);
  await stage.advance(10_000);
  const start = await asking;
  assert.equal(start.skipsInRow, 1);
  assert.equal((await stage.leasehold.runs({ runId: start.runId })).length, 1);
  assert.equal((await stage.leasehold.events({ kind: 'run.skipped' })).length, 1);
});

test('pauses grow from a quarter of a second to two, and the last ask comes at the bound', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 120_000);
  const asking = waiting(stage, 20_000);
  await stage.advance(20_000);
  await asking;
  const times = stage.store.callsOf('acquire').map((call) => call.atMs - 1_000);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  assert.deepEqual(pauses.slice(0, 3), [188, 282, 422]);
  assert.ok(pauses.every((pause) => pause <= 2_000));
  assert.equal(times.at(-1), 20_000);
});

test('a wait asks again as soon as the lease in its way ends', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 5_100);
  const asking = waiting(stage, 60_000);
  await stage.advance(5_150);
  assert.equal((await asking).outcome, 'reclaimed');
});

test('a lock that was free is granted at the first ask', async () => {
  await using stage = await openStage();
  assert.equal((await waiting(stage, 60_000)).outcome, 'acquired');
  assert.equal(stage.store.callsOf('acquire').length, 1);
});

test('a wait of 0 is a skip', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 60_000);
  assert.equal((await waiting(stage, 0)).outcome, 'skipped');
  assert.deepEqual(
    stage.store.callsOf('acquire').map(({ request }) => request['waiting']),
    [false],
  );
});

test('a slot that is done meanwhile ends the wait, and that it already ran is told', async () => {
  await using stage = await openStage();
  const slotAt = new Date('2026-01-05T06:00:00Z');
  const first = held(await stage.lock.acquire({ ...LEASE, renewal: 'touch', slotAt }));
  const asking = stage.lock.acquire({ ...LEASE, renewal: 'touch', slotAt, onBusy: { waitMs: 60_000 } });
  await stage.advance(1_000);
  await first.release({ status: 'success' });
  await stage.advance(2_000);
  const start = await asking;
  assert.equal(start.outcome, 'already_ran');
  const told = await stage.leasehold.events({ kind: 'run.already_ran' });
  assert.deepEqual(
    told.map(({ runId }) => runId),
    [start.runId],
  );
  assert.equal((await stage.leasehold.events({ kind: 'run.skipped' })).length, 0);
});

test('a run that has ended waits for nothing', async () => {
  await using stage = await openStage();
  const first = await stage.lock.acquire({ ...LEASE, runId: 'run-7' });
  await first.release();
  const again = await stage.lock.acquire({ ...LEASE, runId: 'run-7', onBusy: { waitMs: 60_000 } });
  assert.ok(again.outcome === 'skipped' && again.reason === 'run_ended');
  assert.equal(stage.store.callsOf('acquire').at(-1)?.request['waiting'], false);
});

test('a stale lease under onStale hold is not waited for: only a person frees it', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 5_000);
  await stage.advance(5_000);
  const start = await stage.lock.acquire({ ...LEASE, onStale: 'hold', onBusy: { waitMs: 60_000 } });
  assert.ok(start.outcome === 'skipped' && start.reason === 'hold');
  assert.equal((await stage.leasehold.events({ kind: 'run.skipped' })).length, 1);
});

test('a wait through a cooling time asks at its own pace and gets the lock after it', async () => {
  await using stage = await openStage();
  const token = await rivalHolds(stage, 5_000);
  await stage.rawStore.release({ lock: 'job', token, status: null, afterMs: 6_000, lost: null });
  const asking = waiting(stage, 60_000);
  await stage.advance(8_000);
  assert.equal((await asking).outcome, 'acquired');
  assert.ok(stage.store.callsOf('acquire').length < 15);
});

test('a signal ends a wait early, with its reason', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 60_000);
  const stop = new AbortController();
  const asking = assert.rejects(waiting(stage, 60_000, { signal: stop.signal }), { message: 'enough' });
  await stage.advance(3_000);
  stop.abort(new Error('enough'));
  await asking;
  assert.equal(stage.clock.pendingCount, 0);
});

test('a wait with a signal that has fired already asks nothing', async () => {
  await using stage = await openStage();
  await assert.rejects(waiting(stage, 60_000, { signal: AbortSignal.abort(new Error('enough')) }), {
    message: 'enough',
  });
  assert.deepEqual(stage.store.calls, []);
});

test('a store that goes away during a wait ends it: nothing starts', async () => {
  await using stage = await openStage();
  await rivalHolds(stage, 60_000);
  const asking = assert.rejects(waiting(stage, 60_000), { code: 'STORE_UNREACHABLE' });
  await stage.advance(1_000);
  stage.store.always(refused);
  await stage.advance(3_000);
  await asking;
});
