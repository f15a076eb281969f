/**
 * A lease that is lost while the command runs. A short lease makes the heartbeat look often; its loss
 * is made by force-release or by moving the row, except where the wrapper must really sleep through it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bench, isAlive, numberIn, openBench, type Running, until } from './command-line.ts';
import { knowsCommand, openRows } from './store-rows.ts';

const BUSY = 'echo "ready $$"; for n in $(seq 200); do sleep 0.05; done';
const STUBBORN = `trap '' TERM INT HUP QUIT; ${BUSY}`;

async function startReady(bench: Bench, script: string, options: readonly string[] = []): Promise<Running> {
  const running = bench.start(['run', 'a', '--lease', '2s', ...options, '--', 'sh', '-c', script]);
  await until('the job is ready', () => running.stdout().includes('ready '));
  return running;
}

/** Another run has the lock: what a holder meets that was away for longer than its lease. */
function giveToAnother(bench: Bench): void {
  using rows = openRows(bench);
  const sql = `update locks set fence = fence + 1, token = 'another', run_id = 'another', holder = 'another',
    lease_until = lease_until + 3600000 where name = 'a'`;
  assert.equal(rows.prepare(sql).run().changes, 1);
}

async function newestRun(bench: Bench): Promise<{ status: string | null } | undefined> {
  const [run] = await bench.json<{ status: string | null }>(['runs', 'a']);
  return run;
}

describe('a lost lease, by default', () => {
  it('stops the command: TERM to its whole group, exit 77, why on stderr', async () => {
    await using bench = openBench();
    const running = await startReady(bench, `sleep 15 & echo "child $!"; trap 'echo stopping; exit 0' TERM; ${BUSY}`);
    giveToAnother(bench);
    const { code, stdout, stderr } = await running.ended;
    assert.equal(code, 77);
    assert.match(stdout, /stopping/);
    assert.match(stderr, /^leasehold: Lost lock "a": .* took it over; stopping the command \(TERM now, KILL after /m);
    await until('the whole group is gone', () => !isAlive(numberIn(stdout, 'child')));
    assert.equal((await newestRun(bench))?.status, 'failure');
  });

  it('kills a command that ignores TERM, after its grace', async () => {
    await using bench = openBench();
    const running = await startReady(bench, STUBBORN);
    giveToAnother(bench);
    assert.equal((await running.ended).code, 77);
    assert.equal(isAlive(numberIn(running.stdout(), 'ready')), false);
  });

  it('kills what is left of the group when its leader has already gone', async () => {
    await using bench = openBench();
    const stubbornChild = `sh -c "trap '' TERM; echo child \\$\\$; for n in \\$(seq 200); do sleep 0.05; done" & sleep 0.2`;
    const running = await startReady(bench, `${stubbornChild}; trap 'exit 0' TERM; ${BUSY}`);
    giveToAnother(bench);
    assert.equal((await running.ended).code, 77);
    await until('its child is gone', () => !isAlive(numberIn(running.stdout(), 'child')));
  });

  it('wakes a command that was stopped, so that it can end by itself', async () => {
    await using bench = openBench();
    const running = await startReady(bench, `trap 'echo stopping; exit 0' TERM; ${BUSY}`);
    process.kill(numberIn(running.stdout(), 'ready'), 'SIGSTOP');
    giveToAnother(bench);
    const { code, stdout } = await running.ended;
    assert.equal(code, 77);
    assert.match(stdout, /stopping/);
  });

  it('by force-release stops the command and frees the lock; the next start is reclaimed', async () => {
    await using bench = openBench();
    const running = await startReady(bench, BUSY, ['--lease', '5s']);
    {
      using rows = openRows(bench);
      const grace = rows.prepare("select grace_ms from locks where name = 'a'").get()?.['grace_ms'];
      assert.equal(grace, 1_000 + 500 + 2_000, 'the store waits for the answer, TERM, KILL and its effect');
    }
    assert.equal((await bench.run(['force-release', 'a', '--reason', 'test'])).code, 0);
    const { code, stderr } = await running.ended;
    assert.equal(code, 77);
    assert.match(stderr, /it was force-released/);
    const next = await bench.run(['run', 'a', '--', 'true']);
    assert.equal(next.code, 0);
    assert.match(next.stderr, /Reclaimed lease of lock "a" after a force-release/);
  });
});

describe('a lost lease with --on-lost warn', () => {
  it('is said, the command goes on, and its exit code comes back', async () => {
    await using bench = openBench();
    const running = await startReady(bench, `trap 'exit 5' USR1; ${BUSY}`, ['--on-lost', 'warn']);
    giveToAnother(bench);
    await until('the loss is said', () =>
      running.stderr().includes('the command goes on without it (--on-lost warn) ['),
    );
    assert.equal(isAlive(numberIn(running.stdout(), 'ready')), true);
    running.kill('SIGUSR1');
    const { code, stderr } = await running.ended;
    assert.equal(code, 5);
    assert.match(stderr, /Not released: this token does not hold lock "a"/);
  });
});

describe('a wrapper that is stopped for longer than its lease (C31)', () => {
  it('learns on waking that its lease is lost, stops the command and ends with 77', async () => {
    await using bench = openBench();
    const running = await startReady(bench, BUSY, ['--lease', '1s']);
    // Not in the middle of that write: stopped there it would keep the store from everybody.
    await until('the store knows of the command', () => knowsCommand(bench, 'a'));
    running.kill('SIGSTOP');
    // The one real wait of this file: nothing but time makes a stopped process late.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    const next = await bench.run(['run', 'a', '--lease', '10s', '--', 'true']);
    assert.equal(next.code, 0);
    assert.match(next.stderr, /Reclaimed stale lease/);
    running.kill('SIGCONT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 77, stderr);
    assert.match(stderr, /stopping the command/);
    assert.doesNotMatch(stderr, /at .*\.ts:\d+|uncaught|Unhandled/i);
    assert.equal(isAlive(numberIn(running.stdout(), 'ready')), false);
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
  });

  it('gives back the exit code of a command that ended while it was stopped', async () => {
    await using bench = openBench();
    const running = await startReady(bench, 'echo "ready $$"; sleep 0.3; exit 4', ['--lease', '1s']);
    running.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    running.kill('SIGCONT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 4, stderr);
    assert.match(stderr, /after its lease had ended; nobody had taken it/);
    assert.equal((await newestRun(bench))?.status, 'failure');
  });
});

describe('a command that leaves a daemon behind (C44)', () => {
  it('frees the lock at its own end, although the daemon keeps its output open, and leaves the daemon alone', async () => {
    await using bench = openBench();
    const running = bench.start(['run', 'a', '--', 'sh', '-c', 'sleep 15 & echo "daemon $!"']);
    assert.equal(await running.exited, 0);
    const daemon = numberIn(running.stdout(), 'daemon');
    try {
      const [status] = await bench.json<{ state: string }>(['status', 'a']);
      assert.equal(status?.state, 'free');
      assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
      assert.equal(isAlive(daemon), true);
    } finally {
      process.kill(daemon, 'SIGKILL');
    }
  });
});
