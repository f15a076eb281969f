/** `leasehold run`: what the guarded command gets, what comes back, and what a start says that doesn't run it. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Bench, linesOf, MAIN, openBench, until } from './command-line.ts';
import { endLeaseNow, openRows } from './store-rows.ts';

interface RunRow {
  readonly outcome: string;
  readonly reason: string | null;
  readonly status: string | null;
  readonly endedAt: string | null;
}

/** The lock is free again and its newest run ended with this status. */
async function assertFree(bench: Bench, lock: string, status: string): Promise<void> {
  const [row] = await bench.json<{ state: string }>(['status', lock]);
  assert.equal(row?.state, 'free');
  const [run] = await bench.json<RunRow>(['runs', lock]);
  assert.equal(run?.status, status);
  assert.notEqual(run.endedAt, null);
}

describe('the command', () => {
  it('keeps its stdin, stdout, stderr and exit code; an acquired start says nothing of its own', async () => {
    await using bench = openBench();
    const script = 'read line; echo "out $line"; echo "err $line" >&2; exit 3';
    const ended = await bench.run(['run', 'a', '--', 'sh', '-c', script], { stdin: 'hello\n' });
    assert.deepEqual(ended, { code: 3, signal: null, stdout: 'out hello\n', stderr: 'err hello\n' });
    await assertFree(bench, 'a', 'failure');
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
    await assertFree(bench, 'a', 'success');
  });

  it('has a lease of 5 minutes unless one is named, never of hours (C12)', async () => {
    await using bench = openBench();
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
    const [run] = await bench.json<{ leaseMs: number }>(['runs', 'a']);
    assert.equal(run?.leaseMs, 300_000);
  });

  it('gets its words untouched, also those that look like our options', async () => {
    await using bench = openBench();
    const { stdout } = await bench.run(['run', 'a', '--', 'printf', '[%s]', '--json', '', 'a b', '--', '-x']);
    assert.equal(stdout, '[--json][][a b][--][-x]');
  });

  it('finds token, fence, run id, lock and store in its environment, and can use them from another folder', async () => {
    await using bench = openBench();
    const env = { LEASEHOLD_STORE: 'sqlite:leasehold.db' };
    const script = 'cd / && env | grep ^LEASEHOLD_ | sort';
    const { stdout } = await bench.run(['run', 'a', '--run-id', 'r1', '--', 'sh', '-c', script], { env });
    const found = new Map(
      linesOf(stdout).map((line): [string, string] => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    );
    assert.equal(found.get('LEASEHOLD_LOCK'), 'a');
    assert.equal(found.get('LEASEHOLD_RUN_ID'), 'r1');
    assert.equal(found.get('LEASEHOLD_FENCE'), '1');
    assert.match(found.get('LEASEHOLD_TOKEN') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(found.get('LEASEHOLD_STORE'), bench.store);
  });

  it('may renew its own lease with what its environment holds', async () => {
    await using bench = openBench();
    const renew = [process.execPath, MAIN, 'renew', 'a'];
    const { code, stdout } = await bench.run(['run', 'a', '--', ...renew, '--progress', 'page 3']);
    assert.equal(code, 0);
    assert.match(stdout, /^Renewed lock "a"/);
  });

  it('under --bypass has no token, not even that of a run around it', async () => {
    await using bench = openBench();
    const script = 'echo "[$LEASEHOLD_TOKEN][$LEASEHOLD_FENCE]"';
    const bypass = ['run', 'a', '--bypass', '--reason', 'by hand', '--', 'sh', '-c', script];
    const ended = await bench.run(bypass, { env: { LEASEHOLD_TOKEN: 'outer', LEASEHOLD_FENCE: '7' } });
    assert.equal(ended.stdout, '[][]\n');
    assert.match(ended.stderr, /^leasehold: Bypassed lock "a" \(by hand\)/);
    assert.equal(ended.code, 0);
  });

  it('ended by a signal is 128 + n', async () => {
    await using bench = openBench();
    assert.equal((await bench.run(['run', 'a', '--', 'sh', '-c', 'kill -SEGV $$'])).code, 139);
    await assertFree(bench, 'a', 'failure');
  });
});

describe("a command that can't be started", () => {
  it('is 127 where it is not found, says so, and its lock is free', async () => {
    await using bench = openBench();
    const ended = await bench.run(['run', 'a', '--', './no-such-job']);
    assert.equal(ended.code, 127);
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, /^leasehold: can't start "\.\/no-such-job": not found[^\n]*\n$/);
    await assertFree(bench, 'a', 'failure');
  });

  it('is 126 where it may not be executed, says so, and its lock is free', async () => {
    await using bench = openBench();
    const file = join(bench.folder, 'job');
    writeFileSync(file, 'exit 0\n');
    chmodSync(file, 0o600);
    const ended = await bench.run(['run', 'a', '--', file]);
    assert.equal(ended.code, 126);
    assert.match(ended.stderr, /^leasehold: can't start .*: not executable \(permission denied\)/);
    await assertFree(bench, 'a', 'failure');
  });

  it('is told of a shell where it was a line of shell', async () => {
    await using bench = openBench();
    const ended = await bench.run(['run', 'a', '--', 'echo x | cat']);
    assert.match(ended.stderr, /a line of shell needs a shell: -- sh -c/);
  });
});

describe('a start that runs nothing', () => {
  it('is 75, says on stderr who holds the lock, and the command is not touched', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m', '--holder', 'other']);
    const mark = join(bench.folder, 'mark');
    const ended = await bench.run(['run', 'a', '--', 'touch', mark]);
    assert.equal(ended.code, 75);
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, /^leasehold: Skipped lock "a": previous run still running \(holder other, /);
    assert.equal(existsSync(mark), false);
  });

  it('with --json also gives the answer on stdout, which the command would own otherwise', async () => {
    await using bench = openBench();
    const ran = await bench.run(['run', 'a', '--json', '--', 'echo', 'hi']);
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, 'hi\n', '']);
    await bench.run(['acquire', 'a', '--lease', '5m']);
    const skipped = await bench.run(['run', 'a', '--json', '--', 'echo', 'hi']);
    assert.equal(skipped.code, 75);
    assert.equal((JSON.parse(skipped.stdout) as { reason: string }).reason, 'held');
    assert.match(skipped.stderr, /^leasehold: Skipped/);
  });

  it('with --on-busy wait runs when the lock is released', async () => {
    await using bench = openBench();
    const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
    const waiting = bench.start(['run', 'a', '--on-busy', 'wait', '--wait', '20s', '--', 'echo', 'ran']);
    await until('the waiting start is known', async () => (await bench.json(['runs', 'a'])).length === 2);
    await bench.run(['release', 'a', '--token', token.trim()]);
    assert.deepEqual(await waiting.ended, { code: 0, signal: null, stdout: 'ran\n', stderr: '' });
  });

  it('with --on-busy wait is skipped once when its time is over', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m']);
    const ended = await bench.run(['run', 'a', '--on-busy', 'wait', '--wait', '300ms', '--', 'true']);
    assert.equal(ended.code, 75);
    assert.match(ended.stderr, /skip 1 in a row/);
  });

  it('with --on-stale hold leaves a stale lease to a person', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m']);
    endLeaseNow(bench, 'a');
    const held = await bench.run(['run', 'a', '--on-stale', 'hold', '--', 'true']);
    assert.equal(held.code, 75);
    assert.match(held.stderr, /waits for a person/);
    assert.doesNotMatch(held.stderr, /previous run still running/);
  });

  it('150 skips in a row disable nothing: the next start after the release runs (C60)', async () => {
    await using bench = openBench();
    await bench.run(['run', 'a', '--', 'true']);
    const { stdout: token } = await bench.run(['acquire', 'a', '--lease', '5m']);
    setSkips(bench, 149);
    assert.match((await bench.run(['run', 'a', '--', 'true'])).stderr, /skip 150 in a row/);
    await bench.run(['release', 'a', '--token', token.trim()]);
    assert.equal((await bench.run(['run', 'a', '--', 'true'])).code, 0);
  });
});

describe('a release that fails', () => {
  it("is said, and the command's exit code comes back all the same", async () => {
    await using bench = openBench();
    const { code, stderr } = await bench.run([
      'run',
      'a',
      '--',
      'sh',
      '-c',
      'rm leasehold.db*; mkdir leasehold.db; exit 3',
    ]);
    assert.equal(code, 3);
    assert.match(stderr, /^leasehold: could not release lock "a": [^\n]+\n$/);
    assert.match(stderr, /leasehold\.db/);
  });
});

/** Makes `leasehold` throw where nobody catches it, so long after its start. */
function faultAfter(ms: number): { readonly NODE_OPTIONS: string } {
  const fault = `setTimeout(() => { throw new Error('made by a test') }, ${ms})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
}

describe('a fault of our own', () => {
  it('while the command runs is said, and the command is guarded to its end', async () => {
    await using bench = openBench();
    const env = faultAfter(1_500);
    const { code, stderr } = await bench.run(['run', 'a', '--', 'sh', '-c', 'sleep 2.5; exit 3'], { env });
    assert.equal(code, 3);
    assert.match(stderr, /^leasehold: internal fault, please report it: Error: made by a test/);
    await assertFree(bench, 'a', 'failure');
  });

  it('before anything runs is exit 70 and one line, not a stack', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    using rows = openRows(bench);
    rows.exec('begin immediate');
    const { code, stdout, stderr } = await bench.run(['run', 'a', '--', 'echo', 'ran'], { env: faultAfter(600) });
    assert.deepEqual([code, stdout], [70, '']);
    assert.match(stderr, /^leasehold: internal fault, please report it: Error: made by a test\n$/);
  });
});

describe('a reclaimed start', () => {
  it('says whose lease it took over, that this run may still be alive, and runs', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m', '--holder', 'gone']);
    endLeaseNow(bench, 'a');
    const ended = await bench.run(['run', 'a', '--', 'echo', 'ran']);
    assert.deepEqual([ended.code, ended.stdout], [0, 'ran\n']);
    assert.match(
      ended.stderr,
      /^leasehold: Reclaimed stale lease of lock "a": previous holder gone, .*may still be running/,
    );
  });
});

function setSkips(bench: Bench, count: number): void {
  using rows = openRows(bench);
  rows.prepare('update locks set skips_in_row = ?').run(count);
}
