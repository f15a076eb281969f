/** A guarded command on a terminal: it is in a session of its own, and must read and write all the same. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { MAIN, openBench } from './command-line.ts';

/** `script` of util-linux runs a command on a new terminal; BSD's has other options. */
const noTerminal: string | false =
  spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
    ? false
    : 'this system has no script(1) of util-linux';

/** Runs `leasehold` with these arguments on a terminal of its own and types `keys` once it says `ready`. */
function onTerminal(
  store: string,
  args: readonly string[],
  keys: string,
): Promise<{ code: number | null; screen: string }> {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const env = { ...process.env, LEASEHOLD_STORE: store };
  // Without `exec` a dash in between would get the typed Ctrl-C as well, and answer 130 in the wrapper's place.
  const terminal = spawn('script', ['-qec', `exec ${words.join(' ')}`, '/dev/null'], { env, timeout: 20_000 });
  let screen = '';
  let isTyped = false;
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (isTyped || !screen.includes('ready')) return;
    isTyped = true;
    terminal.stdin.write(keys);
  });
  return new Promise((resolve) => terminal.once('close', (code) => resolve({ code, screen })));
}

describe('on a terminal', { skip: noTerminal }, () => {
  it('the command reads what is typed, without being stopped for it', async () => {
    await using bench = openBench();
    const script = 'test -t 0 && test -t 1 && echo ready && read line && echo "got $line" && exit 3';
    const { code, screen } = await onTerminal(bench.store, ['run', 'a', '--', 'sh', '-c', script], 'hello\n');
    assert.match(screen, /got hello/);
    assert.equal(code, 3);
  });

  it('Ctrl-C reaches the command once, and the lock is free', async () => {
    await using bench = openBench();
    const script = `count=0; trap 'count=$((count + 1))' INT; echo ready; for n in $(seq 20); do sleep 0.05; done; exit $count`;
    const { code } = await onTerminal(bench.store, ['run', 'a', '--', 'sh', '-c', script], '\u0003');
    assert.equal(code, 1);
    const [status] = await bench.json<{ state: string }>(['status', 'a']);
    assert.equal(status?.state, 'free');
  });

  it('Ctrl-Z does not suspend the wrapper, whose lease would end meanwhile, and says so', async () => {
    await using bench = openBench();
    const script = 'echo ready; for n in $(seq 10); do sleep 0.05; done; exit 4';
    const { code, screen } = await onTerminal(bench.store, ['run', 'a', '--', 'sh', '-c', script], '\u001a');
    assert.equal(code, 4);
    assert.match(screen, /leasehold: not suspended: a run that stands still loses its lease/);
  });
});
