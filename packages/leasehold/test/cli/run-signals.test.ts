/**
 * Signals to the wrapper. Each test ends in the same question: is there a lock that needs hands?
 * Leases are long here, so that a lock that was left behind would be seen.
 */
import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, it } from 'node:test';
import { type Bench, handlesSignals, isAlive, numberIn, openBench, type Running, until } from './command-line.ts';
import { endLeaseNow, knowsCommand, openRows } from './store-rows.ts';

/** A job that says when it is ready and which signals it got, and ends 0 on the first of them. */
const POLITE = `
for signal in TERM INT HUP QUIT USR1 USR2; do trap "echo got $signal; exit 0" $signal; done
echo "ready $$"; for n in $(seq 200); do sleep 0.05; done`;

/** A job that nothing but KILL ends. */
const STUBBORN = `trap '' TERM INT HUP QUIT; echo "ready $$"; for n in $(seq 200); do sleep 0.05; done`;

async function startReady(bench: Bench, script: string, options: readonly string[] = []): Promise<Running> {
  const running = bench.start(['run', 'a', ...options, '--', 'sh', '-c', script]);
  await until('the job is ready', () => running.stdout().includes('ready '));
  return running;
}

/** Stops a process group; nothing of it outlives the test. */
function stopped(groupId: number): Disposable {
  process.kill(-groupId, 'SIGSTOP');
  return {
    [Symbol.dispose]() {
      try {
        process.kill(-groupId, 'SIGKILL');
      } catch {
        // Gone, as it should be.
      }
    },
  };
}

async function stateOf(bench: Bench): Promise<string | undefined> {
  const [status] = await bench.json<{ state: string }>(['status', 'a']);
  return status?.state;
}

describe('while the command runs', () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
    it(`${signal} goes on to it, its exit code comes back, and the lock is free`, async () => {
      await using bench = openBench();
      const running = await startReady(bench, POLITE);
      running.kill(signal);
      const { code, stdout, stderr } = await running.ended;
      assert.match(stdout, new RegExp(`got ${signal.slice(3)}`));
      assert.equal(code, 0);
      // What a shell says of its own child is the command's; nothing is ours.
      assert.doesNotMatch(stderr, /leasehold/);
      assert.equal(await stateOf(bench), 'free');
    });
  }

  for (const signal of ['SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGABRT'] as const) {
    it(`${signal}, which would end the wrapper, ends the command, and the lock is free`, async () => {
      await using bench = openBench();
      const running = await startReady(bench, `exec sleep 15 & echo "ready $!"; wait $!; exit 9`);
      running.kill(signal);
      assert.equal((await running.ended).code, 128 + constants.signals[signal]);
      await until('its child is gone', () => !isAlive(numberIn(running.stdout(), 'ready')));
      assert.equal(await stateOf(bench), 'free');
    });
  }

  it('TERM ends a command that was stopped', async () => {
    await using bench = openBench();
    const running = await startReady(bench, POLITE);
    using _group = stopped(numberIn(running.stdout(), 'ready'));
    running.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match(stdout, /got TERM/);
  });

  it('CONT wakes a command that was stopped', async () => {
    await using bench = openBench();
    const running = await startReady(bench, 'echo "ready $$"; sleep 0.2');
    using _group = stopped(numberIn(running.stdout(), 'ready'));
    running.kill('SIGCONT');
    assert.equal((await running.ended).code, 0);
  });

  it('one that ends the command is 128 + n, and its children get it too', async () => {
    await using bench = openBench();
    const running = await startReady(bench, 'sleep 15 & echo "child $!"; echo "ready $$"; wait');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);
    const grandchild = numberIn(running.stdout(), 'child');
    await until('its child is gone', () => !isAlive(grandchild));
    assert.equal(await stateOf(bench), 'free');
  });

  it('the wrapper stays with a command that ignores TERM: its lock is held as long as it runs', async () => {
    await using bench = openBench();
    const running = await startReady(bench, STUBBORN);
    running.kill('SIGTERM');
    running.kill('SIGTERM');
    assert.equal(await stateOf(bench), 'held');
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 75);
    process.kill(numberIn(running.stdout(), 'ready'), 'SIGKILL');
    assert.equal((await running.ended).code, 137);
    assert.equal(await stateOf(bench), 'free');
  });

  it('TERM while the lock is being released changes nothing', async () => {
    await using bench = openBench();
    const running = await startReady(bench, POLITE);
    const job = numberIn(running.stdout(), 'ready');
    await until('the store knows of the command', () => knowsCommand(bench, 'a'));
    {
      // Somebody else's transaction holds the release up.
      using rows = openRows(bench);
      rows.exec('begin immediate');
      running.kill('SIGUSR1');
      await until('the command has ended', () => !isAlive(job));
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) running.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(running.child.exitCode ?? running.child.signalCode, null, 'it waits for its release');
      rows.exec('rollback');
    }
    const { code, signal } = await running.ended;
    assert.deepEqual([code, signal], [0, null]);
    assert.equal(await stateOf(bench), 'free');
  });
});

describe('before the command exists', () => {
  for (const [signal, exitCode] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    it(`${signal} ends a start that waits for a busy lock at once, with ${exitCode}, and nothing is run`, async () => {
      await using bench = openBench();
      await bench.run(['acquire', 'a', '--lease', '5m', '--run-id', 'held']);
      const waiting = bench.start(['run', 'a', '--on-busy', 'wait', '--wait', '10m', '--', 'echo', 'ran']);
      await until('it waits', async () => (await bench.json(['runs', 'a'])).length === 2);
      waiting.kill(signal);
      const { code, stdout } = await waiting.ended;
      assert.deepEqual([code, stdout], [exitCode, '']);
      // The wait ended for good: what it met is recorded, and the lock is its holder's.
      const [status] = await bench.json<{ state: string; skipsInRow: number }>(['status', 'a']);
      assert.deepEqual([status?.state, status?.skipsInRow], ['held', 0]);
    });
  }

  it('TERM while the store is asked ends the start when it has answered; a lock that it gave is given back', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    for (const args of [
      ['run', 'a', '--', 'echo', 'ran'],
      ['acquire', 'a', '--lease', '5m'],
    ]) {
      const running = bench.start(args);
      {
        // Somebody else's transaction holds the answer up.
        using rows = openRows(bench);
        rows.exec('begin immediate');
        await until('it handles signals', () => handlesSignals(running.pid));
        running.kill('SIGTERM');
        await new Promise((resolve) => setTimeout(resolve, 50));
        rows.exec('rollback');
      }
      const { code, stdout } = await running.ended;
      assert.deepEqual([code, stdout], [143, ''], args[0]);
      assert.equal(await stateOf(bench), 'free');
    }
    const outcomes = await bench.json<{ outcome: string; endedAt: string | null }>(['runs', 'a']);
    for (const run of outcomes) assert.notEqual(run.endedAt, null);
  });

  it('TERM at any moment of a start leaves no lock behind and loses no signal', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    let interrupted = 0;
    for (let delayMs = 20; delayMs <= 240; delayMs += 20) {
      const running = bench.start(['run', 'a', '--', 'sleep', '15']);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      running.kill('SIGTERM');
      const { code, signal } = await running.ended;
      // Before its first instruction a process dies of the signal itself; from then on it is 143.
      assert.ok(code === 143 || signal === 'SIGTERM', `after ${delayMs} ms: ${code} ${signal}`);
      if (code === 143) interrupted += 1;
      const state = await stateOf(bench);
      assert.ok(state === 'free' || state === undefined, `after ${delayMs} ms the lock is ${state}`);
    }
    assert.ok(interrupted > 0, 'no start got as far as our own handler');
  });
});

describe('SIGKILL', () => {
  it('to the wrapper: its command lives on, starts are skipped until the lease ends, then reclaimed (C45)', async () => {
    await using bench = openBench();
    const running = await startReady(bench, 'echo "ready $$"; exec sleep 15');
    const job = numberIn(running.stdout(), 'ready');
    try {
      await until('the store knows of the command', () => knowsCommand(bench, 'a'));
      running.kill('SIGKILL');
      await running.exited;
      assert.equal(isAlive(job), true);
      const early = await bench.run(['run', 'a', '--', 'true']);
      assert.equal(early.code, 75);
      assert.match(early.stderr, /previous run still running/);
      endLeaseNow(bench, 'a');
      const late = await bench.run(['run', 'a', '--', 'true']);
      assert.equal(late.code, 0);
      assert.match(
        late.stderr,
        /Reclaimed stale lease of lock "a".*its child may be alive; the previous run may still/,
      );
    } finally {
      process.kill(job, 'SIGKILL');
    }
  });

  it('to the wrapper: what its command does with its old token afterwards is refused (C45)', async () => {
    await using bench = openBench();
    const running = await startReady(bench, 'echo "token $LEASEHOLD_TOKEN"; echo "ready $$"; exec sleep 15');
    const token = /^token (\S+)$/m.exec(running.stdout())?.[1] ?? '';
    running.kill('SIGKILL');
    await running.exited;
    process.kill(numberIn(running.stdout(), 'ready'), 'SIGKILL');
    endLeaseNow(bench, 'a');
    const next = await startReady(bench, POLITE);
    assert.equal((await bench.run(['renew', 'a', '--token', token])).code, 77);
    assert.equal((await bench.run(['release', 'a', '--token', token])).code, 77);
    assert.equal(await stateOf(bench), 'held');
    next.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
  });

  it('after TERM, to a command that needed longer: reclaimed once it is gone or its lease is over (C18)', async () => {
    await using bench = openBench();
    const running = await startReady(bench, STUBBORN);
    await until('the store knows of the command', () => knowsCommand(bench, 'a'));
    running.kill('SIGTERM');
    running.kill('SIGKILL');
    await running.exited;
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 75);
    process.kill(-numberIn(running.stdout(), 'ready'), 'SIGKILL');
    assert.match((await bench.run(['run', 'a', '--', 'true'])).stderr, /Reclaimed/);
    assert.equal(await stateOf(bench), 'free');
  });

  it('to a start that waits for a busy lock breaks nothing for good (C49)', async () => {
    await using bench = openBench();
    const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
    const waiting = bench.start(['run', 'a', '--on-busy', 'wait', '--wait', '10m', '--', 'true']);
    await until('it waits', async () => (await bench.json(['runs', 'a'])).length === 2);
    waiting.kill('SIGKILL');
    await waiting.exited;
    assert.equal((await bench.run(['release', 'a', '--token', token.trim()])).code, 0);
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
  });
});
