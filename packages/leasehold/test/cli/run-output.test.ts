/** --tag-output, --max-hold and --stall, with real processes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bench, linesOf, numberIn, openBench, until } from './command-line.ts';
import { openRows } from './store-rows.ts';

/** The store was told of the loss once, in these words, and of no lease that should have been longer. */
async function assertLost(bench: Bench, message: string): Promise<void> {
  const events = await bench.json<{ kind: string; message: string }>(['events']);
  const told = events.filter(({ kind }) => kind.startsWith('lease.'));
  assert.deepEqual(
    told.map((event) => [event.kind, event.message]),
    [['lease.lost', message]],
  );
  const [said, why] = [
    message.replace('Lost lock "a": ', 'it lost the lock: ').slice(0, -1),
    await bench.run(['why', 'a']),
  ];
  assert.ok(why.stdout.includes(`; ${said}; it ended `), why.stdout);
}

const TAGGED = ['run', 'a', '--run-id', 'r1', '--tag-output', '--'];

describe('--tag-output', () => {
  it('puts the run id before every line of stdout and stderr; stdin and exit code stay', async () => {
    await using bench = openBench();
    const script = 'read line; echo "out $line"; echo "err" >&2; printf last; exit 3';
    const ended = await bench.run([...TAGGED, 'sh', '-c', script], { stdin: 'hello\n' });
    assert.deepEqual(ended, { code: 3, signal: null, stdout: '[r1] out hello\n[r1] last', stderr: '[r1] err\n' });
  });

  it('passes on all of a large output', async () => {
    await using bench = openBench();
    const { stdout } = await bench.run([...TAGGED, 'seq', '100000']);
    const lines = linesOf(stdout);
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [100_000, '[r1] 1', '[r1] 100000']);
  });

  it('frees the lock at the end of the command, although a daemon keeps the pipe open', async () => {
    await using bench = openBench();
    const running = bench.start([...TAGGED, 'sh', '-c', 'echo before; sleep 20 & echo "daemon $!"']);
    const ended = await running.ended;
    assert.match(ended.stdout, /^\[r1\] before\n\[r1\] daemon \d+\n$/);
    process.kill(numberIn(ended.stdout.replaceAll('[r1] ', ''), 'daemon'), 'SIGKILL');
    const [row] = await bench.json<{ state: string }>(['status', 'a']);
    assert.equal(row?.state, 'free');
  });

  it('goes on renewing while a reader of its output stands still', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    const running = bench.start([
      'run',
      'a',
      '--lease',
      '1s',
      '--tag-output',
      '--',
      'sh',
      '-c',
      'seq 200000; echo done',
    ]);
    running.child.stdout?.pause();
    await until('it was renewed past its first lease', async () => {
      const [run] = await bench.json<{ startedAt: string; renewedAt: string | null }>(['runs', 'a']);
      return Date.parse(run?.renewedAt ?? '') - Date.parse(run?.startedAt ?? '') > 1_500;
    });
    running.child.stdout?.resume();
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match(stdout, /done\n$/);
  });
});

describe('--max-hold', () => {
  it('ends renewal, so that the lease runs out and is lost like any other', async () => {
    await using bench = openBench();
    const { code, stderr } = await bench.run(['run', 'a', '--lease', '1s', '--max-hold', '1s', '--', 'sleep', '6']);
    assert.equal(code, 77);
    assert.match(
      stderr,
      /^leasehold: Lock "a" is no longer renewed \(held for --max-hold 1s\): its lease may end in .*s; another run may start after it; stopping the command/m,
    );
    await assertLost(bench, 'Lost lock "a": its lease was no longer renewed (held for --max-hold 1s).');
  });

  it('changes nothing for a command that ends before', async () => {
    await using bench = openBench();
    const ended = await bench.run(['run', 'a', '--lease', '1s', '--max-hold', '10s', '--', 'sleep', '1.5']);
    assert.deepEqual([ended.code, ended.stderr], [0, '']);
  });
});

describe('--stall', () => {
  const STALLED = 'Lost lock "a": its lease was no longer renewed (no output and no progress for --stall 1s).';
  const STALL = ['run', 'a', '--lease', '1s', '--stall', '1s'];

  it('ends renewal of a command that neither prints nor progresses', async () => {
    await using bench = openBench();
    const { code, stderr } = await bench.run([...STALL, '--', 'sh', '-c', 'echo begun; sleep 6']);
    assert.equal(code, 77);
    assert.match(stderr, /is no longer renewed \(no output and no progress for --stall 1s\)/);
    await assertLost(bench, STALLED);
  });

  it('with --on-lost warn leaves the same event, and the command its own exit code', async () => {
    await using bench = openBench();
    const script = "trap 'exit 5' USR1; echo ready; for n in $(seq 200); do sleep 0.05; done";
    const running = bench.start([...STALL, '--on-lost', 'warn', '--', 'sh', '-c', script]);
    await until('the loss is said', () => running.stderr().includes('goes on without it (--on-lost warn)'));
    running.kill('SIGUSR1');
    assert.equal((await running.ended).code, 5);
    await assertLost(bench, STALLED);
  });

  it('lets a command go on that prints, untouched, on stdout or stderr', async () => {
    await using bench = openBench();
    const script = 'for n in 1 2 3 4 5; do printf .; sleep 0.3; printf x >&2; sleep 0.3; done';
    const ended = await bench.run([...STALL, '--', 'sh', '-c', script]);
    assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, '.....', 'xxxxx']);
  });

  it('lets a command go on that tells the store of its progress', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    const running = bench.start([...STALL, '--', 'sleep', '4']);
    let step = 0;
    await until(
      'it holds the lock',
      async () => (await bench.json<{ state: string }>(['status', 'a']))[0]?.state === 'held',
    );
    // The command's own token is in its environment alone; the row stands in for a renewal by it.
    while (running.child.exitCode === null) {
      using rows = openRows(bench);
      rows.prepare("update locks set progress = ? where name = 'a'").run(`step ${(step += 1)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.stderr], [0, '']);
  });
});
