import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  elapsedMs,
  heartbeatEveryMs,
  killGraceMs,
  safetyMarginMs,
  storeTimeoutMs,
  trustRemainingMs,
  trustWindow,
} from '../../src/domain/timing.ts';
import { leaseMs, reading } from './samples.ts';

test('three missed renewals and the time-out of a fourth fit into the lease before the safety margin', () => {
  fc.assert(
    fc.property(leaseMs, (lease) => {
      const lastAnswerMs = 4 * heartbeatEveryMs(lease) + storeTimeoutMs(lease);
      assert.ok(lastAnswerMs <= lease - safetyMarginMs(lease));
    }),
  );
});

test('the safety margin is the smaller of 10 s and a fifth of the lease', () => {
  assert.equal(safetyMarginMs(1_000), 200);
  assert.equal(safetyMarginMs(50_000), 10_000);
  assert.equal(safetyMarginMs(3_600_000), 10_000);
});

test('a call to the store times out after the smaller of 5 s and a fifth of the lease', () => {
  assert.equal(storeTimeoutMs(1_000), 200);
  assert.equal(storeTimeoutMs(25_000), 5_000);
  assert.equal(storeTimeoutMs(3_600_000), 5_000);
});

test('TERM, grace and KILL end before the lease does', () => {
  fc.assert(
    fc.property(leaseMs, (lease) => {
      assert.ok(killGraceMs(lease) < safetyMarginMs(lease));
      assert.ok(safetyMarginMs(lease) < lease);
    }),
  );
});

test('a one-minute lease is renewed every 11.25 s', () => {
  assert.equal(heartbeatEveryMs(60_000), 11_250);
});

test('elapsed time is never negative, and never less than any one clock says', () => {
  fc.assert(
    fc.property(reading, reading, (from, to) => {
      const elapsed = elapsedMs(from, to);
      assert.ok(elapsed >= 0);
      assert.ok(elapsed >= to.monotonicMs - from.monotonicMs);
      assert.ok(elapsed >= to.bootMs - from.bootMs);
      assert.ok(elapsed >= to.wallMs - from.wallMs);
    }),
  );
});

test('a wall clock set back does not take elapsed time away', () => {
  fc.assert(
    fc.property(reading, fc.nat(100_000), fc.nat(100_000_000), (from, passedMs, setBackMs) => {
      const to = {
        monotonicMs: from.monotonicMs + passedMs,
        bootMs: from.bootMs + passedMs,
        wallMs: from.wallMs + passedMs - setBackMs,
      };
      assert.equal(elapsedMs(from, to), passedMs);
    }),
  );
});

test('time spent in suspend counts although the monotonic clock stood still', () => {
  const from = { monotonicMs: 500, bootMs: 500, wallMs: 1_000 };
  assert.equal(elapsedMs(from, { monotonicMs: 510, bootMs: 90_500, wallMs: 91_000 }), 90_000);
});

test('trust lasts no longer than the lease, no longer than what the store said remains, and only gets shorter', () => {
  const nat = fc.nat(1_000_000);
  fc.assert(
    fc.property(
      reading,
      leaseMs,
      fc.integer({ min: -10, max: 10_000_000 }),
      nat,
      nat,
      (anchor, lease, remaining, a, b) => {
        const at = (passedMs: number): number =>
          trustRemainingMs(trustWindow(anchor, lease, remaining), {
            monotonicMs: anchor.monotonicMs + passedMs,
            bootMs: anchor.bootMs + passedMs,
            wallMs: anchor.wallMs + passedMs,
          });
        assert.ok(at(0) <= lease && at(0) <= remaining);
        assert.ok(at(a + b) <= at(a));
        assert.equal(at(a), at(0) - a);
      },
    ),
  );
});
