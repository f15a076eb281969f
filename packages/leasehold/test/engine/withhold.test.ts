/** A heartbeat that is told not to renew: the lease runs out, and the reason is said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStage } from './stage.ts';

const LEASE_MS = 60_000;

test('while renewal is withheld nothing is renewed, and the signal fires a margin before the end with the reason', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ leaseMs: LEASE_MS, withholdRenewal: () => 'held for long enough' });
  await stage.advance(49_999);
  assert.deepEqual([stage.store.callsOf('renew').length, start.signal.aborted], [0, false]);
  await stage.advance(1);
  assert.equal(start.signal.aborted, true);
  assert.match(
    (start.signal.reason as Error).message,
    /^Lock "job" is no longer renewed \(held for long enough\): its lease may end in 10s; stop/,
  );
});

test('a renewal that was withheld goes out as soon as it may', async () => {
  await using stage = await openStage();
  let reason: string | null = 'no sign of life';
  const start = await stage.lock.acquire({ leaseMs: LEASE_MS, withholdRenewal: () => reason });
  await stage.advance(30_000);
  reason = null;
  await stage.advance(2_000);
  assert.equal(stage.store.callsOf('renew').length, 1);
  await stage.advance(5 * LEASE_MS);
  assert.equal(start.signal.aborted, false);
});

test('once it has cost the lease, renewal stays withheld', async () => {
  await using stage = await openStage();
  let reason: string | null = 'no sign of life';
  const start = await stage.lock.acquire({ leaseMs: LEASE_MS, withholdRenewal: () => reason });
  await stage.advance(51_000);
  assert.equal(start.signal.aborted, true);
  reason = null;
  await stage.advance(5_000);
  assert.equal(stage.store.callsOf('renew').length, 0);
});

test('a withholdRenewal that throws is logged, and the lease is renewed', async () => {
  await using stage = await openStage();
  const withholdRenewal = (): string | null => {
    throw new Error('broken');
  };
  const start = await stage.lock.acquire({ leaseMs: LEASE_MS, withholdRenewal });
  await stage.advance(2 * LEASE_MS);
  assert.equal(start.signal.aborted, false);
  const said = stage.log.filter((entry) => entry.level === 'error').map((entry) => entry.message);
  assert.equal(said[0], 'Lock "job": withholdRenewal failed; the lease is renewed.');
});
