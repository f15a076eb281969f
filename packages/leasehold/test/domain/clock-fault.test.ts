import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clockFaultMessage, drawInLease, renewedLeaseMs } from '../../src/domain/clock-fault.ts';
import { LEASE_MS_MAX } from '../../src/domain/limits.ts';
import { newLockState } from '../../src/domain/lock-state.ts';
import { lockState, NOW } from './samples.ts';

const HOUR = 3_600_000;
const held = { ...newLockState('job'), token: 'token-a', leaseMs: HOUR, leaseUntil: NOW + HOUR };

test('a lease that ends later than a whole lease from now ends a whole lease from now, and so does its drain', () => {
  const ahead = { ...held, leaseUntil: NOW + HOUR + 1, drainUntil: NOW + 9 * HOUR };
  assert.deepEqual(drawInLease(ahead, NOW), { ...ahead, leaseUntil: NOW + HOUR, drainUntil: NOW + HOUR });
});

test('a lease of a whole length is left alone, the very same', () => {
  assert.equal(drawInLease(held, NOW), held);
});

test('a lease whose length is unknown, or longer than any may be, ends with the longest lease from now', () => {
  for (const leaseMs of [null, 0, LEASE_MS_MAX + 1]) {
    const lock = { ...held, leaseMs, leaseUntil: NOW + LEASE_MS_MAX + 1 };
    assert.equal(drawInLease(lock, NOW).leaseUntil, NOW + LEASE_MS_MAX);
    const shorter = { ...lock, leaseUntil: NOW + LEASE_MS_MAX };
    assert.equal(drawInLease(shorter, NOW), shorter);
  }
});

test('a renewal lasts as long as the lease did; where that is unknown from its start to its end, else what is left', () => {
  const end = NOW + 2 * HOUR;
  const row = { ...held, leaseUntil: end, since: NOW - HOUR };
  assert.equal(renewedLeaseMs(row, NOW), HOUR);
  for (const leaseMs of [null, 0]) {
    assert.equal(renewedLeaseMs({ ...row, leaseMs }, NOW), 3 * HOUR);
    for (const since of [null, NOW + 1]) assert.equal(renewedLeaseMs({ ...row, leaseMs, since }, NOW), 2 * HOUR);
    assert.equal(renewedLeaseMs({ ...row, leaseMs, since: 0 }, NOW), LEASE_MS_MAX);
  }
  assert.equal(renewedLeaseMs({ ...row, leaseMs: 2 * LEASE_MS_MAX }, NOW), LEASE_MS_MAX);
});

test('a free lock, a missing end and the end of a pause are left alone', () => {
  for (const patch of [{ token: null, leaseUntil: NOW + 99 * HOUR }, { leaseUntil: null }]) {
    const lock = { ...held, ...patch };
    assert.equal(drawInLease(lock, NOW), lock);
  }
  assert.equal(drawInLease({ ...held, freeAt: NOW + 99 * HOUR }, NOW).freeAt, NOW + 99 * HOUR);
});

test('drawing in frees nothing, lengthens nothing, and is done once', () => {
  fc.assert(
    fc.property(lockState, (lock) => {
      const drawn = drawInLease(lock, NOW);
      const endsBefore = (lock.leaseUntil ?? 0) > NOW;
      assert.equal((drawn.leaseUntil ?? 0) > NOW, endsBefore);
      assert.ok((drawn.leaseUntil ?? 0) <= (lock.leaseUntil ?? 0));
      assert.equal(drawInLease(drawn, NOW), drawn);
    }),
    { numRuns: 2_000 },
  );
});

test('the message names the lock and both ends', () => {
  const message = clockFaultMessage('job', NOW + 9 * HOUR, NOW + HOUR);
  assert.equal(
    message,
    'The lease of lock "job" was to end at 2026-01-05T21:00:00.000Z, further away than its whole length: a clock was ahead. It ends at 2026-01-05T13:00:00.000Z.',
  );
});
