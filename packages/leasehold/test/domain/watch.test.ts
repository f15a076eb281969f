/** When a lease is nearly over, and what a start's plan moves: the edges that the suite can't hit on a running clock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LockState, newLockState } from '../../src/domain/lock-state.ts';
import { planToKeep, type StartPlan } from '../../src/domain/start-plan.ts';
import { heartbeatEveryMs } from '../../src/domain/timing.ts';
import { isOverdueUntold, nearEndLevel, nearEndMessage, noneInIntervalMessage } from '../../src/domain/watch.ts';
import { leaseMs, lockState, NOW } from './samples.ts';

const HELD: LockState = { ...newLockState('job'), token: 't', leaseMs: 1_000, leaseUntil: NOW + 1_000 };
const HOUR = 3_600_000;

test('a level begins at exactly 50 % and 80 %', () => {
  const levels = [0, 499, 500, 799, 800, 999, 1_000].map((elapsed) => nearEndLevel(HELD, NOW + elapsed));
  assert.deepEqual(levels, [null, null, 50, 50, 80, 80, null]);
});

test('what was told in the time of this lease is not told again, what was told before it is', () => {
  const told = (at: number): LockState => ({ ...HELD, nearEndToldAt: NOW + at });
  assert.equal(nearEndLevel(told(500), NOW + 799), null);
  assert.equal(nearEndLevel(told(500), NOW + 800), 80);
  assert.equal(nearEndLevel(told(800), NOW + 999), null);
  assert.equal(nearEndLevel(told(0), NOW + 500), 50, 'told in the instant of the renewal: of the lease before');
  assert.equal(nearEndLevel(told(-1), NOW + 500), 50);
});

test('of no row, however odd, a level is told unless it is held', () => {
  fc.assert(
    fc.property(lockState, (lock) => {
      const level = nearEndLevel(lock, NOW);
      const isHeld = lock.token !== null && lock.drainUntil === null && (lock.leaseUntil ?? 0) > NOW;
      assert.ok(level === null || isHeld);
    }),
  );
});

test('a heartbeat never comes so late that it is told, for any lease', () => {
  fc.assert(
    fc.property(leaseMs, (ms) => {
      const lock = { ...HELD, leaseMs: ms, leaseUntil: NOW + ms };
      assert.equal(nearEndLevel(lock, NOW + heartbeatEveryMs(ms)), null);
    }),
  );
});

test('an instant that is overdue is told once, and one that moved is told anew', () => {
  const overdue = { ...HELD, overdueAt: NOW };
  assert.equal(isOverdueUntold(overdue, NOW - 1), false);
  assert.equal(isOverdueUntold(overdue, NOW), true);
  assert.equal(isOverdueUntold({ ...overdue, overdueTold: NOW }, NOW + HOUR), false);
  assert.equal(isOverdueUntold({ ...overdue, overdueAt: NOW + 1, overdueTold: NOW }, NOW + 1), true);
  assert.equal(isOverdueUntold(HELD, NOW), false);
});

test('a plan is kept by every start; the instant that is overdue moves with those that proceed', () => {
  const plan: StartPlan = {
    expression: '0 * * * *',
    timezone: 'UTC',
    nextSlotAt: new Date(NOW + HOUR),
    overdueAt: new Date(NOW + 3 * HOUR),
  };
  const slotAt = new Date(NOW);
  const known = { ...HELD, overdueAt: NOW + HOUR, overdueAfterMs: 2 * HOUR };
  const started = planToKeep(known, { plan, slotAt, proceeds: true }, NOW + 5);
  assert.deepEqual([started.overdueAt, started.overdueAfterMs], [NOW + 3 * HOUR, 3 * HOUR]);
  const skipped = planToKeep(known, { plan, slotAt, proceeds: false }, NOW + 5);
  assert.deepEqual([skipped.overdueAt, skipped.overdueAfterMs], [NOW + HOUR, 2 * HOUR]);
  assert.deepEqual([skipped.schedule, skipped.nextSlotAt], ['0 * * * *', NOW + HOUR]);
  assert.equal(planToKeep(HELD, { plan, slotAt, proceeds: false }, NOW + 5).overdueAt, NOW + 3 * HOUR, 'the first one');
  const late = planToKeep(known, { plan, slotAt, proceeds: true }, NOW + 5 * HOUR);
  assert.equal(late.overdueAt, NOW + 8 * HOUR, 'a rerun of an old slot has got through now');
});

test('what is said of a lease that is nearly over: while held, by a renewal and by a release', () => {
  const lock = { ...HELD, leaseMs: 6_000_000, leaseUntil: NOW + 2_940_000, runId: 'run-a', holder: 'exec-a' };
  assert.equal(
    nearEndMessage(lock, 50, 'held', NOW),
    'Lock "job" is held past 50 % of its lease without a renewal (51m of 1h 40m) by run run-a of holder exec-a; the lease ends 2026-01-05T12:49:00.000Z; for a longer lease: leasehold advise job',
  );
  assert.equal(
    nearEndMessage(lock, 50, 'renewed', NOW),
    'Lock "job" was renewed only past 50 % of its lease (51m of 1h 40m) by run run-a of holder exec-a; for a longer lease: leasehold advise job',
  );
  assert.equal(
    nearEndMessage({ ...lock, name: 'a job', runId: null, holder: null }, 80, 'released', NOW),
    'Lock "a job" was released only past 80 % of its lease (51m of 1h 40m) by run unknown of holder unknown; for a longer lease: leasehold advise \'a job\'',
  );
});

test('what is said where no run got through', () => {
  const lock = { ...newLockState('job'), schedule: '0 * * * *', timezone: 'UTC', since: NOW };
  const said = 'No run of lock "job" got through in 3 intervals of its schedule (0 * * * *, UTC): ';
  const why = 'to see why: leasehold why job';
  for (const [skipped, words] of [
    [0, 'no start was skipped since, so look at its scheduler'],
    [1, '1 start was skipped since'],
    [99, '99 starts were skipped since'],
    [100, 'at least 100 starts were skipped since'],
  ] as const) {
    const started = 'the latest one started 2026-01-05T12:00:00.000Z';
    assert.equal(noneInIntervalMessage(lock, skipped), `${said}${started}; ${words}; ${why}`);
  }
  assert.equal(
    noneInIntervalMessage({ ...lock, since: null, pausedAt: NOW }, 1),
    `${said}none is recorded; 1 start was skipped since; it is paused since 2026-01-05T12:00:00.000Z; to go on: leasehold resume job`,
  );
  assert.match(noneInIntervalMessage({ ...lock, schedule: null, timezone: null }, 0), / \(unknown, unknown\): /);
});
