/** Who claims, under which lock, and what becomes of a claim whose token nobody gets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { handlesSignals, MAIN, openBench, until } from '../command-line.ts';
import { openRows } from '../store-rows.ts';
import { type Answer, ask, claim, idsOf } from './answers.ts';
import { openInProcess } from './in-process.ts';

const COMMAND = `"${process.execPath}" "${MAIN}"`;

describe('a claim under leasehold run', () => {
  it('names the lock of its run, and says its workflow', async () => {
    await using bench = openBench();
    const { code, stdout } = await bench.run(['run', 'sync', '--', 'sh', '-c', `${COMMAND} claim p --ids a,b --json`]);
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as { owned: unknown[] }).owned.length, 2);
    const [pool] = await bench.json<Answer>(['status', 'p']);
    assert.deepEqual(pool?.['workflows'], ['sync']);
  });

  it('owns nothing once the run has lost its lock, which is exit 0 and said', async () => {
    await using bench = openBench();
    const script = `${COMMAND} force-release sync --now --reason r; ${COMMAND} claim p --ids a; echo "exit $?"`;
    const { stdout, stderr } = await bench.run(['run', 'sync', '--on-lost', 'warn', '--', 'sh', '-c', script]);
    assert.match(stdout, /^exit 0$/m);
    assert.match(
      stderr,
      /^leasehold: Claimed nothing of pool "p": the lock that the claim names is no longer held by that token; stop\./m,
    );
  });

  it('on another store than the run names no lock', async () => {
    await using bench = openBench();
    const claims = `${COMMAND} claim p --ids a --json --store sqlite:other.db`;
    const { stdout } = await bench.run(['run', 'sync', '--', 'sh', '-c', claims]);
    assert.equal((JSON.parse(stdout) as { outcome: string }).outcome, 'claimed');
  });

  it('may name a lock by --lock-token', async () => {
    await using bench = openBench();
    const { stdout } = await bench.run(['acquire', 'sync', '--lease', '5m']);
    const token = stdout.trim();
    assert.equal((await claim(bench, ['p', '--ids', 'a', '--lock-token', token])).outcome, 'claimed');
    await bench.run(['release', 'sync', '--token', token]);
    const lost = await claim(bench, ['p', '--ids', 'b', '--lock-token', token]);
    assert.deepEqual([lost.outcome, lost.owned, lost.token], ['lock_lost', [], null]);
  });
});

describe('a claim whose token nobody gets', () => {
  const full = process.platform === 'linux';

  it('is given back where stdout is full or closed, exit 74', { skip: full ? false : 'needs /dev/full' }, async () => {
    await using bench = openBench();
    for (const [where, says] of [
      ['/dev/full', "can't be written (ENOSPC)"],
      ['&-', 'is closed'],
    ] as const) {
      for (const json of ['', ' --json']) {
        const ran = await sh(`${COMMAND} claim p --ids a,b${json} >${where}`, bench.store);
        assert.equal(ran.code, 74, ran.stderr);
        assert.ok(
          ran.stderr.includes(` of pool "p" was given back, because its token is lost: stdout ${says}`),
          ran.stderr,
        );
        const rows = await bench.json<Answer>(['records', 'p']);
        assert.deepEqual(
          rows.map((row) => [row['state'], row['attempt']]),
          [
            ['queued', 0],
            ['queued', 0],
          ],
        );
      }
    }
  });

  it('prints no token beside its own line, in no table, list, event or message', async () => {
    using bench = openInProcess();
    const claimed = await bench.run(['claim', 'p', '--ids', 'a,b', '--explicit-begin']);
    assert.equal(claimed.code, 0);
    const token = /^ {2}export LEASEHOLD_CLAIM_TOKEN=(\S+)$/m.exec(claimed.stdout)?.[1] ?? '';
    assert.ok(token.length > 20);
    assert.equal(claimed.stdout.split(token).length, 2, 'once');
    assert.match(claimed.stdout, /^Claimed 2 of 2 records offered to pool "p", until .* \[sqlite:/);
    const env = { LEASEHOLD_CLAIM_TOKEN: token };
    let said = claimed.stderr;
    for (const args of [
      ['begin', 'p', 'a'],
      ['verdict', 'p', 'a', 'done'],
      ['verdict', 'p', 'a', 'failed'],
      ['extend', 'p'],
      ['return', 'p'],
      ['status'],
      ['pool', 'p'],
      ['records', 'p'],
      ['events'],
      ['events', '--json'],
      ['doctor'],
    ]) {
      const { stdout, stderr } = await bench.run(args, { env });
      said += stdout + stderr;
    }
    assert.ok(!said.includes(token), said);
  });

  it('is given back where a signal ends the call while the store is asked', async () => {
    await using bench = openBench();
    await ask(bench, ['enqueue', 'p', '--ids', 'a,b'], 0);
    const running = bench.start(['claim', 'p', '--json']);
    {
      // Somebody else's transaction holds the answer up.
      using rows = openRows(bench);
      rows.exec('begin immediate');
      await until('it handles signals', () => handlesSignals(running.pid));
      running.kill('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 50));
      rows.exec('rollback');
    }
    const { code, stdout } = await running.ended;
    assert.deepEqual([code, stdout], [143, '']);
    const rows = await bench.json<Answer>(['records', 'p']);
    assert.deepEqual(
      rows.map((row) => [row['state'], row['attempt']]),
      [
        ['queued', 0],
        ['queued', 0],
      ],
    );
  });
});

describe('a store that does not answer', () => {
  it('gives nothing out: exit 69, and nothing was started', async () => {
    using bench = openInProcess('postgres://jobs:password1@127.0.0.1:1/jobs');
    for (const args of [
      ['claim', 'p', '--ids', 'a'],
      ['enqueue', 'p', '--ids', 'a'],
      ['begin', 'p', 'a', '--token', 't'],
    ]) {
      const { code, stdout, stderr } = await bench.run(args);
      assert.deepEqual([code, stdout], [69, '']);
      assert.doesNotMatch(stderr, /password1/);
      if (args[0] === 'claim') assert.match(stderr, /; nothing was started/);
    }
  });

  it('for 2 s has the verdict when it answers again', async () => {
    await using bench = openBench();
    const claimed = await claim(bench, ['p', '--ids', 'a']);
    const running = bench.start(['verdict', 'p', 'a', 'done', '--json'], {
      env: { LEASEHOLD_CLAIM_TOKEN: claimed.token ?? '' },
    });
    {
      using rows = openRows(bench);
      rows.exec('begin immediate');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      assert.equal(running.stdout(), '');
      rows.exec('rollback');
    }
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as { state: string }).state, 'done');
  });
});

describe('two claims at once', () => {
  it('of the same ids, in opposite order, own each once', async () => {
    await using bench = openBench();
    const ids = Array.from({ length: 200 }, (_, at) => `r${at}`);
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids, ids.toReversed()].map((offered, at) =>
        claim(bench, ['p', '--ids-file', '-', '--limit', '80', '--holder', `h${at}`], offered.join('\n')),
      ),
    );
    const owned = answers.flatMap((answer) => idsOf(answer.owned));
    assert.equal(new Set(owned).size, owned.length);
    assert.equal(owned.length, 200);
    assert.deepEqual(
      idsOf(answers.flatMap(({ refused }) => refused)).filter((id) => !owned.includes(id)),
      [],
    );
  });
});

interface Ran {
  readonly code: number | null;
  readonly stderr: string;
}

/** A line of shell, its stdout wherever the line sends it. */
function sh(line: string, store: string): Promise<Ran> {
  const child = spawn('sh', ['-c', line], {
    env: { ...process.env, LEASEHOLD_STORE: store, LEASEHOLD_TOKEN: undefined },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}
