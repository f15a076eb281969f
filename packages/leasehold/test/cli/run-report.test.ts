/** What a run leaves for others to read: its report, its exit code for a skip, and what it doesn't say. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { appendReport } from '../../src/cli/guard/report.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type Bench, linesOf, openBench, until } from './command-line.ts';

type Report = Record<string, unknown>;

function reports(bench: Bench): Report[] {
  return linesOf(readFileSync(join(bench.folder, 'runs.jsonl'), 'utf8')).map((line) => JSON.parse(line) as Report);
}

const REPORT = ['--report', 'runs.jsonl'];

describe('--report', () => {
  it('has one object per run, the row of the run with exitCode and lost', async () => {
    await using bench = openBench();
    assert.equal((await bench.run(['run', 'a', ...REPORT, '--run-id', 'r1', '--', 'sh', '-c', 'exit 75'])).code, 75);
    await bench.run(['acquire', 'a', '--lease', '5m']);
    assert.equal((await bench.run(['run', 'a', ...REPORT, '--', 'true'])).code, 75);
    const [ran, skipped, ...more] = reports(bench);
    assert.deepEqual(more, []);
    const [, , row] = await bench.json<Report>(['runs', 'a']);
    assert.deepEqual<Report | undefined>(ran, { ...row, exitCode: 75, lost: false });
    assert.deepEqual(
      [ran?.['outcome'], ran?.['status'], skipped?.['outcome'], skipped?.['reason']],
      ['acquired', 'failure', 'skipped', 'held'],
    );
    assert.deepEqual([skipped?.['exitCode'], skipped?.['lost']], [75, false]);
  });

  it('says of a slot that is done that it has run already', async () => {
    await using bench = openBench();
    const args = ['run', 'a', ...REPORT, '--slot', '2026-11-30T09:00:00Z', '--', 'true'];
    await bench.run(args);
    assert.equal((await bench.run(args)).code, 76);
    assert.deepEqual(
      reports(bench).map((report) => report['outcome']),
      ['acquired', 'already_ran'],
    );
  });

  it('says that the lease was lost, also where the command went on', async () => {
    await using bench = openBench();
    for (const [onLost, exitCode] of [
      ['stop', 77],
      ['warn', 0],
    ] as const) {
      const running = bench.start([
        'run',
        onLost,
        '--lease',
        '2s',
        '--on-lost',
        onLost,
        ...REPORT,
        '--',
        'sh',
        '-c',
        'echo ready; sleep 1.5',
      ]);
      await until('the job is ready', () => running.stdout().includes('ready'));
      await bench.run(['force-release', onLost, '--reason', 'test', '--now']);
      assert.equal((await running.ended).code, exitCode);
      const report = reports(bench).at(-1);
      assert.deepEqual([report?.['lost'], report?.['exitCode'], report?.['outcome']], [true, exitCode, 'acquired']);
    }
  });

  it('says that the store could not be used and nothing was started', async () => {
    await using bench = openBench();
    const store = `sqlite:${bench.folder}`;
    assert.equal((await bench.run(['run', 'a', ...REPORT, '--run-id', 'r1', '--store', store, '--', 'true'])).code, 78);
    const [report] = reports(bench);
    assert.deepEqual(
      [report?.['runId'], report?.['lock'], report?.['outcome'], report?.['exitCode']],
      ['r1', 'a', null, 78],
    );
    assert.match(String(report?.['message']), /is a directory.*; nothing was started/);
  });

  it('says that a signal ended the start before the lock was granted', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m']);
    const waiting = bench.start(['run', 'a', ...REPORT, '--on-busy', 'wait', '--', 'true']);
    await until('it waits', async () => (await bench.json(['runs', 'a'])).length === 2);
    waiting.kill('SIGTERM');
    assert.equal((await waiting.ended).code, 143);
    const [report] = reports(bench);
    assert.deepEqual(
      [report?.['outcome'], report?.['message'], report?.['exitCode']],
      [null, 'ended by a signal before the lock was granted', 143],
    );
  });

  it('into a pipe that nobody reads is given up and said', async () => {
    await using bench = openBench();
    const pipe = join(bench.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const said: string[] = [];
    const impatient = { ...systemClock, sleep: async () => {} };
    await appendReport(pipe, '{}', impatient, async (message) => said.push(message));
    assert.deepEqual(said, [`could not write the report to ${pipe}: it took too long`]);
    closeSync(openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK));
  });

  it('that can not be written is said on stderr and changes nothing', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run([
      'run',
      'a',
      '--report',
      'no/such/folder',
      '--',
      'sh',
      '-c',
      'echo out; exit 3',
    ]);
    assert.deepEqual([code, stdout], [3, 'out\n']);
    assert.match(stderr, /^leasehold: could not write the report to no\/such\/folder: ENOENT[^\n]+\n$/);
  });
});

describe('--quiet-skips', () => {
  it('says only every nth skip in a row, counting on from what was not said', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m']);
    const said: boolean[] = [];
    for (let skip = 1; skip <= 6; skip += 1) {
      const { code, stderr } = await bench.run(['run', 'a', '--quiet-skips', '3', '--', 'true']);
      assert.equal(code, 75);
      said.push(stderr !== '');
      if (stderr !== '') assert.match(stderr, new RegExp(`skip ${skip} in a row`));
    }
    assert.deepEqual(said, [false, false, true, false, false, true]);
    assert.equal((await bench.json(['runs', 'a'])).length, 7, 'each is recorded all the same');
  });

  it('says every skip for another reason than a run at work', async () => {
    await using bench = openBench();
    await bench.run(['pause', 'a']);
    assert.match((await bench.run(['run', 'a', '--quiet-skips', '3', '--', 'true'])).stderr, /it is paused/);
  });
});

describe('--skip-exit-code', () => {
  it('takes the place of 75, and of nothing else', async () => {
    await using bench = openBench();
    const slot = ['--slot', '2026-11-30T09:00:00Z'];
    const run = async (...words: string[]): Promise<number | null> =>
      (await bench.run(['run', 'a', '--skip-exit-code', '0', ...slot, '--', ...words])).code;
    assert.equal(await run('sh', '-c', 'exit 75'), 75);
    assert.equal(await run('true'), 0);
    assert.equal(await run('true'), 76);
    await bench.run(['acquire', 'a', '--lease', '5m']);
    assert.equal((await bench.run(['run', 'a', '--skip-exit-code', '0', '--', 'false'])).code, 0);
    assert.equal((await bench.run(['run', 'a', '--skip-exit-code', '255', '--', 'false'])).code, 255);
  });
});
