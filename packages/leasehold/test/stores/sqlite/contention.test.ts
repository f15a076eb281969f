import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { holdWriteLock } from './children.ts';
import { assertRefused, openStore, rowsIn, SECOND, startOf, temporaryFolder } from './stage.ts';

/**
 * Another process keeps the write lock. Clock: the system's, because the other process has no other.
 * Bounds are wide: the machine may be busy, and what is to be told apart differs by a factor of ten.
 */

/** The longest gap between ticks of 10 ms that counts as an event loop that goes on. */
const GAP_MS_MAX = 400;

test('a write lock held for 2 s by another process delays a start, but not the event loop', async (t) => {
  const path = await newStore(t);
  const store = await openStore(t, path);
  const { ended } = await holdWriteLock(t, path, 2 * SECOND);
  const ticks = countTicks(t);
  const answer = await store.acquire(startOf('job'));
  const { count, longestGapMs } = ticks.stop();
  await ended;
  assert.equal(answer.outcome, 'acquired');
  assert.ok(longestGapMs < GAP_MS_MAX, `a gap of ${longestGapMs} ms between ticks`);
  assert.ok(count > 40, `only ${count} ticks while waiting`);
});

test("control: SQLite's own waiting stops the event loop for as long as the lock is held", async (t) => {
  const path = await newStore(t);
  const database = new DatabaseSync(path, { timeout: 5 * SECOND });
  t.after(() => database.close());
  await holdWriteLock(t, path, 1.5 * SECOND);
  const ticks = countTicks(t);
  await systemClock.sleep(50);
  database.exec('begin immediate; commit');
  await systemClock.sleep(50);
  const { longestGapMs } = ticks.stop();
  assert.ok(longestGapMs > 2 * GAP_MS_MAX, `a gap of ${longestGapMs} ms is not what this test is about`);
});

test('readers wait for no writer', async (t) => {
  const path = await newStore(t);
  const store = await openStore(t, path);
  const lease = await store.acquire(startOf('job'));
  assert.ok(lease.outcome === 'acquired', lease.message);
  const { lock, token } = lease;
  await holdWriteLock(t, path, 5 * SECOND);
  const startedMs = systemClock.read().monotonicMs;
  assert.equal((await store.status({ lock, limit: 1 }))[0]?.state, 'held');
  assert.equal(await store.isHolder(lock, token), true);
  assert.equal((await store.runs({ lock, runId: null, limit: 10 })).length, 1);
  assert.ok(systemClock.read().monotonicMs - startedMs < 2 * SECOND);
});

test('a call that waited as long as it may is unreachable, names the store, and has changed nothing', async (t) => {
  const path = await newStore(t);
  const store = await openStore(t, path);
  await holdWriteLock(t, path, 20 * SECOND);
  const startedMs = systemClock.read().monotonicMs;
  const refused = store.acquire(startOf('job'), { timeoutMs: 300 });
  await assertRefused(refused, 'STORE_UNREACHABLE', /other processes kept it locked/, path);
  const tookMs = systemClock.read().monotonicMs - startedMs;
  assert.ok(tookMs > 100 && tookMs < 3 * SECOND, `it took ${tookMs} ms`);
  assert.deepEqual(rowsIn(path, 'select name from locks'), []);
});

test('a store that is closed while a call waits ends the call', async (t) => {
  const path = await newStore(t);
  const store = await openSqliteStore({ path, clock: systemClock, ids: systemIds });
  await holdWriteLock(t, path, 20 * SECOND);
  const refused = assertRefused(store.acquire(startOf('job')), 'STORE_UNREACHABLE', /was closed/, path);
  await systemClock.sleep(30);
  await store.close();
  await refused;
});

test('a busy timeout beyond 50 ms is cut to it', async (t) => {
  const path = await newStore(t);
  const store = await openSqliteStore({ path, clock: systemClock, ids: systemIds, busyTimeoutMs: 5 * SECOND });
  t.after(() => store.close());
  await holdWriteLock(t, path, 1.5 * SECOND);
  const ticks = countTicks(t);
  await store.acquire(startOf('job'));
  const { longestGapMs } = ticks.stop();
  assert.ok(longestGapMs < GAP_MS_MAX, `a gap of ${longestGapMs} ms between ticks`);
});

async function newStore(t: TestContext): Promise<string> {
  const path = join(temporaryFolder(t), 'store.db');
  await (await openStore(t, path)).close();
  return path;
}

/** Ticks every 10 ms until stopped: how many, and the longest gap between two. */
function countTicks(t: TestContext): { stop(): { count: number; longestGapMs: number } } {
  let lastMs = performance.now();
  let count = 0;
  let longestGapMs = 0;
  const tick = (): void => {
    const nowMs = performance.now();
    longestGapMs = Math.max(longestGapMs, nowMs - lastMs);
    lastMs = nowMs;
    count += 1;
  };
  const timer = setInterval(tick, 10);
  t.after(() => clearInterval(timer));
  return {
    stop: () => {
      clearInterval(timer);
      tick();
      return { count, longestGapMs: Math.round(longestGapMs) };
    },
  };
}
