/** What a start learns of the process that holds its lock, with real processes, signals and PID namespaces. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { isSessionAlive } from '../../src/platform/process-group.ts';
import type { Edit } from '../edit-source.ts';
import { type Bench, type Ended, isAlive, MAIN, numberIn, openBench, type Running, until } from './command-line.ts';
import { endLeaseNow, knowsCommand, openRows } from './store-rows.ts';

const EDIT_SOURCE = new URL('../edit-source.ts', import.meta.url).href;
const JOB = 'echo "ready $$"; exec sleep 20';

interface Job extends AsyncDisposable {
  readonly bench: Bench;
  readonly wrapper: Running;
  /** Leader of the command's group. */
  readonly job: number;
  next(...options: string[]): Promise<Ended>;
}

/** A guarded command whose group the store knows. Whatever becomes of the wrapper, the group is gone in the end. */
async function openJob(script: string = JOB, options: readonly string[] = []): Promise<Job> {
  const bench = openBench();
  const wrapper = bench.start(['run', 'a', ...options, '--', 'sh', '-c', script]);
  await until('the job is ready', () => wrapper.stdout().includes('ready '));
  await until('the store knows of the command', () => knowsCommand(bench, 'a'));
  const job = numberIn(wrapper.stdout(), 'ready');
  return {
    bench,
    wrapper,
    job,
    next: (...more) => bench.run(['run', 'a', ...more, '--', 'true']),
    async [Symbol.asyncDispose]() {
      for (const id of [-job, job]) {
        try {
          process.kill(id, 'SIGKILL');
        } catch {
          // Gone already.
        }
      }
      await bench[Symbol.asyncDispose]();
    },
  };
}

async function kill(running: Running): Promise<void> {
  running.kill('SIGKILL');
  await running.exited;
}

async function eventsOf(bench: Bench, kind: string): Promise<number> {
  return (await bench.json<{ kind: string }>(['events'])).filter((event) => event.kind === kind).length;
}

describe('a wrapper that was killed', () => {
  it('with its command frees the lock at once, and the next start says why', async () => {
    await using scene = await openJob();
    await kill(scene.wrapper);
    process.kill(-scene.job, 'SIGKILL');
    await until('the command is gone', () => !isSessionAlive(scene.job));
    const next = await scene.next();
    assert.equal(next.code, 0);
    const words = `probe ended: process ${scene.wrapper.pid} and its command have ended; the previous run has ended without`;
    assert.ok(next.stderr.includes(words), next.stderr);
    assert.equal(await eventsOf(scene.bench, 'lease.reclaimed'), 1);
  });

  it('with its command frees the lock also for a start that would hold a stale one for a person', async () => {
    await using scene = await openJob();
    await kill(scene.wrapper);
    process.kill(-scene.job, 'SIGKILL');
    endLeaseNow(scene.bench, 'a');
    assert.match((await scene.next('--on-stale', 'hold')).stderr, /Reclaimed .*probe ended/);
  });

  it('alone blocks the lock until its lease ends, and the reclaim says that the child may be alive (C45)', async () => {
    await using scene = await openJob();
    await kill(scene.wrapper);
    assert.equal((await scene.next()).code, 75);
    endLeaseNow(scene.bench, 'a');
    const late = await scene.next();
    assert.equal(late.code, 0);
    const words = `probe unknown: process ${scene.wrapper.pid} has ended, its child may be alive; the previous run may still be`;
    assert.ok(late.stderr.includes(words), late.stderr);
  });

  it('is not proven ended while what its command put into a group of its own goes on', async () => {
    // `timeout` leaves the group, but not the session.
    await using scene = await openJob('echo "ready $$"; timeout 20 sh -c \'echo "inner $$"; exec sleep 19\'; true');
    await until('the inner job is there', () => scene.wrapper.stdout().includes('inner '));
    const inner = numberIn(scene.wrapper.stdout(), 'inner');
    try {
      await kill(scene.wrapper);
      process.kill(scene.job, 'SIGKILL');
      await until('its leader is gone', () => !isAlive(scene.job));
      assert.equal((await scene.next()).code, 75);
    } finally {
      process.kill(inner, 'SIGKILL');
    }
    await until('the inner job is gone', () => !isAlive(inner));
    await until('a start finds it free', async () => /probe ended/.test((await scene.next()).stderr));
  });

  it('before the store knew of its command is not proven ended', async () => {
    await using scene = await openJob();
    {
      using database = openRows(scene.bench);
      database.exec(`update locks set holder_info = json_remove(holder_info, '$.childGroup')`);
    }
    await kill(scene.wrapper);
    process.kill(-scene.job, 'SIGKILL');
    assert.equal((await scene.next()).code, 75);
    endLeaseNow(scene.bench, 'a');
    assert.match((await scene.next()).stderr, /whether it started its command is not known/);
  });
});

describe('a wrapper that is alive', () => {
  it('and late has its lease extended, told as an event, to four leases past its last renewal at most', async () => {
    await using scene = await openJob();
    endLeaseNow(scene.bench, 'a');
    const skip = await scene.next();
    assert.equal(skip.code, 75);
    assert.match(skip.stderr, /previous run still running/);
    assert.equal(await eventsOf(scene.bench, 'lease.extended'), 1);
    // Ten minutes a time, with a lease of five.
    endLeaseNow(scene.bench, 'a');
    const late = await scene.next();
    assert.equal(late.code, 0);
    assert.match(
      late.stderr,
      /Reclaimed stale lease .*probe alive: process \d+ runs; the previous run may still be running/,
    );
    assert.equal(await eventsOf(scene.bench, 'lease.extended'), 1);
  });

  for (const options of [
    ['--on-lost', 'warn'],
    ['--stall', '1h'],
    ['--max-hold', '1h'],
  ]) {
    it(`is not extended under ${options.join(' ')}`, async () => {
      await using scene = await openJob(JOB, options);
      endLeaseNow(scene.bench, 'a');
      assert.match((await scene.next()).stderr, /Reclaimed stale lease .*probe alive/);
      assert.equal(await eventsOf(scene.bench, 'lease.extended'), 0);
    });
  }

  it('does not hold up its force-release', async () => {
    await using scene = await openJob();
    assert.equal((await scene.bench.run(['force-release', 'a', '--reason', 'it hangs'])).code, 0);
    assert.equal((await scene.next()).code, 75);
    endLeaseNow(scene.bench, 'a');
    assert.match((await scene.next()).stderr, /Reclaimed lease of lock "a" after a force-release/);
    assert.equal(await eventsOf(scene.bench, 'lease.extended'), 0);
  });

  it('and stopped is not known to be alive: the clock decides, and on waking it stops its command', async () => {
    await using scene = await openJob();
    scene.wrapper.kill('SIGSTOP');
    try {
      assert.equal((await scene.next()).code, 75);
      endLeaseNow(scene.bench, 'a');
      assert.match((await scene.next()).stderr, /probe unknown: process \d+ is stopped; the previous run may still/);
    } finally {
      scene.wrapper.kill('SIGCONT');
    }
    scene.wrapper.kill('SIGTERM');
    const { stderr } = await scene.wrapper.ended;
    assert.match(stderr, /Not released: this token does not hold lock "a"/);
  });
});

describe('what a wrapper tells of its command', () => {
  /** The renewal that tells it takes half a second, which the command does not. */
  const slow: Edit = {
    file: 'stores/sqlite/store.ts',
    from: 'renew: (request, call) => connection',
    to: 'renew: async (request, call) => (await clock.sleep(500), connection)',
  };
  const clock: Edit = {
    file: 'stores/sqlite/store.ts',
    from: 'const { ids } = options;',
    to: 'const { ids, clock } = options;',
  };
  /** The store is closed late, so that a renewal which comes after the release still reaches it. */
  const lateClose: Edit = {
    file: 'stores/sqlite/store.ts',
    from: 'close: async () => connection.close()',
    to: 'close: async () => (await clock.sleep(1_000), connection.close())',
  };
  const hasty: Edit = { file: 'engine/held-start.ts', from: '    await this.#kept.settleRenewals();\n', to: '' };

  async function losses(edits: readonly Edit[]): Promise<number> {
    await using bench = openBench();
    const env = { NODE_OPTIONS: `--import=${EDIT_SOURCE}`, LEASEHOLD_EDITS: JSON.stringify(edits) };
    assert.equal((await bench.run(['run', 'a', '--', 'true'], { env })).code, 0);
    return await eventsOf(bench, 'lease.lost');
  }

  it('comes before its release, so that a command that is over at once leaves no word of a lost lease', async () => {
    assert.equal(await losses([clock, slow, lateClose]), 0);
    assert.equal(await losses([clock, slow, lateClose, hasty]), 1, 'negative control: without waiting there is one');
  });
});

describe('who can not be asked', () => {
  it('a bare acquire has no probe, so that its lock is held until it is released or its lease ends', async () => {
    await using bench = openBench();
    assert.equal((await bench.run(['acquire', 'a', '--lease', '5m'])).code, 0);
    const [status] = await bench.json<{ holderInfo: object }>(['status', 'a']);
    assert.deepEqual(Object.keys(status?.holderInfo ?? {}), ['host', 'pid']);
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 75);
  });

  const namespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
  const skip = namespaces ? false : 'this user may not make PID namespaces';

  it('a holder in another PID namespace: its id says nothing here', { skip }, async () => {
    await using scene = await openJob();
    const args = [process.execPath, MAIN, 'run', 'a', '--store', scene.bench.store, '--', 'true'];
    const inside = (): { status: number | null; stderr: string } =>
      spawnSync('unshare', ['--pid', '--fork', '--mount-proc', ...args], { encoding: 'utf8' });
    assert.equal(inside().status, 75);
    endLeaseNow(scene.bench, 'a');
    assert.match(inside().stderr, /probe unknown: it runs in another PID namespace; the previous run may still/);
  });

  it('a wrapper that is the first process of a container, from outside of it', { skip }, async () => {
    await using bench = openBench();
    const args = [process.execPath, MAIN, 'run', 'a', '--store', bench.store, '--', 'sh', '-c', 'echo ready; sleep 20'];
    const container = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', ...args]);
    try {
      let said = '';
      container.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await until('the job is ready', () => said.includes('ready'));
      await until('the store knows of the command', () => knowsCommand(bench, 'a'));
      const [status] = await bench.json<{ holderInfo: { pid: number } }>(['status', 'a']);
      assert.equal(status?.holderInfo.pid, 1);
      endLeaseNow(bench, 'a');
      assert.match(
        (await bench.run(['run', 'a', '--', 'true'])).stderr,
        /probe unknown: it runs in another PID namespace;/,
      );
    } finally {
      container.kill('SIGKILL');
    }
  });

  it('anybody, where /proc shows the processes of another PID namespace', { skip }, async () => {
    await using bench = openBench();
    const start = `"${process.execPath}" "${MAIN}" run a --store "${bench.store}" --`;
    // Both in one namespace; the /proc that they look into is that of the namespace around it.
    const script = `{ ${start} sh -c 'echo ready; sleep 4' & } | { read line; sleep 0.5; ${start} true; echo "second $?"; }`;
    const { stdout, stderr } = spawnSync('unshare', ['--pid', '--fork', 'sh', '-c', script], { encoding: 'utf8' });
    assert.match(stdout, /second 75/, stderr);
  });
});
