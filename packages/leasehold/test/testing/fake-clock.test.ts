import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elapsedMs } from '../../src/domain/timing.ts';
import { CountingIds, FakeClock } from '../../src/testing/index.ts';

test('a fake clock stands still until it is moved, and then moves as one', async () => {
  const clock = new FakeClock(1_000_000);
  const before = clock.read();
  assert.deepEqual(clock.read(), before);
  assert.equal(before.wallMs, 1_000_000);
  await clock.advance(250);
  const after = clock.read();
  assert.deepEqual(
    [after.monotonicMs - before.monotonicMs, after.bootMs - before.bootMs, after.wallMs - before.wallMs],
    [250, 250, 250],
  );
});

test('timers fire in the order of their instants, each at its own', async () => {
  const clock = new FakeClock();
  const start = clock.read().monotonicMs;
  const fired: [string, number][] = [];
  const note = (name: string) => (): void => {
    fired.push([name, clock.read().monotonicMs - start]);
  };
  clock.schedule(300, note('c'));
  clock.schedule(100, note('a'));
  clock.schedule(200, note('cancelled')).cancel();
  clock.schedule(200, note('b'));
  await clock.advance(299);
  assert.deepEqual(fired, [
    ['a', 100],
    ['b', 200],
  ]);
  assert.equal(clock.pendingCount, 1);
  await clock.advance(1);
  assert.deepEqual(fired.at(-1), ['c', 300]);
});

test('code that sleeps in a loop goes round within one move', async () => {
  const clock = new FakeClock();
  let rounds = 0;
  const loop = async (): Promise<void> => {
    while (rounds < 5) {
      await clock.sleep(100);
      rounds += 1;
    }
  };
  const done = loop();
  await clock.advance(450);
  assert.equal(rounds, 4);
  await clock.advance(50);
  await done;
});

test('a sleep that is aborted rejects with the reason and leaves no timer', async () => {
  const clock = new FakeClock();
  const reason = new Error('enough');
  const abort = new AbortController();
  const sleep = clock.sleep(1_000, abort.signal);
  assert.equal(clock.pendingCount, 1);
  abort.abort(reason);
  await assert.rejects(sleep, reason);
  assert.equal(clock.pendingCount, 0);
  await assert.rejects(clock.sleep(1, abort.signal), reason);
});

test('a stepped wall clock moves nothing else', () => {
  const clock = new FakeClock();
  const before = clock.read();
  clock.stepWall(-3_600_000);
  const after = clock.read();
  assert.deepEqual(
    [after.monotonicMs, after.bootMs, after.wallMs],
    [before.monotonicMs, before.bootMs, before.wallMs - 3_600_000],
  );
});

test('a suspended host goes on in boot time, and its timers wait', async () => {
  const clock = new FakeClock();
  const before = clock.read();
  let fired = false;
  clock.schedule(100, () => {
    fired = true;
  });
  clock.suspend(60_000);
  await clock.advance(99);
  assert.equal(fired, false);
  assert.equal(elapsedMs(before, clock.read()), 60_099);
  await clock.advance(1);
  assert.equal(fired, true);
});

test('a restarted host has another boot id, boot time from its beginning, and no timers', () => {
  const clock = new FakeClock();
  const { bootId } = clock;
  const { wallMs } = clock.read();
  clock.schedule(10, () => assert.fail('its process is gone'));
  clock.reboot(5_000);
  assert.notEqual(clock.bootId, bootId);
  assert.equal(clock.read().wallMs, wallMs + 5_000);
  assert.ok(clock.read().bootMs <= 1_000);
  assert.equal(clock.pendingCount, 0);
});

test('counting ids differ from one another and are the same on every run', () => {
  const ids = new CountingIds();
  const some = Array.from({ length: 300 }, () => ids.newId());
  assert.equal(new Set(some).size, 300);
  assert.equal(some[0], new CountingIds().newId());
  for (const id of some) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});
