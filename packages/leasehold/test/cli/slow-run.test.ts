/**
 * Story 1 of the design, with real processes: a start every second over a job of 3.5 s, against an
 * HTTP target that counts effects by itself. The same starts without the lock are the negative
 * control: the target must be able to see a double.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Bench, type Ended, openBench, type Running, until } from './command-line.ts';

const EVERY_MS = 1_000;
const ROWS = 7;
/** Seven rows of half a second: 3.5 s. */
const ROW_MS = 500;
const LEASE = '2s';
const LEASE_MS = 2_000;

/** Reads its new rows, works on one after the other, and marks each after its effect. */
const JOB = `
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
const [, , file, target] = process.argv;
const table = new DatabaseSync(file, { timeout: 5000 });
console.log('job ' + process.pid);
for (const { id } of table.prepare('select id from work where done = 0 order by id').all()) {
  await sleep(${ROW_MS});
  await fetch(target + '/' + id, { method: 'POST' });
  table.prepare('update work set done = 1 where id = ?').run(id);
  console.log('did ' + id);
}
`;

/** A bench with a job, its rows and a target that counts. */
interface Scene extends AsyncDisposable {
  readonly bench: Bench;
  readonly job: readonly string[];
  /** Effects by row. */
  readonly effects: ReadonlyMap<string, number>;
}

async function openScene(): Promise<Scene> {
  const { DatabaseSync } = await import('node:sqlite');
  const bench = openBench();
  const effects = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume();
    const id = request.url?.slice(1) ?? '';
    effects.set(id, (effects.get(id) ?? 0) + 1);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const file = join(bench.folder, 'work.db');
  {
    using table = new DatabaseSync(file);
    table.exec('create table work (id integer primary key, done integer not null default 0) strict');
    for (let id = 1; id <= ROWS; id += 1) table.prepare('insert into work (id) values (?)').run(id);
  }
  const script = join(bench.folder, 'job.mjs');
  writeFileSync(script, JOB);
  return {
    bench,
    effects,
    job: [process.execPath, script, file, `http://127.0.0.1:${port}`],
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts every second until `isEnough`, at most `most` times. */
async function startEverySecond(most: number, start: () => Running, isEnough: () => boolean): Promise<Running[]> {
  const begunAt = performance.now();
  const starts: Running[] = [];
  while (starts.length < most && !isEnough()) {
    starts.push(start());
    const dueAt = begunAt + starts.length * EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
  }
  return starts;
}

function onceEach(effects: ReadonlyMap<string, number>): void {
  const counts = Object.fromEntries(effects);
  const expected = Object.fromEntries(Array.from({ length: ROWS }, (_, index) => [String(index + 1), 1]));
  assert.deepEqual(counts, expected);
}

describe('a start every second over a job of 3.5 s', { concurrency: true }, () => {
  it('without a lock repeats effects: the target sees doubles (negative control)', async () => {
    await using scene = await openScene();
    const [file = '', ...args] = scene.job;
    const jobs: Promise<number | null>[] = [];
    for (let index = 0; index < 3; index += 1) {
      const job = spawn(file, args, { stdio: 'ignore' });
      jobs.push(new Promise((resolve) => job.once('exit', resolve)));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    assert.deepEqual(await Promise.all(jobs), [0, 0, 0], 'all runs are green');
    assert.ok(Math.max(...scene.effects.values()) > 1, 'the target can see a double');
  });

  it('under `run` skips the starts while it is held, does no effect twice, and is acquired after the release', async () => {
    await using scene = await openScene();
    const { bench, job, effects } = scene;
    let isOver = false;
    const start = (): Running => {
      const running = bench.start(['run', 'slow', '--lease', LEASE, '--', ...job]);
      return running;
    };
    const first = start();
    void first.exited.then(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    const later = await startEverySecond(10, start, () => isOver);
    const next = await bench.run(['run', 'slow', '--lease', LEASE, '--', ...job]);

    const ended = await Promise.all(later.map((running) => running.ended));
    const skips = ended.filter(({ code }) => code === 75);
    assert.ok(skips.length >= 2, `${skips.length} starts met the running job`);
    for (const { stdout, stderr } of skips) {
      assert.equal(stdout, '', 'a skipped start runs nothing');
      assert.match(stderr, /previous run still running/);
    }
    assert.equal((await first.ended).code, 0);
    assert.deepEqual([next.code, next.stderr], [0, '']);
    onceEach(effects);
    const outcomes = await bench.json<{ outcome: string }>(['runs', 'slow']);
    assert.equal(outcomes[0]?.outcome, 'acquired');
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'skipped').length, skips.length);
  });

  it('killed in mid-run, blocks the next starts no longer than its lease, and no effect is repeated', async () => {
    await using scene = await openScene();
    const { bench, job, effects } = scene;
    const first = bench.start(['run', 'slow', '--lease', LEASE, '--', ...job]);
    await until('two rows are done', () => first.stdout().includes('did 2\n'));
    const jobId = Number(/^job (\d+)$/m.exec(first.stdout())?.[1]);
    first.kill('SIGKILL');
    process.kill(jobId, 'SIGKILL');
    const killedAt = performance.now();

    let reclaimedAfterMs = Infinity;
    const start = (): Running => {
      const running = bench.start(['run', 'slow', '--lease', LEASE, '--', ...job]);
      running.child.stderr?.on('data', () => {
        if (running.stderr().includes('Reclaimed')) reclaimedAfterMs = performance.now() - killedAt;
      });
      return running;
    };
    const later = await startEverySecond(8, start, () => reclaimedAfterMs < Infinity);
    const ended: Ended[] = await Promise.all(later.map((running) => running.ended));
    // The lease, the wait for the next start, and what a busy machine takes to start a process.
    assert.ok(reclaimedAfterMs < LEASE_MS + EVERY_MS + 2_000, `reclaimed after ${Math.round(reclaimedAfterMs)} ms`);
    const reclaimed = ended.filter(({ stderr }) => stderr.includes('Reclaimed stale lease of lock "slow"'));
    assert.equal(reclaimed.length, 1);
    assert.equal(reclaimed[0]?.code, 0);
    onceEach(effects);
  });
});
