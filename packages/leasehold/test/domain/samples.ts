import fc from 'fast-check';
import { LEASE_MS_MAX, LEASE_MS_MIN } from '../../src/domain/limits.ts';
import { type LockState, newLockState } from '../../src/domain/lock-state.ts';
import type { RunState } from '../../src/domain/run.ts';
import type { SlotState } from '../../src/domain/slot.ts';
import type { ClockReading } from '../../src/domain/timing.ts';

/** Arbitraries of the domain's values. Small ranges on purpose, so that instants meet and tokens repeat. */

/** The instant at which decisions are asked for. */
export const NOW: number = Date.UTC(2026, 0, 5, 12);

export const leaseMs: fc.Arbitrary<number> = fc.integer({ min: LEASE_MS_MIN, max: LEASE_MS_MAX });

const clockMs = fc.integer({ min: -1_000_000, max: 10_000_000 });
export const reading: fc.Arbitrary<ClockReading> = fc.record({
  monotonicMs: clockMs,
  bootMs: clockMs,
  wallMs: clockMs,
});

export const token: fc.Arbitrary<string> = fc.constantFrom('token-a', 'token-b', 'token-c');
const holder = fc.constantFrom('host:1', 'host:2');
const instant = fc.integer({ min: -5, max: 5 }).map((step) => NOW + step * 1_000);
const instantOrNone = fc.option(instant);

/** Any row, the impossible ones too: a store may hold what a faulty clock, a restore or a person left in it. */
export const lockState: fc.Arbitrary<LockState> = fc
  .record({
    fence: fc.integer({ min: 0, max: 4 }),
    token: fc.option(token),
    runId: fc.option(fc.constantFrom('run-1', 'run-2')),
    holder: fc.option(holder),
    since: instantOrNone,
    leaseMs: fc.option(leaseMs),
    leaseUntil: instantOrNone,
    renewedAt: instantOrNone,
    graceMs: fc.integer({ min: 0, max: 3_000 }),
    freeAt: instantOrNone,
    drainUntil: instantOrNone,
    skipsInRow: fc.nat(5),
    pausedAt: fc.option(instant, { freq: 1 }),
  })
  .map((fields) => ({ ...newLockState('job'), ...fields }));

export const slotState: fc.Arbitrary<SlotState> = fc.record({
  isDone: fc.boolean(),
  runId: fc.option(fc.constantFrom('run-1', 'run-2')),
  holder: fc.option(holder),
  startedAt: instantOrNone,
  endedAt: instantOrNone,
});

export const runState: fc.Arbitrary<RunState> = fc.record({
  runId: fc.constantFrom('run-1', 'run-2'),
  holder,
  outcome: fc.constantFrom('acquired', 'reclaimed', 'skipped', 'already_ran', 'bypassed'),
  token: fc.option(token),
  fence: fc.option(fc.integer({ min: 0, max: 4 })),
  endedAt: instantOrNone,
  lostAt: instantOrNone,
});
