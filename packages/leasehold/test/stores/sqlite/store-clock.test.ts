import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Clock } from '../../../src/ports/clock.ts';
import { storeTime } from '../../../src/stores/sqlite/store-clock.ts';
import { FakeClock } from '../../../src/testing/index.ts';
import { assertRefused, HOUR, MINUTE, openStore, rowsIn, startOf, temporaryFolder } from './stage.ts';

/** Clock: one that stands still until it is moved. Its boot-time and its wall clock can part company. */

test('a wall clock stepped forward by an hour or a year frees nothing', async (t) => {
  const clock = new FakeClock();
  const store = await openStore(t, join(temporaryFolder(t), 'store.db'), clock);
  await store.acquire(startOf('job', { leaseMs: HOUR }));
  for (const step of [HOUR, 365 * 24 * HOUR]) {
    clock.stepWall(step);
    const answer = await store.acquire(startOf('job'));
    assert.ok(answer.outcome === 'skipped' && answer.current.remainingMs === HOUR, answer.message);
  }
  await clock.advance(HOUR);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
});

test('a wall clock set back by an hour freezes nothing', async (t) => {
  const clock = new FakeClock();
  const store = await openStore(t, join(temporaryFolder(t), 'store.db'), clock);
  await store.acquire(startOf('job', { leaseMs: HOUR }));
  clock.stepWall(-HOUR);
  await clock.advance(HOUR - 1);
  const answer = await store.acquire(startOf('job'));
  assert.ok(answer.outcome === 'skipped' && answer.current.remainingMs === 1, answer.message);
  assert.equal(answer.current.ageMs, HOUR - 1);
  await clock.advance(1);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
});

test('control: on a host without a boot id the wall clock is all there is, and stepping it frees the lock', async (t) => {
  const clock = withoutBootId(new FakeClock());
  const store = await openStore(t, join(temporaryFolder(t), 'store.db'), clock.clock);
  await store.acquire(startOf('job', { leaseMs: HOUR }));
  clock.moved.stepWall(HOUR);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
});

test('a process that cannot see the boot is refused where others reckon by it, whatever it asks, and frees nothing', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  const store = await openStore(t, path, clock);
  await store.acquire(startOf('job', { leaseMs: HOUR }));
  clock.stepWall(HOUR);
  const blind = await openStore(t, path, withoutBootId(clock).clock);
  for (const ask of [() => blind.acquire(startOf('job')), () => blind.status({ lock: 'job', limit: 1 })]) {
    await assertRefused(ask(), 'STORE_UNUSABLE', /Give this container the whole of \/proc/, path);
  }
  assert.equal((await store.acquire(startOf('job'))).outcome, 'skipped');
});

test('a store first used by processes that cannot see the boot goes on by the wall clock at the first that can', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  const blind = await openStore(t, path, withoutBootId(clock).clock);
  const lease = await blind.acquire(startOf('job', { leaseMs: HOUR }));
  assert.ok(lease.outcome === 'acquired');
  await clock.advance(MINUTE);
  const store = await openStore(t, path, clock);
  const answer = await store.acquire(startOf('job'));
  assert.ok(answer.outcome === 'skipped' && answer.current.remainingMs === HOUR - MINUTE, answer.message);
  const renewal = blind.renew({ lock: 'job', token: lease.token, leaseMs: null, progress: null, holderInfo: null });
  await assertRefused(
    renewal,
    'STORE_UNUSABLE',
    /its time is counted from the boot of its host, and this process can't see that boot \(\/proc\/sys\/kernel\/random\/boot_id\). Give this container the whole of \/proc \(not subset=pid\); on another host than the store's, name another file$/,
    path,
  );
  await clock.advance(HOUR - MINUTE - 1);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'skipped', 'its lease is kept to its end');
  await clock.advance(1);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
});

test('time goes on in suspend', async (t) => {
  const clock = new FakeClock();
  const store = await openStore(t, join(temporaryFolder(t), 'store.db'), clock);
  await store.acquire(startOf('job', { leaseMs: HOUR }));
  clock.suspend(HOUR);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
});

test('processes that open the store after the wall clock was stepped tell the same time', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  const first = await openStore(t, path, clock);
  await first.acquire(startOf('job', { leaseMs: HOUR }));
  clock.stepWall(-5 * HOUR);
  const second = await openStore(t, path, clock);
  const [one, other] = [await first.status({ lock: 'job', limit: 1 }), await second.status({ lock: 'job', limit: 1 })];
  assert.deepEqual(one, other);
  assert.equal(other[0]?.remainingMs, HOUR);
});

test('a new boot bases the clock on the wall clock', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const clock = new FakeClock();
  const store = await openStore(t, path, clock);
  await store.acquire(startOf('job', { leaseMs: HOUR }));
  clock.reboot(10 * MINUTE);
  const beforeWrite = await store.status({ lock: 'job', limit: 1 });
  const answer = await store.acquire(startOf('job'));
  assert.ok(answer.outcome === 'skipped' && answer.current.remainingMs === 50 * MINUTE, answer.message);
  assert.equal(beforeWrite[0]?.remainingMs, 50 * MINUTE, 'a look before the first write tells the same time');
  const { wallMs, bootMs } = clock.read();
  assert.deepEqual(rowsIn(path, 'select * from clock'), [
    { one: 1, boot_id: 'fake-boot-2', wall_base: wallMs, boot_base: bootMs },
  ]);
});

test('a boot whose clock is behind draws a lease in to its length, records it once, and frees it no earlier', async (t) => {
  const clock = new FakeClock();
  const store = await openStore(t, join(temporaryFolder(t), 'store.db'), clock);
  await store.acquire(startOf('job', { leaseMs: HOUR, runId: 'run-a', holder: 'host:a' }));
  clock.reboot(-365 * 24 * HOUR);
  assert.equal((await store.status({ lock: 'job', limit: 1 }))[0]?.remainingMs, HOUR);
  await store.acquire(startOf('job'));
  const events = await store.events({ lock: 'job', kind: 'clock.fault', limit: 10 });
  assert.deepEqual(
    events.map(({ severity, runId, holder }) => [severity, runId, holder]),
    [['warning', 'run-a', 'host:a']],
  );
  await clock.advance(HOUR - 1);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'skipped');
  await clock.advance(1);
  assert.equal((await store.acquire(startOf('job'))).outcome, 'reclaimed');
  assert.equal((await store.events({ lock: 'job', kind: 'clock.fault', limit: 10 })).length, 1);
});

test('boot time that went back (a virtual machine at an earlier snapshot) is taken for a new boot', () => {
  const clock = new FakeClock();
  const base = { bootId: 'fake-boot-1', wallBase: 0, bootBase: clock.read().bootMs + 1 };
  const { now, rebased } = storeTime(base, clock, 'a store');
  const { wallMs, bootMs } = clock.read();
  assert.deepEqual([now, rebased], [wallMs, { bootId: 'fake-boot-1', wallBase: wallMs, bootBase: bootMs }]);
});

test('within one boot the base is written once and the time is whole milliseconds', () => {
  const clock = new FakeClock();
  const base = { bootId: 'fake-boot-1', wallBase: 5_000, bootBase: clock.read().bootMs - 2.5 };
  assert.deepEqual(storeTime(base, clock, 'a store'), { now: 5_002, rebased: null });
});

/** The same clock on a host that doesn't name its boots. */
function withoutBootId(moved: FakeClock): { clock: Clock; moved: FakeClock } {
  const clock: Clock = {
    bootId: null,
    read: () => ({ ...moved.read(), bootMs: moved.read().wallMs }),
    sleep: (ms, signal) => moved.sleep(ms, signal),
    schedule: (ms, callback) => moved.schedule(ms, callback),
  };
  return { clock, moved };
}
