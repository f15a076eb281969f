/** The command line on PostgreSQL: the same words and codes, and no secret in any message. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createDatabase, POSTGRES_VERSIONS, type TestDatabase } from '../postgres.ts';
import { startPostgres } from '../postgres-server.ts';
import { type Bench, MAIN, openBench, until } from './command-line.ts';

/** The same URL with another password, user, port or database. */
function changed(url: string, change: (parts: URL) => void): string {
  const parts = new URL(url);
  change(parts);
  return parts.href;
}

function passwordOf(url: string): string {
  const { password } = new URL(url);
  assert.ok(password.length >= 8, 'the test has a password to look for');
  return decodeURIComponent(password);
}

for (const version of POSTGRES_VERSIONS) {
  describe(`PostgreSQL ${version}`, { concurrency: false }, () => {
    let database: TestDatabase;
    let bench: Bench;

    before(async () => {
      database = await createDatabase(version);
      bench = openBench(database.url);
    });
    after(async () => {
      await bench[Symbol.asyncDispose]();
      await database.drop();
    });

    it('without its schema is exit 78 and says what to do; migrate installs it, twice the same', async () => {
      const missing = await bench.run(['run', 'a', '--', 'echo', 'ran']);
      assert.deepEqual([missing.code, missing.stdout], [78, '']);
      assert.match(missing.stderr, /^leasehold: [^\n]*leasehold migrate[^\n]*nothing was started[^\n]*\n$/);
      const [first] = await bench.json<{ from: number; to: number }>(['migrate']);
      assert.equal(first?.from, 0);
      const again = await bench.run(['migrate']);
      assert.equal(again.code, 0);
      assert.match(again.stdout, /^The schema is at version \d+ already\./);
    });

    it('a guarded command runs; a second one is skipped, and the lock is free at the end', async () => {
      const running = bench.start(['run', 'a', '--', 'sh', '-c', 'echo ready; sleep 15']);
      await until('it runs', () => running.stdout().includes('ready'));
      const second = await bench.run(['run', 'a', '--', 'echo', 'ran']);
      assert.deepEqual([second.code, second.stdout], [75, '']);
      assert.match(second.stderr, /^leasehold: Skipped lock "a": previous run still running/);
      running.kill('SIGTERM');
      assert.equal((await running.ended).code, 143);
      const [status] = await bench.json<{ state: string }>(['status', 'a']);
      assert.equal(status?.state, 'free');
    });

    it('a slot runs once, what was missed is told, and progress is a sign of life', async () => {
      const day = (of: number): string => `2020-01-0${of}T00:00:00.000Z`;
      const show = ['--', 'sh', '-c', 'echo "$LEASEHOLD_SLOT $LEASEHOLD_MISSED"'];
      const run = (of: number): ReturnType<Bench['run']> =>
        bench.run(['run', 'slots', '--schedule', '@daily', '--timezone', 'UTC', '--slot', day(of), ...show]);
      assert.equal((await run(1)).stdout, `${day(1)} []\n`);
      const again = await run(1);
      assert.deepEqual([again.code, again.stdout], [76, '']);
      assert.match(
        again.stderr,
        /^leasehold: Already ran: slot 2020-01-01T00:00:00.000Z of lock "slots" was done by run /,
      );
      assert.equal((await run(4)).stdout, `${day(4)} ["${day(2)}","${day(3)}"]\n`);
      const progress = `for n in 1 2 3 4; do ${process.execPath} ${MAIN} renew slots --progress "step $n" >/dev/null || exit 1; sleep 0.4; done`;
      const alive = await bench.run(['run', 'slots', '--lease', '1500ms', '--stall', '1s', '--', 'sh', '-c', progress]);
      assert.deepEqual([alive.code, alive.stderr], [0, '']);
    });

    it('a paused lock is said to be paused, and why says so', async () => {
      assert.equal((await bench.run(['pause', 'halted', '--reason', 'test'])).code, 0);
      assert.equal((await bench.run(['run', 'halted', '--', 'true'])).code, 75);
      assert.match((await bench.run(['why', 'halted'])).stdout, /would be skipped now: it is paused; its latest start/);
      assert.match((await bench.run(['resume', 'halted'])).stdout, /^Resumed lock "halted"/);
      assert.equal((await bench.run(['run', 'halted', '--', 'true'])).code, 0);
    });

    it('acquire, renew, release and what was lost have the same codes as on SQLite', async () => {
      const { stdout, code } = await bench.run(['acquire', 'b', '--lease', '5m']);
      assert.equal(code, 0);
      const token = ['--token', stdout.trim()];
      assert.equal((await bench.run(['renew', 'b', ...token])).code, 0);
      assert.equal((await bench.run(['force-release', 'b', '--reason', 'test', '--now'])).code, 0);
      assert.equal((await bench.run(['renew', 'b', ...token])).code, 77);
      assert.equal((await bench.run(['acquire', 'b', '--lease', '5m'])).code, 0);
      assert.equal((await bench.run(['release', 'b', ...token])).code, 77);
      const [event] = await bench.json<{ kind: string }>(['events', '--lock', 'b', '--limit', '1']);
      assert.equal(event?.kind, 'release.refused');
    });

    it('a child reaches the same store by its LEASEHOLD_STORE', async () => {
      const script = 'test "$LEASEHOLD_STORE" = "$1"';
      const { code } = await bench.run(['run', 'c', '--', 'sh', '-c', script, 'sh', database.url]);
      assert.equal(code, 0);
    });

    it('a wrong password is exit 78, and no message has it or the right one', async () => {
      const url = changed(database.url, (parts) => (parts.password = 'wrong-Geheimnis'));
      for (const args of [
        ['run', 'a', '--', 'echo', 'ran'],
        ['status', '--json'],
        ['migrate'],
        ['acquire', 'a', '--lease', '5m', '--json'],
      ]) {
        const { code, stdout, stderr } = await bench.run(args, { env: { LEASEHOLD_STORE: url } });
        assert.deepEqual([code, stdout], [78, ''], stderr);
        assert.match(stderr, /^leasehold: [^\n]*check the password of this role[^\n]*\n$/);
        assert.doesNotMatch(stderr, /Geheimnis/);
        assert.ok(!stderr.includes(passwordOf(database.url)));
      }
    });

    it('a database that is not there is exit 78', async () => {
      const url = changed(database.url, (parts) => (parts.pathname = '/no_such_database'));
      const { code, stderr } = await bench.run(['run', 'a', '--store', url, '--', 'true']);
      assert.equal(code, 78, stderr);
      assert.match(stderr, /no_such_database/);
      assert.ok(!stderr.includes(passwordOf(database.url)));
    });
  });
}

describe('a PostgreSQL that does not answer', () => {
  it('is exit 69: nothing was started, and the store is named without its password', async () => {
    await using bench = openBench();
    const port = await freePort();
    const url = `postgres://app:Geheimnis@127.0.0.1:${port}/jobs`;
    const { code, stdout, stderr } = await bench.run(['run', 'a', '--store', url, '--', 'echo', 'ran']);
    assert.deepEqual([code, stdout], [69, '']);
    assert.match(stderr, /^leasehold: [^\n]*nothing was started[^\n]*\n$/);
    assert.ok(stderr.includes(`postgres://app@127.0.0.1:${port}/jobs`), stderr);
    assert.doesNotMatch(stderr, /Geheimnis/);
  });

  it('but takes the connection is exit 69 after the time-out of the store, not a hang', async () => {
    await using bench = openBench();
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = silent.address() as { port: number };
      const url = `postgres://app:Geheimnis@127.0.0.1:${port}/jobs`;
      const ended = await bench.run(['run', 'a', '--lease', '2s', '--store', url, '--', 'echo', 'ran']);
      assert.deepEqual([ended.code, ended.stdout], [69, ''], ended.stderr);
      assert.match(ended.stderr, /nothing was started/);
    } finally {
      silent.close();
    }
  });

  it('restarted while a command runs, is released all the same at its end', async () => {
    await using server = await startPostgres(18);
    await using bench = openBench(server.url);
    assert.equal((await bench.run(['migrate'])).code, 0);
    const script = `trap 'exit 3' USR1; echo ready; for n in $(seq 600); do sleep 0.05; done`;
    const running = bench.start(['run', 'a', '--', 'sh', '-c', script]);
    await until('it runs', () => running.stdout().includes('ready'));
    await server.stop();
    await server.start();
    running.kill('SIGUSR1');
    assert.equal((await running.ended).code, 3);
    const [status] = await bench.json<{ state: string }>(['status', 'a']);
    assert.equal(status?.state, 'free');
    const [run] = await bench.json<{ status: string }>(['runs', 'a']);
    assert.equal(run?.status, 'failure');
  });

  it('migrate --print needs no server and gives the whole schema', async () => {
    await using bench = openBench('postgres://nobody@127.0.0.1:1/none');
    const { code, stdout, stderr } = await bench.run(['migrate', '--print']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /create (or replace )?function leasehold\.acquire\(/);
    assert.ok(stdout.endsWith('\n'));
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
