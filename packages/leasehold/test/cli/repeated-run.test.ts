/** Two wrappers that ask for the very same start: the same run id and holder, as in two containers with one name. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openBench, until } from './command-line.ts';

const START = ['run', 'a', '--run-id', 'e1', '--holder', 'h', '--lease', '1m'];
const WAITING = 'echo "ready $$"; for n in $(seq 200); do sleep 0.05; done';

describe('a start that another process has made already', () => {
  it('starts nothing, is 75 like a held lock, and leaves the lock to the first', async () => {
    await using bench = openBench();
    const first = bench.start([...START, '--', 'sh', '-c', WAITING]);
    await until('the first is at work', () => first.stdout().includes('ready'));
    const report = join(bench.folder, 'report.jsonl');
    const second = await bench.run([...START, '--report', report, '--', 'echo', 'ran']);
    assert.deepEqual([second.code, second.stdout], [75, '']);
    assert.match(
      second.stderr,
      /^leasehold: Skipped lock "a": previous run still running \(holder h, for \S+, lease ends \S+Z\): another process has started run e1; nothing was started\./,
    );
    const { exitCode, message } = JSON.parse(readFileSync(report, 'utf8')) as { exitCode: number; message: string };
    assert.equal(exitCode, 75);
    assert.match(message, /previous run still running/);
    const [status] = await bench.json<{ state: string }>(['status', 'a']);
    assert.equal(status?.state, 'held');
    first.kill('SIGTERM');
    assert.equal((await first.ended).code, 143);
  });

  it('with --json answers as of a held lock, without the token of the first', async () => {
    await using bench = openBench();
    const first = bench.start([...START, '--', 'sh', '-c', WAITING]);
    await until('the first is at work', () => first.stdout().includes('ready'));
    const { code, stdout } = await bench.run([...START, '--json', '--skip-exit-code', '0', '--', 'echo', 'ran']);
    const answer = JSON.parse(stdout) as { outcome: string; reason: string; current: { holder: string } };
    assert.deepEqual([code, answer.outcome, answer.reason, answer.current.holder], [0, 'skipped', 'held', 'h']);
    assert.equal('token' in answer, false);
  });
});

describe('a run id that is new', () => {
  it('runs the command', async () => {
    await using bench = openBench();
    assert.deepEqual((await bench.run([...START, '--', 'echo', 'ran'])).stdout, 'ran\n');
  });
});
