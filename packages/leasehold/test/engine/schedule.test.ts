/** A start with a schedule: its slot by this host's wall clock, and what was missed since the last success. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcquireOptions, Start } from '../../src/engine/api.ts';
import { isLeaseholdError } from '../../src/errors.ts';
import { hangs, refused } from './scripted-store.ts';
import { openStage, type Stage } from './stage.ts';

const HOUR_MS = 3_600_000;
const LEASE = { leaseMs: 60_000 };
const HOURLY = { ...LEASE, schedule: { expression: '0 * * * *', timezone: 'UTC' } };

/** The stage begins on 2026-01-05 at 00:00 UTC. */
const slot = (hour: number): Date => new Date(Date.UTC(2026, 0, 5, hour));

async function ran(stage: Stage, options: AcquireOptions, status: 'success' | 'failure' = 'success'): Promise<Start> {
  const start = await stage.lock.acquire(options);
  await start.release({ status });
  return start;
}

test('a start with a schedule has the slot of the latest planned instant', async () => {
  await using stage = await openStage();
  await stage.advance(HOUR_MS + 900_000);
  assert.deepEqual((await stage.lock.acquire(HOURLY)).slotAt, slot(1));
});

test('a start that comes a little early has the slot that it was meant for', async () => {
  await using stage = await openStage();
  await stage.advance(HOUR_MS - 20_000);
  assert.deepEqual((await stage.lock.acquire(HOURLY)).slotAt, slot(1));
});

test('a slot that is given counts before that of the schedule', async () => {
  await using stage = await openStage();
  await stage.advance(5 * HOUR_MS);
  assert.deepEqual((await stage.lock.acquire({ ...HOURLY, slotAt: slot(3) })).slotAt, slot(3));
});

test('a second start of a slot that is done has run already, and the next slot is free', async () => {
  await using stage = await openStage();
  const first = await ran(stage, HOURLY);
  const again = await stage.lock.acquire(HOURLY);
  assert.ok(again.outcome === 'already_ran');
  assert.equal(again.earlier.runId, first.runId);
  await stage.advance(HOUR_MS);
  assert.equal((await stage.lock.acquire(HOURLY)).outcome, 'acquired');
});

test('a slot that failed may run again, and one that is done where "again" is said', async () => {
  await using stage = await openStage();
  await ran(stage, HOURLY, 'failure');
  assert.equal((await ran(stage, HOURLY)).outcome, 'acquired');
  assert.equal((await stage.lock.acquire({ ...HOURLY, again: true })).outcome, 'acquired');
});

test('the hour that is repeated is one slot for a fixed time, and two for every hour', async () => {
  for (const [expression, outcome] of [
    ['30 2 * * *', 'already_ran'],
    ['30 * * * *', 'acquired'],
  ] as const) {
    await using stage = await openStage();
    const options = { ...LEASE, schedule: { expression, timezone: 'Europe/Berlin' } };
    stage.clock.stepWall(Date.UTC(2026, 9, 25, 0, 30) - stage.clock.read().wallMs);
    await ran(stage, options);
    await stage.advance(HOUR_MS);
    assert.equal((await stage.lock.acquire(options)).outcome, outcome, expression);
  }
});

test('planned instants that no start has named are missed, between the last success and the own slot', async () => {
  await using stage = await openStage();
  await ran(stage, HOURLY);
  await stage.advance(4 * HOUR_MS);
  assert.deepEqual((await stage.lock.acquire(HOURLY)).missed, [slot(1), slot(2), slot(3)]);
});

test('a slot that the scheduler dropped is missed, and one that it fired twice runs once (C09)', async () => {
  await using stage = await openStage();
  const everyTen = { ...LEASE, schedule: { expression: '*/10 * * * *', timezone: 'UTC' } };
  const minute = (minutes: number): Date => new Date(slot(11).getTime() + minutes * 60_000);
  await stage.advance(minute(0).getTime() - stage.clock.read().wallMs);
  await ran(stage, everyTen);
  await stage.advance(20 * 60_000);
  const first = await stage.lock.acquire(everyTen);
  const second = await stage.lock.acquire({ ...everyTen, holder: 'host:2' });
  assert.deepEqual([first.outcome, second.outcome], ['acquired', 'skipped']);
  assert.deepEqual([first.slotAt, second.slotAt], [minute(20), minute(20)]);
  assert.deepEqual(first.missed, [minute(10)]);
  await first.release({ status: 'success' });
  await stage.advance(600_000);
  assert.deepEqual((await stage.lock.acquire(everyTen)).missed, []);
});

test('what was named and failed is missed once, among what nobody named', async () => {
  await using stage = await openStage();
  await ran(stage, HOURLY);
  await stage.advance(2 * HOUR_MS);
  await ran(stage, HOURLY, 'failure');
  await stage.advance(2 * HOUR_MS);
  assert.deepEqual((await ran(stage, HOURLY)).missed, [slot(1), slot(2), slot(3)]);
  await stage.advance(HOUR_MS);
  assert.deepEqual((await ran(stage, HOURLY)).missed, []);
});

test('before the first success, missed begins with the first slot that was named', async () => {
  await using stage = await openStage();
  assert.deepEqual((await ran(stage, HOURLY, 'failure')).missed, []);
  await stage.advance(3 * HOUR_MS);
  assert.deepEqual((await ran(stage, HOURLY)).missed, [slot(0), slot(1), slot(2)]);
});

test('a start that is skipped is not told what nobody named, and the store is asked once', async () => {
  await using stage = await openStage();
  await ran(stage, HOURLY);
  await stage.advance(3 * HOUR_MS);
  await stage.lock.acquire(LEASE);
  const asked = stage.store.callsOf('marks').length;
  assert.equal((await stage.lock.acquire({ ...HOURLY, holder: 'host:2' })).outcome, 'skipped');
  assert.equal(stage.store.callsOf('marks').length, asked);
});

test('a start proceeds although the store does not say what was missed, within one time-out', async () => {
  await using stage = await openStage();
  await ran(stage, HOURLY);
  await stage.advance(3 * HOUR_MS);
  stage.store.next('marks', refused);
  const start = await ran(stage, HOURLY, 'failure');
  assert.deepEqual([start.outcome, start.missed], ['acquired', []]);
  assert.deepEqual(
    stage.log.map((entry) => entry.message),
    ['What lock "job" missed is not fully known: the store did not answer.'],
  );
  stage.store.next('marks', hangs);
  const asking = stage.lock.acquire(HOURLY);
  await stage.advance(5_000);
  assert.equal((await asking).trustRemainingMs(), 55_000);
});

test('a schedule that can not be read is INVALID_ARGUMENT, and the store hears of nothing', async () => {
  await using stage = await openStage();
  const bad: [object, RegExp][] = [
    [{ expression: '* *' }, /has 2 fields/],
    [{ expression: '0 0 31 2 *', timezone: 'UTC' }, /never fires/],
    [{ expression: '@daily', timezone: 'Mars/Phobos' }, /is not known/],
    [{ expression: 5 }, /schedule must be text/],
    [{}, /schedule must be text/],
  ];
  for (const [schedule, says] of bad) {
    await assert.rejects(
      stage.lock.acquire({ ...LEASE, schedule } as AcquireOptions),
      (error) => isLeaseholdError(error, 'INVALID_ARGUMENT') && says.test(error.message),
    );
  }
  await assert.rejects(
    stage.lock.acquire({ ...LEASE, schedule: '@daily' } as unknown as AcquireOptions),
    /must be an object/,
  );
  assert.deepEqual(stage.store.calls, []);
});

test('a paused lock lets no start in, and resumed it does', async () => {
  await using stage = await openStage();
  assert.equal((await stage.lock.pause({ reason: 'the provider is down' })).outcome, 'paused');
  assert.equal((await stage.lock.pause()).outcome, 'already_paused');
  const start = await stage.lock.acquire(LEASE);
  assert.deepEqual([start.outcome, start.outcome === 'skipped' && start.reason], ['skipped', 'paused']);
  assert.equal((await stage.lock.resume()).outcome, 'resumed');
  assert.equal((await stage.lock.resume()).outcome, 'not_paused');
  assert.equal((await stage.lock.acquire(LEASE)).outcome, 'acquired');
});
