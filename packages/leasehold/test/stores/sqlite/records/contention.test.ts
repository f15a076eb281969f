import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { holdWriteLock } from '../children.ts';
import { openStore, rowsIn, SECOND, temporaryFolder } from '../stage.ts';
import { claimOf, done, own, POOL } from './stage.ts';
import type { Store } from '../../../../src/ports/store.ts';

/** Another process keeps the write lock. Clock: the system's, because the other process has no other. */

async function openClaimed(t: TestContext): Promise<{ store: Store; path: string; token: string }> {
  const path = join(temporaryFolder(t), 'store.db');
  const store = await openStore(t, path);
  return { store, path, token: await own(store, ['a', 'b']) };
}

test('a verdict at a moment when another process writes for 2 s is kept, not dropped', async (t) => {
  const { store, path, token } = await openClaimed(t);
  const { ended } = await holdWriteLock(t, path, 2 * SECOND);
  const giving = store.work({ pool: POOL, verdicts: [done('a', token, 'ref-a')], begins: [{ id: 'b', token }] });
  assert.equal(rowsIn(path, "select state from records where id = 'a'")[0]?.['state'], 'claimed', 'not yet');
  const { verdicts, begins } = await giving;
  await ended;
  assert.deepEqual([verdicts[0]?.outcome, verdicts[0]?.state, begins[0]?.outcome], ['accepted', 'done', 'accepted']);
  assert.deepEqual(rowsIn(path, 'select id, state, provider_ref, attempt from records order by id'), [
    { id: 'a', state: 'done', provider_ref: 'ref-a', attempt: 0 },
    { id: 'b', state: 'claimed', provider_ref: null, attempt: 1 },
  ]);
});

test('a verdict that could not be stored in its time is unreachable, changed nothing, and counts once when repeated', async (t) => {
  const { store, path, token } = await openClaimed(t);
  const { ended } = await holdWriteLock(t, path, SECOND);
  const request = { pool: POOL, verdicts: [done('a', token, 'ref-a')], begins: [] };
  await assert.rejects(store.work(request, { timeoutMs: 200 }), /other processes kept it locked/);
  assert.equal(rowsIn(path, "select state from records where id = 'a'")[0]?.['state'], 'claimed');
  await ended;
  for (const _ of [1, 2]) assert.equal((await store.work(request)).verdicts[0]?.outcome, 'accepted');
  assert.deepEqual(rowsIn(path, 'select kind from events'), []);
});

test('the lease of a claim counts from when it had the write lock, not from when it asked', async (t) => {
  const { store, path } = await openClaimed(t);
  await holdWriteLock(t, path, SECOND);
  const askedMs = performance.now();
  const answer = await store.claim(claimOf(['c'], { leaseMs: 60 * SECOND }));
  assert.ok(performance.now() - askedMs > 500, 'it did not wait');
  assert.equal(answer.remainingMs, 60 * SECOND);
  const [row] = rowsIn(
    path,
    "select lease_until - claimed_at as lease_ms from claims where token = (select token from records where id = 'c')",
  );
  assert.equal(row?.['lease_ms'], 60 * SECOND);
});
