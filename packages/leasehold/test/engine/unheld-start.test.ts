/**
 * The handle of a start that holds nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Start } from '../../src/engine/api.ts';
import { openStage, type Stage } from './stage.ts';

const LEASE = { leaseMs: 60_000 };

async function unheldStarts(stage: Stage): Promise<Start[]> {
  await stage.lock.acquire({ ...LEASE, renewal: 'touch' });
  const skipped = await stage.lock.acquire(LEASE);
  const bypassed = await stage.lock.acquire({ ...LEASE, bypass: { reason: 'fire drill' } });
  assert.deepEqual([skipped.outcome, bypassed.outcome], ['skipped', 'bypassed']);
  return [skipped, bypassed];
}

test('a start that holds nothing has no trust, and its signal never fires', async () => {
  await using stage = await openStage();
  for (const start of await unheldStarts(stage)) {
    assert.equal(start.trustRemainingMs(), 0);
    await stage.advance(120_000);
    assert.equal(start.signal.aborted, false);
  }
});

test('a start that holds nothing answers renew and release without asking the store', async () => {
  await using stage = await openStage();
  for (const start of await unheldStarts(stage)) {
    const before = stage.store.calls.length;
    const renewed = await start.renew({ progress: 'row 1' });
    assert.ok(renewed.outcome === 'lost' && renewed.reason === 'unknown_token');
    assert.equal(renewed.runId, start.runId);
    assert.equal(renewed.message, 'Not renewed: this start holds nothing of lock "job".');
    const released = await start.release({ status: 'success' });
    assert.equal(released.outcome, 'already_free');
    assert.equal(released.message, 'Nothing to release: this start holds nothing of lock "job".');
    await start[Symbol.asyncDispose]();
    assert.equal(stage.store.calls.length, before);
  }
  assert.equal((await stage.lock.status())?.state, 'held');
});

test('a start that holds nothing checks what it is given all the same', async () => {
  await using stage = await openStage();
  for (const start of await unheldStarts(stage)) {
    await assert.rejects(start.renew({ progress: '' }), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(start.release({ status: 'ok' as 'success' }), { code: 'INVALID_ARGUMENT' });
  }
});

test('a start that holds nothing may be used with await using', async () => {
  await using stage = await openStage();
  const holding = await stage.lock.acquire(LEASE);
  {
    await using skipped = await stage.lock.acquire(LEASE);
    assert.equal(skipped.proceed, false);
  }
  assert.equal((await holding.renew()).outcome, 'renewed');
});
