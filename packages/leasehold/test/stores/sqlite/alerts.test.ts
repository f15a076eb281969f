/** The outbox of the embedded store: one transaction with its cause, and rows that a person or a faulty clock has written. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '../../../src/testing/index.ts';
import { changeFile, openStore, rowsIn, startOf, temporaryFolder } from './stage.ts';

const ALERTS =
  'select e.kind, e.lock, a.state, a.attempts from alerts a join events e on e.seq = a.event_id order by e.seq';

test('where the cause is rolled back there is no alert, and where the alert can’t be stored there is no cause', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const store = await openStore(t, path);
  await store.acquire(startOf('job'));
  // Written last by a skip that is a streak, so everything else of that skip was written before.
  changeFile(
    path,
    `create trigger no_streak before insert on events when new.kind = 'run.skip_streak' begin select raise(abort, 'full'); end`,
  );
  for (const skips of [1, 2]) assert.equal((await store.acquire(startOf('job'))).skipsInRow, skips);
  await assert.rejects(store.acquire(startOf('job')));
  assert.equal(rowsIn(path, ALERTS).length, 2, 'no alert of the skip that was rolled back');
  changeFile(path, 'drop trigger no_streak');
  changeFile(path, `create trigger no_alerts before insert on alerts begin select raise(abort, 'full'); end`);
  await assert.rejects(store.pause({ lock: 'job', reason: null }));
  assert.deepEqual(rowsIn(path, 'select paused_at from locks'), [{ paused_at: null }]);
  assert.equal((await store.events({ lock: null, kind: 'lock.paused', limit: 10 })).length, 0);
});

test('an alert that is taken for years or due in years counts as free and as due', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  const store = await openStore(t, path, clock);
  await store.pause({ lock: 'a', reason: null });
  const take = async (): Promise<number> => (await store.takeAlerts({ taker: 't', limit: 10, leaseMs: 60_000 })).length;
  const year = clock.read().wallMs + 365 * 86_400_000;
  changeFile(path, `update alerts set taken_by = 'x', taken_until = ${year}`);
  assert.equal(await take(), 1);
  changeFile(path, `update alerts set taken_by = null, taken_until = null, next_attempt_at = ${year}`);
  assert.equal(await take(), 1);
  assert.equal(await take(), 0);
});

test('a deleted event takes its alert along', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const store = await openStore(t, path);
  await store.pause({ lock: 'a', reason: null });
  changeFile(path, 'delete from events');
  assert.deepEqual(rowsIn(path, 'select * from alerts'), []);
  assert.equal((await store.alertCounts()).pending, 0);
});
