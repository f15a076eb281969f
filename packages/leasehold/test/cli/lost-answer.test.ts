/** An answer that nobody can read: full disks, closed streams, readers that went away. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { type Bench, MAIN, openBench } from './command-line.ts';

/** Runs `leasehold …` as a line of shell, so that its streams can be what a shell makes of them. */
function shell(bench: Bench, line: string): Promise<{ code: number | null; stderr: string }> {
  const env = { ...process.env, LEASEHOLD_STORE: bench.store, NODE: process.execPath, MAIN };
  const script = `leasehold() { "$NODE" "$MAIN" "$@"; }; ${line}`;
  const child = spawn('bash', ['-c', script], { cwd: bench.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}

async function stateOf(bench: Bench): Promise<string | undefined> {
  const [status] = await bench.json<{ state: string }>(['status', 'a']);
  return status?.state;
}

describe('acquire', () => {
  for (const json of ['', ' --json']) {
    for (const [stdout, says] of [
      ['>/dev/full', /stdout can't be written \(ENOSPC\)/],
      ['>&-', /stdout is closed/],
      ['> >(true)', /stdout has no reader any more/],
    ] as const) {
      it(`with ${stdout}${json} gives the lock back and ends with 74, because nobody has its token`, async () => {
        await using bench = openBench();
        const { code, stderr } = await shell(bench, `leasehold acquire a --lease 5m${json} ${stdout}`);
        assert.match(stderr, says);
        assert.match(stderr, /lock "a" was given back, because its token is lost: stdout /);
        assert.equal(code, 74);
        assert.equal(await stateOf(bench), 'free');
      });
    }
  }

  it('whose token is thrown away on purpose holds its lock', async () => {
    await using bench = openBench();
    assert.equal((await shell(bench, 'leasehold acquire a --lease 5m >/dev/null')).code, 0);
    assert.equal(await stateOf(bench), 'held');
  });
});

describe('a look', () => {
  it('whose answer can not be written ends with 74 and says so', async () => {
    await using bench = openBench();
    await bench.run(['run', 'a', '--', 'true']);
    for (const command of ['status', 'runs', 'why a', 'status --json']) {
      const { code, stderr } = await shell(bench, `leasehold ${command} >/dev/full`);
      assert.equal(code, 74, command);
      assert.match(stderr, /^leasehold: the answer is lost: stdout can't be written \(ENOSPC\)\n$/);
    }
  });

  it('whose reader has gone is quiet and ends with 0', async () => {
    await using bench = openBench();
    await bench.run(['run', 'a', '--', 'true']);
    const { code, stderr } = await shell(bench, 'set -o pipefail; { sleep 0.3; leasehold status; } | true');
    assert.deepEqual([code, stderr], [0, '']);
  });
});
