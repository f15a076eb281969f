/**
 * Real wall clocks that are wrong, under real processes (libfaketime; its monotonic and boot-time clocks stay right).
 *
 * A lease of 5 s: margin 1 s. Verdict: the place that commands enter, and the time on this process's own clock.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, numberIn, openBench, type Running, until } from '../cli/command-line.ts';
import { openPlace, type Place, STUBBORN } from '../outage/place.ts';
import { POSTGRES_VERSIONS, startPostgres } from '../postgres-server.ts';
import { cannotFakeTime, fakedTime, setOffset } from './fake-time.ts';

const LEASE_MS = 5_000;

/** A file that sets clocks, readable for whoever runs the processes. */
function offsetFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-time-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const file = join(folder, 'offset');
  setOffset(file, '+0');
  return file;
}

async function hold(bench: Bench, place: Place, env: Record<string, string>, script: string): Promise<Running> {
  const running = bench.start(['run', 'a', '--lease', '5s', '--', ...place.command(script)], { env });
  await until('it runs', () => running.stdout().includes('ready '));
  return running;
}

/** One that waits for the lock, at most 20 s, by a clock of its own. */
function rival(bench: Bench, place: Place, env: Record<string, string>): Running {
  const wait = ['--on-busy', 'wait', '--wait', '20s'];
  return bench.start(['run', 'a', '--lease', '5s', ...wait, '--', ...place.command('sleep 0.3')], { env });
}

describe('a wall clock that is stepped under a run on SQLite', { skip: cannotFakeTime, concurrency: 3 }, () => {
  it('control: the library sets the clock of a process, and leaves its monotonic clock alone', async (t) => {
    const file = offsetFile(t);
    setOffset(file, '+1y');
    await using bench = openBench();
    const script = 'echo "at $(date +%Y)"';
    const { stdout } = await bench.run(['run', 'a', '--', 'bash', '-c', script], { env: fakedTime(file) });
    assert.ok(numberIn(stdout, 'at') > new Date().getFullYear(), stdout);
  });

  for (const offset of ['-1h', '-1y']) {
    it(`by ${offset}: the run is not disturbed, nobody is let in beside it, and the lock is free after it`, async (t) => {
      const file = offsetFile(t);
      await using bench = openBench();
      await using place = await openPlace();
      const running = await hold(bench, place, fakedTime(file), 'sleep 8; exit 4');
      setOffset(file, offset);
      const waiting = rival(bench, place, {});
      assert.equal((await running.ended).code, 4, running.stderr());
      assert.equal(running.stderr(), '');
      assert.deepEqual([(await waiting.ended).code, waiting.stderr()], [0, '']);
      assert.deepEqual([place.most, place.entered], [1, 2]);
    });
  }

  for (const offset of ['+1h', '+1y']) {
    it(`by ${offset}: trust ends, the command is stopped, and the next one is let in only when it has gone`, async (t) => {
      const file = offsetFile(t);
      await using bench = openBench();
      await using place = await openPlace();
      const running = await hold(bench, place, fakedTime(file), STUBBORN);
      const waiting = rival(bench, place, fakedTime(file));
      setOffset(file, offset);
      assert.equal((await running.ended).code, 77, running.stderr());
      assert.match(running.stderr(), /may have ended; another run may start after it; stopping the command/);
      assert.equal((await waiting.ended).code, 0, waiting.stderr());
      assert.deepEqual([place.most, place.entered], [1, 2]);
    });
  }

  for (const offset of ['-1h', '+1h', '-1y', '+1y']) {
    it(`by ${offset}, after its holder was killed: the lease ends when it would have, not sooner and not later`, async (t) => {
      const file = offsetFile(t);
      await using bench = openBench();
      await using place = await openPlace();
      const running = await hold(bench, place, fakedTime(file), STUBBORN);
      // Its command lives on, so that no probe can prove its end and the clock alone decides.
      running.kill('SIGKILL');
      const killedAt = performance.now();
      const [lock] = await bench.json<{ remainingMs: number }>(['status', 'a']);
      const askedMs = performance.now() - killedAt;
      setOffset(file, offset);
      const waiting = rival(bench, place, fakedTime(file));
      await until('the next one runs', () => waiting.stdout().includes('ready '));
      const waitedMs = performance.now() - killedAt;
      process.kill(-numberIn(running.stdout(), 'ready'), 'SIGKILL');
      const remainingMs = lock?.remainingMs ?? Number.NaN;
      assert.ok(waitedMs >= remainingMs - 50, `let in after ${waitedMs} ms, with ${remainingMs} ms to go`);
      assert.ok(waitedMs <= askedMs + LEASE_MS + 4_000, `let in after ${waitedMs} ms`);
      assert.equal((await waiting.ended).code, 0);
      assert.match(waiting.stderr(), /Reclaimed stale lease/);
    });
  }
});

describe('a contender whose wall clock is off, on PostgreSQL', { skip: cannotFakeTime }, () => {
  it('is skipped like any other, by ten minutes, an hour or a year: workers’ clocks decide nothing (C34)', async (t) => {
    await using server = await startPostgres(18);
    await using bench = openBench(server.url);
    await using place = await openPlace();
    await bench.run(['migrate']);
    const running = await hold(bench, place, {}, 'sleep 12; exit 4');
    for (const offset of ['-10m', '+10m', '-1h', '+1h', '-1y', '+1y']) {
      const file = offsetFile(t);
      setOffset(file, offset);
      const { code, stderr } = await bench.run(['run', 'a', '--', ...place.command('')], { env: fakedTime(file) });
      assert.equal(code, 75, `${offset}: ${stderr}`);
    }
    assert.equal((await running.ended).code, 4, running.stderr());
    assert.deepEqual([place.entered, running.stderr()], [1, '']);
  });
});

describe('a PostgreSQL server that comes back with another clock', { skip: cannotFakeTime, concurrency: true }, () => {
  for (const version of POSTGRES_VERSIONS) {
    it(`ten minutes slow (${version}): a living run goes on, a dead one's lease ends within its length, no fault is told twice`, async (t) => {
      await using server = await startPostgres(version);
      await using bench = openBench(server.url);
      await using place = await openPlace();
      await bench.run(['migrate']);
      const alive = bench.start(['run', 'b', '--lease', '30s', '--', ...place.command('sleep 12; exit 4')]);
      const dead = await hold(bench, place, {}, STUBBORN);
      await until('it runs', () => alive.stdout().includes('ready '));
      await server.kill();
      // Its command lives on, as above.
      dead.kill('SIGKILL');
      const slow = offsetFile(t);
      setOffset(slow, '-10m');
      await server.start(fakedTime(slow));
      const backAt = performance.now();
      const waiting = rival(bench, place, {});
      await until('the next one runs', () => waiting.stdout().includes('ready '));
      const waitedMs = performance.now() - backAt;
      process.kill(-numberIn(dead.stdout(), 'ready'), 'SIGKILL');
      assert.ok(waitedMs > LEASE_MS - 100 && waitedMs < LEASE_MS + 6_000, `let in after ${Math.round(waitedMs)} ms`);
      assert.equal((await waiting.ended).code, 0, waiting.stderr());
      assert.equal((await alive.ended).code, 4, alive.stderr());
      assert.doesNotMatch(alive.stderr(), /stopping|lost/i);
      const events = await bench.json<{ kind: string; lock: string }>(['events']);
      assert.deepEqual(
        events
          .filter(({ kind }) => kind === 'clock.fault')
          .map(({ lock }) => lock)
          .toSorted(),
        ['a', 'b'],
      );
    });
  }

  it('ten minutes fast: leases end at once, the run is told lost and stopped, the next start is reclaimed', async (t) => {
    await using server = await startPostgres(18);
    await using bench = openBench(server.url);
    await using place = await openPlace();
    await bench.run(['migrate']);
    const running = bench.start(['run', 'a', '--lease', '30s', '--', ...place.command(STUBBORN)]);
    await until('it runs', () => running.stdout().includes('ready '));
    await server.kill();
    const fast = offsetFile(t);
    setOffset(fast, '+10m');
    await server.start(fakedTime(fast));
    const backAt = performance.now();
    assert.equal((await running.ended).code, 77, running.stderr());
    // The next renewal is due within 4.5 s; the command doesn't listen to TERM and is killed 3 s later.
    assert.ok(performance.now() - backAt < 12_000);
    assert.match(
      running.stderr(),
      /Lost lock "a": its lease ended .* ago; another run may start at any moment; stopping/,
    );
    await sleep(100);
    assert.equal(place.now, 0);
    const next = await bench.run(['run', 'a', '--', 'true']);
    assert.equal(next.code, 0, next.stderr);
  });
});
