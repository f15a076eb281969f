/**
 * Whoever reads stderr (a pager, a logger that hangs) may stand still while a command runs. The pipe is
 * full then, and blocking, because the command has inherited it: a wrapper that writes to it stands still too.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Bench, isAlive, numberIn, openBench, type Running, until } from './command-line.ts';
import { openRows } from './store-rows.ts';

/** Fills stderr in the background, and nothing but KILL ends it. */
const FULL = `trap '' TERM; yes >&2 & echo "writer $!"; echo "ready $$"; for n in $(seq 200); do sleep 0.05; done`;

/** A pipe that is read when we say so. */
class Pipe implements Disposable {
  readonly input: number;
  readonly #output: number;

  constructor(folder: string) {
    const path = join(folder, 'stderr');
    execFileSync('mkfifo', [path]);
    this.#output = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.input = openSync(path, constants.O_WRONLY);
  }

  /** What is in it now. */
  read(): string {
    const buffer = Buffer.alloc(1_048_576);
    try {
      return buffer.toString('utf8', 0, readSync(this.#output, buffer));
    } catch {
      return '';
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.input);
    closeSync(this.#output);
  }
}

/** A run whose stderr nobody reads, once it is full. */
async function startStalled(bench: Bench, pipe: Pipe, lease: string): Promise<Running> {
  const args = ['run', 'a', '--lease', lease, '--', 'sh', '-c', FULL];
  const running = bench.start(args, { stderr: pipe.input });
  await until('the job is ready', () => running.stdout().includes('ready '));
  const writer = numberIn(running.stdout(), 'writer');
  let looks = 0;
  await until('stderr is full', () => {
    looks = readFileSync(`/proc/${writer}/stat`, 'utf8').startsWith(`${writer} (yes) S`) ? looks + 1 : 0;
    return looks === 5;
  });
  return running;
}

function giveToAnother(bench: Bench): void {
  using rows = openRows(bench);
  rows.exec("update locks set fence = fence + 1, token = 'another', run_id = 'another' where name = 'a'");
}

function renewedAt(bench: Bench): number {
  using rows = openRows(bench);
  return Number(rows.prepare("select renewed_at from locks where name = 'a'").get()?.['renewed_at'] ?? 0);
}

describe('while the reader of stderr has stalled', () => {
  it('a command whose lease is lost is killed all the same, and the reader learns of it later', async () => {
    await using bench = openBench();
    using pipe = new Pipe(bench.folder);
    const running = await startStalled(bench, pipe, '2s');
    giveToAnother(bench);
    const job = numberIn(running.stdout(), 'ready');
    await until('the job is gone', () => !isAlive(job));
    pipe.read();
    assert.equal(await running.exited, 77);
    assert.match(pipe.read(), /leasehold: Lost lock "a"/);
  });

  it('a renewal that fails, and is said, is followed by others', async () => {
    await using bench = openBench();
    using pipe = new Pipe(bench.folder);
    const running = await startStalled(bench, pipe, '3s');
    {
      using rows = openRows(bench);
      rows.exec('begin immediate');
      // Longer than a renewal waits for the store, shorter than the lease: nothing but time makes it late.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      rows.exec('rollback');
    }
    const before = renewedAt(bench);
    await until('the lease is renewed, and again', () => renewedAt(bench) > before + 800);
    for (const name of ['ready', 'writer']) process.kill(numberIn(running.stdout(), name), 'SIGKILL');
    assert.equal(await running.exited, 137);
  });

  it('a run ends without its reader, a short while after its command', async () => {
    await using bench = openBench();
    using pipe = new Pipe(bench.folder);
    const running = await startStalled(bench, pipe, '2s');
    giveToAnother(bench);
    assert.equal(await running.exited, 77);
  });
});
