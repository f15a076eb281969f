import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clockFaultMessage, drawInLease } from '../../src/domain/clock-fault.ts';
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

test('a free lock, an end of unknown length and the end of a pause are left alone', () => {
  const end = { leaseUntil: NOW + 99 * HOUR };
  for (const patch of [
    { token: null, ...end },
    { leaseMs: null, ...end },
    { leaseMs: 0, ...end },
    { leaseUntil: null },
  ]) {
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
  assert.match(message, /"job".*2026-01-05T21:00:00\.000Z.*2026-01-05T13:00:00\.000Z/);
});
