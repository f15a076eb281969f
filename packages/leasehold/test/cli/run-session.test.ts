/**
 * What a command put into process groups of its own: `timeout` and a shell with job control do. A wrapper
 * that stops its command stops these too, and frees the lock only then.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Bench, type Ended, isAlive, MAIN, numberIn, openBench, type Running, until } from './command-line.ts';
import { openRows } from './store-rows.ts';

const skip = existsSync('/proc/self/stat') ? false : 'this system has no /proc to find other groups by';

/** Work in a group of its own, under a shell that waits for it: `trap` says what it does about TERM. */
function apart(trap: string): string {
  return `set -m; (${trap}; echo "inner $BASHPID"; for n in $(seq 300); do sleep 0.05; done) & wait`;
}
const PLAIN = apart(':');
const STUBBORN = apart("trap '' TERM");
/** Needs a while to end, and says each TERM that it gets; the shell around it ends at once. */
const SLOW = apart(`trap 'echo got TERM; sleep 0.1; ended=1' TERM; ended=0
  until [ $ended = 1 ]; do echo "inner $BASHPID"; sleep 0.05; done; sleep 0.6; echo over; exit`);
const TIMEOUT = `timeout 20 sh -c 'echo "inner $$"; for n in $(seq 300); do sleep 0.05; done'; true`;

interface Job {
  readonly running: Running;
  readonly inner: number;
  /** Whether the inner work was still there when the wrapper had ended. */
  end(): Promise<Ended & { readonly isLeft: boolean }>;
}

async function startJob(bench: Bench, script: string, lease: string = '2s'): Promise<Job & Disposable> {
  const running = bench.start(['run', 'a', '--lease', lease, '--', 'bash', '-c', script]);
  await until('the inner work is there', () => running.stdout().includes('inner '));
  const inner = numberIn(running.stdout(), 'inner');
  return {
    running,
    inner,
    async end() {
      await running.exited;
      const isLeft = isAlive(inner);
      kill(inner);
      return { ...(await running.ended), isLeft };
    },
    [Symbol.dispose]: () => kill(inner),
  };
}

/** It leads its group. */
function kill(inner: number): void {
  for (const id of [-inner, inner]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // Gone, as it should be, or no leader.
    }
  }
}

function giveToAnother(bench: Bench): void {
  using rows = openRows(bench);
  const sql = `update locks set fence = fence + 1, token = 'another', run_id = 'another', holder = 'another',
    lease_until = lease_until + 3600000 where name = 'a'`;
  assert.equal(rows.prepare(sql).run().changes, 1);
}

async function stateOf(bench: Bench): Promise<string | undefined> {
  const [status] = await bench.json<{ state: string }>(['status', 'a']);
  return status?.state;
}

describe('a lost lease', { skip }, () => {
  for (const [what, script] of [
    ['what `timeout` runs', TIMEOUT],
    ['a job of a shell with job control', PLAIN],
    ['one that ignores TERM', STUBBORN],
  ] as const) {
    it(`stops ${what} before the wrapper ends`, async () => {
      await using bench = openBench();
      using job = await startJob(bench, script);
      giveToAnother(bench);
      const { code, isLeft, stderr } = await job.end();
      assert.deepEqual([code, isLeft], [77, false]);
      assert.doesNotMatch(stderr, /still there after KILL/);
    });
  }

  it('by --max-hold stops it before the next start may run', async () => {
    await using bench = openBench();
    const running = bench.start(['run', 'a', '--lease', '2s', '--max-hold', '1s', '--', 'bash', '-c', STUBBORN]);
    assert.equal(await running.exited, 77);
    const inner = numberIn(running.stdout(), 'inner');
    const isLeft = isAlive(inner);
    kill(inner);
    assert.equal(isLeft, false);
  });

  it('leaves alone what has left the session', async () => {
    await using bench = openBench();
    using job = await startJob(bench, `setsid bash -c 'echo "inner $$"; exec sleep 20' & wait; sleep 20`);
    giveToAnother(bench);
    const ended = job.running.exited;
    assert.equal(await ended, 77);
    assert.equal(isAlive(job.inner), true);
  });
});

const namespaces = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

describe('a /proc of another PID namespace', {
  skip: namespaces ? false : 'this user may not make PID namespaces',
}, () => {
  it("does not tell who is in the session: the command's own group is stopped and waited for", async () => {
    await using bench = openBench();
    const job = `trap "" TERM; echo $$ >job; while :; do sleep 0.05; done`;
    const run = `"${process.execPath}" "${MAIN}" run a --store "${bench.store}" --lease 2s --max-hold 1s -- sh -c '${job}'`;
    const script = `${run}; echo "code $?"; kill -0 "$(cat job)" && echo left; true`;
    const args = ['--pid', '--fork', 'sh', '-c', script];
    const { stdout, stderr } = spawnSync('unshare', args, { cwd: bench.folder, encoding: 'utf8' });
    assert.equal(stdout, 'code 77\n', stderr);
    assert.doesNotMatch(stderr, /still there after KILL/);
  });
});

describe('a signal that asks to end', { skip }, () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) {
    for (const [what, script] of [
      ['what `timeout` runs', TIMEOUT],
      ['a job of a shell with job control', PLAIN],
    ] as const) {
      it(`${signal} ends ${what}, and the lock is free`, async () => {
        await using bench = openBench();
        using job = await startJob(bench, script);
        job.running.kill(signal);
        assert.equal((await job.end()).isLeft, false);
        assert.equal(await stateOf(bench), 'free');
      });
    }
  }

  it('reaches it once, and the lock is held until it has ended by itself', async () => {
    await using bench = openBench();
    using job = await startJob(bench, SLOW, '30s');
    job.running.kill('SIGTERM');
    const { code, stdout, isLeft } = await job.end();
    assert.deepEqual([code, isLeft, /^over$/m.test(stdout)], [143, false, true]);
    assert.equal(stdout.match(/got TERM/g)?.length, 1);
    assert.equal(await stateOf(bench), 'free');
  });

  it('is followed by KILL for one that ignores it, once the command itself is gone', async () => {
    await using bench = openBench();
    using job = await startJob(bench, STUBBORN);
    job.running.kill('SIGTERM');
    const { code, isLeft, stderr } = await job.end();
    assert.deepEqual([code, isLeft], [143, false]);
    assert.doesNotMatch(stderr, /leasehold/);
    assert.equal(await stateOf(bench), 'free');
  });

  it('is followed by TERM for one that a shell made deaf to INT', async () => {
    await using bench = openBench();
    // Without job control a shell starts what is in the background with INT and QUIT ignored.
    using job = await startJob(
      bench,
      `bash -c 'echo "inner $$"; trap "echo got TERM; exit" TERM; while :; do sleep 0.05; done' & wait`,
    );
    job.running.kill('SIGINT');
    const { stdout, isLeft } = await job.end();
    assert.equal(isLeft, false);
    assert.match(stdout, /got TERM/);
  });
});

describe('an end that nobody asked for', { skip }, () => {
  it('frees the lock at once and leaves what is in a group of its own (C44)', async () => {
    await using bench = openBench();
    using job = await startJob(bench, 'set -m; sleep 15 & echo "inner $!"');
    assert.equal(await job.running.exited, 0);
    assert.equal(isAlive(job.inner), true);
    assert.equal(await stateOf(bench), 'free');
  });

  it('does so after a signal that only tells something, too', async () => {
    await using bench = openBench();
    using job = await startJob(
      bench,
      `trap 'exit 3' USR1; set -m; (trap '' USR1; echo "inner $BASHPID"; sleep 15) & wait`,
    );
    job.running.kill('SIGUSR1');
    assert.equal(await job.running.exited, 3);
    assert.equal(isAlive(job.inner), true);
    assert.equal(await stateOf(bench), 'free');
  });
});
