import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import { hasMountOver, keepFresh, parseTimeOffsets } from '../../src/platform/boot-clock.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';

/** Clock: the system's own, which is what is tested. Bounds are wide where time passes. */

test('the clock of production can not be replaced, not by assignment and not by mocked timers', async (t) => {
  assert.ok(Object.isFrozen(systemClock) && Object.isFrozen(systemIds));
  const before = systemClock.read();
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 0 });
  t.after(() => mock.timers.reset());
  assert.equal(Date.now(), 0, 'control: the mock is there');
  const { wallMs } = systemClock.read();
  assert.ok(wallMs >= before.wallMs && wallMs < before.wallMs + 60_000, `wall clock ${wallMs}`);
  await systemClock.sleep(5);
});

test('the three clocks go on together', async () => {
  const from = systemClock.read();
  await systemClock.sleep(40);
  const to = systemClock.read();
  for (const clock of ['monotonicMs', 'bootMs', 'wallMs'] as const) {
    const elapsed = to[clock] - from[clock];
    assert.ok(elapsed >= 20 && elapsed < 5_000, `${clock}: ${elapsed} ms`);
  }
});

test('boot time is what the system says, and its boot has an id', { skip: noProc() }, () => {
  assert.equal(systemClock.bootId, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const uptimeMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000;
  const { bootMs } = systemClock.read();
  assert.ok(Number.isInteger(bootMs) && Math.abs(bootMs - uptimeMs) < 1_000, `${bootMs} and ${uptimeMs}`);
});

test('a sleep ends at once with the reason of its signal', async () => {
  const reason = new Error('enough');
  await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort(reason)), reason);
  const controller = new AbortController();
  const sleep = systemClock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await assert.rejects(sleep, reason);
});

test('a timer calls once, and not when it was cancelled', async () => {
  const calls: string[] = [];
  systemClock.schedule(5, () => calls.push('due'));
  systemClock.schedule(5, () => calls.push('cancelled')).cancel();
  await systemClock.sleep(40);
  assert.deepEqual(calls, ['due']);
});

test('a timer further away than the 24 days of setTimeout does not fire at once', async () => {
  const calls: string[] = [];
  const timer = systemClock.schedule(31 * 86_400_000, () => calls.push('ours'));
  await systemClock.sleep(30);
  timer.cancel();
  assert.deepEqual(calls, []);
});

test('a timer does not keep the process alive, a sleep does', () => {
  const module = new URL('../../src/platform/system-clock.ts', import.meta.url).href;
  const outputOf = (code: string): string =>
    spawnSync(process.execPath, ['--input-type=module', '-e', `import { systemClock } from '${module}'; ${code}`], {
      encoding: 'utf8',
      timeout: 20_000,
    }).stdout;
  assert.equal(outputOf("systemClock.schedule(50, () => console.log('fired'))"), '');
  assert.equal(outputOf("await systemClock.sleep(50); console.log('slept')"), 'slept\n');
});

test('the boot-time clock is asked again after half a step of its own, by either of the other clocks', () => {
  let asked = 0;
  const read = keepFresh(() => {
    asked += 1;
    return asked;
  });
  const readings = [
    [1_000, 50_000, 1],
    [1_004, 50_004, 1],
    [1_005, 50_004, 2],
    // Suspended: the monotonic clock stood still.
    [1_006, 3_650_004, 3],
    [1_006, 3_650_004, 3],
    // Set back.
    [1_007, 50_000, 4],
  ] as const;
  for (const [monotonicMs, wallMs, expected] of readings) assert.equal(read(monotonicMs, wallMs), expected);
});

test('a time namespace is read from its two lines, seconds and nanoseconds', () => {
  const none = { monotonicMs: 0, boottimeMs: 0 };
  assert.deepEqual(parseTimeOffsets('monotonic           0         0\nboottime            0         0\n'), none);
  assert.deepEqual(parseTimeOffsets('monotonic   -5  500000000\nboottime  86400 0\n'), {
    monotonicMs: -4_500,
    boottimeMs: 86_400_000,
  });
  assert.deepEqual(parseTimeOffsets(''), none);
});

test('a file mounted over /proc/uptime is noticed', () => {
  const proc = '23 22 0:21 / /proc rw - proc proc rw';
  assert.equal(hasMountOver('/proc/uptime', proc), false);
  assert.equal(
    hasMountOver('/proc/uptime', `${proc}\n99 23 0:50 /proc/uptime /proc/uptime rw - fuse.lxcfs lxcfs rw`),
    true,
  );
});

test('ids are random and differ, chance lies from 0 to 1', () => {
  const ids = Array.from({ length: 1_000 }, () => systemIds.newId());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const chances = Array.from({ length: 1_000 }, () => systemIds.random());
  assert.ok(chances.every((chance) => chance >= 0 && chance < 1) && new Set(chances).size > 900);
});

function noProc(): string | false {
  return existsSync('/proc/uptime') ? false : 'this system has no /proc';
}
