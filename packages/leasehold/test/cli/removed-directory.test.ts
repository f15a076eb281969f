/** A working directory that was removed under its shell, as after a deploy: what begins in it can't be named any more, the rest can. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Finding } from '../../src/domain/doctor.ts';
import { type Bench, type Ended, linesOf, MAIN, openBench } from './command-line.ts';

/** Runs `leasehold` with these arguments in a directory that is gone. */
function runInRemoved({ folder, store }: Bench, args: readonly string[], env: Record<string, string> = {}): Ended {
  const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
  const command = ['-c', script, join(folder, 'gone'), process.execPath, MAIN, ...args];
  const own = { LEASEHOLD_STORE: store, HOME: folder, XDG_STATE_HOME: undefined, XDG_CONFIG_HOME: undefined };
  const options = { encoding: 'utf8', timeout: 30_000, env: { ...process.env, ...own, ...env } } as const;
  const { status, signal, stdout, stderr } = spawnSync('sh', command, options);
  return { code: status, signal, stdout, stderr };
}

const REMOVED = 'begins in the working directory, which was removed; name it by an absolute path';

it('a store by an absolute path is used as ever', async () => {
  await using bench = openBench();
  const { code, stdout, stderr } = runInRemoved(bench, ['run', 'a', '--', 'echo', 'ran']);
  assert.deepEqual([code, stdout, stderr], [0, 'ran\n', '']);
});

it('a store or a configuration by a relative path is exit 78, and says what to do', async () => {
  await using bench = openBench();
  const store = runInRemoved(bench, ['status', '--store', 'sqlite:jobs.db']);
  assert.deepEqual([store.code, store.stdout], [78, '']);
  assert.equal(
    store.stderr,
    "leasehold: store sqlite:jobs.db can't be used: its path begins in the working directory, which was removed; name it by an absolute path\n",
  );
  const config = runInRemoved(bench, ['run', 'a', '--config', 'jobs.json', '--', 'echo', 'ran']);
  assert.deepEqual([config.code, config.stdout], [78, '']);
  assert.equal(config.stderr, `leasehold: jobs.json ${REMOVED}\n`);
});

it('doctor tells it of each place that names one so', async () => {
  await using bench = openBench();
  const { code, stdout } = runInRemoved(bench, ['doctor', '--json', '--store', 'sqlite:jobs.db'], {
    LEASEHOLD_CONFIG: 'jobs.json',
  });
  assert.equal(code, 78);
  const findings = linesOf(stdout).map((line) => JSON.parse(line) as Finding);
  const said = findings.filter(({ message }) => message.includes(REMOVED));
  assert.deepEqual(
    said.map(({ check, result, message }) => [check, result, message]),
    [
      ['config', 'problem', `--store: jobs.db ${REMOVED}. Nothing can start here until it is mended.`],
      ['config', 'warning', `jobs.json ${REMOVED}. Whoever comes to it is refused (exit 78).`],
      ['config', 'problem', `jobs.json ${REMOVED}. Nothing can start here until it is mended.`],
      ['store', 'problem', `jobs.db ${REMOVED}`],
    ],
  );
});
