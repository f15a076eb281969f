/** A renewal under way when the release begins: it comes first, or is given up. Clock: fake, shared with the embedded store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hangs, requestTakes } from './scripted-store.ts';
import { openStage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };
const RENEWED_AT_MS = 11_250;

test('a renewal that is under way when the release begins comes before it: no lease is recorded as lost', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('renew', requestTakes(300));
  await stage.advance(RENEWED_AT_MS);
  const releasing = start.release({ status: 'success' });
  await stage.advance(300);
  assert.equal((await releasing).outcome, 'released');
  assert.deepEqual(await stage.leasehold.events({ kind: 'lease.lost' }), []);
  assert.equal(stage.store.callsOf('release')[0]?.atMs, 1_000 + RENEWED_AT_MS + 300);
  assert.equal(stage.clock.pendingCount, 0, 'no timer is left');
});

test('a release waits no longer than a second for a renewal that hangs', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  stage.store.next('renew', hangs);
  await stage.advance(RENEWED_AT_MS);
  const releasing = start.release({ status: 'success' });
  await stage.advance(1_000);
  assert.equal((await releasing).outcome, 'released');
});

test('a renewal by hand is waited for as well', async () => {
  await using stage = await openStage();
  const start = await stage.lock.acquire({ ...LEASE, renewal: 'touch' });
  stage.store.next('renew', requestTakes(300));
  const renewing = start.renew();
  const releasing = start.release({ status: 'success' });
  await stage.advance(300);
  assert.deepEqual([(await renewing).outcome, (await releasing).outcome], ['renewed', 'released']);
  assert.deepEqual(await stage.leasehold.events({ kind: 'lease.lost' }), []);
});
