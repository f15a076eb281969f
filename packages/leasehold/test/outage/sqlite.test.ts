/**
 * What becomes of a guarded command while its embedded store can't be written: another process keeps the write
 * lock, the disk is full, the folder has gone.
 *
 * Clock: the real one; a lease of 3 s is lost in an outage of 5 s. Verdict: the place that the commands enter. Such an
 * outage is everybody's: a rival that waits is let in no sooner than the store is back.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBench, type Bench, type Running, until } from '../cli/command-line.ts';
import { holdWriteLock, openAsNobody } from '../stores/sqlite/children.ts';
import { cannotMount, mountMemory } from '../stores/sqlite/mounts.ts';
import { openPlace, type Place, STUBBORN, UNTIL_TOLD } from './place.ts';

async function hold(bench: Bench, place: Place, options: readonly string[], script: string): Promise<Running> {
  const running = bench.start(['run', 'a', ...options, '--', ...place.command(script)]);
  await until('it runs', () => running.stdout().includes('ready '));
  return running;
}

function fileOf(bench: Bench): string {
  return bench.store.slice('sqlite:'.length);
}

async function runsOf(bench: Bench): Promise<[string, number, string | null][]> {
  const runs = await bench.json<{ outcome: string; fence: number; status: string | null }>(['runs', 'a']);
  return runs.map(({ outcome, fence, status }) => [outcome, fence, status]);
}

function fill(path: string): void {
  const block = Buffer.alloc(4_096);
  try {
    for (let blocks = 0; blocks < 10_000; blocks += 1) writeFileSync(path, block, { flag: 'a' });
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    return;
  }
  assert.fail('the disk does not get full');
}

describe('outages of SQLite', { concurrency: true }, () => {
  it('a write lock that is kept for 2 s leaves a run with a lease of 10 s alone', async (t) => {
    await using bench = openBench();
    await using place = await openPlace();
    const running = await hold(bench, place, ['--lease', '10s'], 'sleep 4; exit 4');
    await (await holdWriteLock(t, fileOf(bench), 2_000)).ended;
    const { code, stderr } = await running.ended;
    assert.equal(code, 4, stderr);
    assert.doesNotMatch(stderr, /stopping|lost/i);
    assert.deepEqual(await runsOf(bench), [['acquired', 1, 'failure']]);
  });

  it('a write lock that is kept for 5 s stops a lease of 3 s before it ends, and a start says 69', async (t) => {
    await using bench = openBench();
    await using place = await openPlace();
    const running = await hold(bench, place, ['--lease', '3s'], STUBBORN);
    const kept = await holdWriteLock(t, fileOf(bench), 5_000);
    const rival = bench.start(['run', 'a', '--store-wait', '20s', '--', ...place.command('exit 0')]);
    const early = await bench.run(['run', 'a', '--lease', '2s', '--', ...place.command('exit 0')]);
    assert.equal(early.code, 69, early.stderr);
    await kept.ended;
    assert.equal(place.now, 0, 'the command is gone');
    assert.equal((await running.ended).code, 77, running.stderr());
    await rival.ended;
    assert.equal(place.most, 1);
    assert.equal((await runsOf(bench)).at(-1)?.[2], 'failure', 'the status is kept');
  });

  it('a write lock that is kept for 5 s, with warn: the command goes on, is told once, and its exit code comes back', async (t) => {
    await using bench = openBench();
    await using place = await openPlace();
    const running = await hold(bench, place, ['--lease', '3s', '--on-lost', 'warn'], STUBBORN);
    await (await holdWriteLock(t, fileOf(bench), 5_000)).ended;
    assert.equal(place.now, 1);
    running.kill('SIGUSR1');
    const { code, stderr } = await running.ended;
    assert.equal(code, 4, stderr);
    assert.equal([...stderr.matchAll(/the command goes on without it/g)].length, 1, stderr);
    assert.match(stderr, /after its lease had ended; nobody had taken it/);
  });

  it('a full disk for 6 s when the command ends (C39): the release is tried again, and its status is kept', {
    skip: cannotMount,
  }, async (t) => {
    const folder = mountMemory(t, 'size=2m');
    await using bench = openBench(`sqlite:${join(folder, 'store.db')}`);
    await using place = await openPlace();
    const running = await hold(bench, place, ['--lease', '1m'], UNTIL_TOLD);
    fill(join(folder, 'filler'));
    // What is left of the log's last page may hold some writes yet.
    const isFull = async (): Promise<boolean> => (await bench.run(['run', 'other', '--', 'true'])).code === 69;
    await until('the disk is full', isFull);
    running.kill('SIGUSR1');
    await sleep(6_000);
    assert.equal(running.child.exitCode, null, 'it does not give up');
    rmSync(join(folder, 'filler'));
    assert.deepEqual([(await running.ended).code, running.stderr()], [0, '']);
    assert.deepEqual(await runsOf(bench), [['acquired', 1, 'success']]);
  });

  it('a folder that is gone for a moment and back: the holder makes no new store in its place, and is not disturbed', async (t) => {
    await using bench = openBenchIn(t);
    await using place = await openPlace();
    const folder = join(fileOf(bench), '..');
    const running = await hold(bench, place, ['--lease', '10s'], 'sleep 5; exit 4');
    renameSync(folder, `${folder}-away`);
    await until('it is missed', () => running.stderr().includes('could not be renewed'));
    assert.equal(existsSync(folder), false);
    renameSync(`${folder}-away`, folder);
    const { code, stderr } = await running.ended;
    assert.equal(code, 4, stderr);
    assert.match(stderr, /its file is not there any more: .*\n.*is renewed again/);
    assert.deepEqual(await runsOf(bench), [['acquired', 1, 'failure']]);
  });

  it('a folder that stays away stops the command before its lease ends, with 77', async (t) => {
    await using bench = openBenchIn(t);
    await using place = await openPlace();
    const folder = join(fileOf(bench), '..');
    const running = await hold(bench, place, ['--lease', '3s'], STUBBORN);
    renameSync(folder, `${folder}-away`);
    await until('the command is gone', () => place.now === 0);
    renameSync(`${folder}-away`, folder);
    assert.equal((await running.ended).code, 77, running.stderr());
    assert.equal((await runsOf(bench)).at(-1)?.[2], 'failure');
  });

  it('a file that becomes read-only lets nobody start, and the run that has it open is not disturbed', async (t) => {
    await using bench = openBenchIn(t);
    await using place = await openPlace();
    const [path, folder] = [fileOf(bench), join(fileOf(bench), '..')];
    const running = await hold(bench, place, ['--lease', '10s'], 'sleep 3; exit 4');
    chmodSync(join(folder, '..'), 0o755);
    chmodSync(folder, 0o555);
    chmodSync(path, 0o444);
    const refused = await openAsNobody(t, path);
    assert.deepEqual([refused.code, refused.outcome], ['STORE_UNREACHABLE', undefined], refused.message);
    chmodSync(folder, 0o755);
    chmodSync(path, 0o644);
    assert.equal((await running.ended).code, 4, running.stderr());
    assert.equal(running.stderr(), '');
  });
});

/** A bench whose store lies in a folder of its own, which can be moved away. */
function openBenchIn(t: TestContext): Bench {
  const outer = openBench();
  t.after(() => outer[Symbol.asyncDispose]());
  const folder = join(outer.folder, 'store');
  mkdirSync(folder);
  return openBench(`sqlite:${join(folder, 'leasehold.db')}`);
}
