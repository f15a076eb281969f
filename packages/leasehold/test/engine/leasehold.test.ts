/**
 * What a Leasehold and its locks do beside starts. Clock: fake, shared with the embedded store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { held, openStage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

test('a Leasehold names its store', async () => {
  await using stage = await openStage();
  assert.equal(stage.leasehold.store, 'sqlite::memory:');
});

test('a lock that no start has touched has no status', async () => {
  await using stage = await openStage();
  assert.equal(await stage.lock.status(), null);
  assert.deepEqual(await stage.leasehold.status(), []);
});

test('status, runs and events give a hundred rows unless another limit is asked for', async () => {
  await using stage = await openStage();
  await stage.lock.acquire(LEASE);
  for (let start = 0; start < 101; start += 1) await stage.lock.acquire({ ...LEASE, holder: `host:${start}` });
  assert.equal((await stage.leasehold.runs()).length, 100);
  assert.equal((await stage.leasehold.runs({ limit: 1_000 })).length, 102);
  assert.equal((await stage.leasehold.events()).length, 100);
});

test('a limit of 0, of 1,001 or of half a row, a bad name and a bad run id are refused', async () => {
  await using stage = await openStage();
  const { leasehold } = stage;
  for (const limit of [0, 1_001, 1.5]) {
    await assert.rejects(leasehold.status({ limit }), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(leasehold.runs({ limit }), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(leasehold.events({ limit }), { code: 'INVALID_ARGUMENT' });
  }
  await assert.rejects(leasehold.status({ lock: '' }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(leasehold.runs({ runId: '' }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(leasehold.events({ kind: 'a\nb' }), { code: 'INVALID_ARGUMENT' });
});

test('a lease can be renewed and released by its token alone, as another process does', async () => {
  await using stage = await openStage();
  const { token } = held(await stage.lock.acquire({ ...LEASE, renewal: 'touch' }));
  await stage.advance(30_000);
  const elsewhere = stage.leasehold.lock('job');
  const renewed = await elsewhere.renew({ token, leaseMs: 120_000, progress: 'half' });
  assert.ok(renewed.outcome === 'renewed' && renewed.remainingMs === 120_000);
  const kept = await elsewhere.renew({ token });
  assert.ok(kept.outcome === 'renewed' && kept.remainingMs === 120_000);
  assert.equal((await elsewhere.release({ token, status: 'success' })).outcome, 'released');
});

test('a holder is asserted by its token, and only while its lease is live', async () => {
  await using stage = await openStage();
  const { token } = held(await stage.lock.acquire({ ...LEASE, renewal: 'touch' }));
  await stage.lock.assertHolder(token);
  assert.equal(await stage.lock.isHolder(token), true);
  await assert.rejects(stage.lock.assertHolder('another'), { code: 'NOT_HOLDER' });
  await stage.advance(60_000);
  assert.equal(await stage.lock.isHolder(token), false);
  await assert.rejects(
    stage.lock.assertHolder(token),
    (error: Error & { code?: string }) => error.code === 'NOT_HOLDER' && !error.message.includes(token),
  );
});

test('a force-release needs a reason, and makes the next start reclaimed', async () => {
  await using stage = await openStage();
  await stage.lock.acquire({ ...LEASE, renewal: 'touch' });
  await assert.rejects(stage.lock.forceRelease({ reason: '' }), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(stage.lock.forceRelease({ reason: 'stuck', atOnce: 1 as unknown as boolean }), {
    code: 'INVALID_ARGUMENT',
  });
  assert.equal((await stage.lock.forceRelease({ reason: 'stuck' })).outcome, 'draining');
  assert.equal((await stage.lock.forceRelease({ reason: 'stuck', atOnce: true })).outcome, 'released');
  assert.equal((await stage.lock.acquire(LEASE)).outcome, 'reclaimed');
});

test('bad arguments of the calls by token are refused without showing the token', async () => {
  await using stage = await openStage();
  const token = 's3cret\n';
  const calls = [
    stage.lock.renew({ token }),
    stage.lock.release({ token }),
    stage.lock.isHolder(token),
    stage.lock.assertHolder(token),
    stage.lock.renew({ token: 'good', leaseMs: 10 }),
    stage.lock.release({ token: 'good', afterMs: -1 }),
  ];
  for (const call of calls) {
    await assert.rejects(
      call,
      (error: Error & { code?: string }) => error.code === 'INVALID_ARGUMENT' && !error.message.includes('s3cret'),
    );
  }
  assert.deepEqual(stage.store.calls, []);
});

test('migrating an embedded store again changes nothing', async () => {
  await using stage = await openStage();
  const report = await stage.leasehold.migrate();
  assert.equal(report.from, report.to);
});

test('a closed Leasehold may be closed again, and its calls say that the store is gone', async () => {
  const stage = await openStage();
  const start = await stage.lock.acquire(LEASE);
  await stage.leasehold.close();
  await stage.leasehold.close();
  await assert.rejects(stage.lock.acquire(LEASE), { code: 'STORE_UNREACHABLE' });
  await stage.advance(60_000);
  assert.equal(start.signal.aborted, true);
  assert.equal(stage.clock.pendingCount, 0);
});
