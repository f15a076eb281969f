/**
 * The line between a guarded command and PostgreSQL breaks, in each way a line can. A rival has a line of its own,
 * which stays whole: it would be let in at once if the store thought that it may.
 *
 * Clock: the real one. A lease of 20 s is renewed every 3 s; an outage of 0.5 s begins with such a renewal. One of 8 s is
 * longer than a lease of 6 s: the signal comes after 4.8 s, KILL after 5.4 s. Verdict: the place that both enter.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type Bench, openBench, until } from '../cli/command-line.ts';
import { createDatabase, POSTGRES_VERSIONS, type TestDatabase } from '../postgres.ts';
import type { Weather } from './bad-line.ts';
import { STUBBORN, UNTIL_TOLD } from './place.ts';
import { countIn, openScene } from './scene.ts';

const BROKEN: readonly Exclude<Weather, 'clear'>[] = ['refuses', 'hangs', 'resets', 'loses answers'];

/** When the lock's running run was renewed last, by the server's clock, which is this host's. */
async function renewedAt(bench: Bench, lock: string): Promise<number> {
  const runs = await bench.json<{ outcome: string; renewedAt: string }>(['runs', lock]);
  return Date.parse(runs.find(({ outcome }) => outcome === 'acquired')?.renewedAt ?? '');
}

/** Lets new sessions of a database write no more, and ends the others: what clients meet of a primary that was demoted. */
async function makeReadOnly(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await client.query(`alter database ${name} set default_transaction_read_only to on`);
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return async () => {
    await client.query(`alter database ${name} reset default_transaction_read_only`);
    await client.end();
  };
}

// At once, since they mostly wait.
describe('outages of PostgreSQL', { concurrency: true }, () => {
  for (const version of POSTGRES_VERSIONS) {
    describe(`a line to PostgreSQL ${version}`, { concurrency: true }, () => {
      let database: TestDatabase;
      let bench: Bench;
      before(async () => {
        database = await createDatabase(version);
        bench = openBench(database.url);
        assert.equal((await bench.run(['migrate'])).code, 0);
      });
      after(async () => {
        await bench[Symbol.asyncDispose]();
        await database.drop();
      });
      const nameOf = (what: string): string => what.replaceAll(/[^a-z]+/g, '-');

      // Each server has two of the four, so that all are seen and the tier stays short.
      for (const weather of BROKEN.filter((_, index) => (index % 2 === 0) === (version === 15))) {
        it(`that ${weather} for 0.5 s leaves the run alone: lease, fence and exit code are its own`, async () => {
          const lock = nameOf(`short ${weather}`);
          await using scene = await openScene(bench, lock);
          const running = await scene.hold(['--lease', '20s'], STUBBORN);
          const rival = scene.rival([]);
          await scene.line.becomeAtStatement(weather);
          await sleep(500);
          await scene.line.become('clear');
          const backAt = Date.now();
          await until('it is renewed again', async () => (await renewedAt(bench, lock)) > backAt);
          running.kill('SIGUSR1');
          const { code, stderr } = await running.ended;
          assert.equal(code, 4, stderr);
          assert.doesNotMatch(stderr, /stopping|lost/i);
          const told = [/could not be renewed/, /is renewed again/].map((what) => countIn(stderr, what));
          // A call that is repeated or answered late, within its time-out, has nothing to tell.
          assert.ok(told[0] === told[1] && (told[0] ?? 2) <= 1, stderr);
          assert.equal((await rival.ended).code, 0);
          assert.deepEqual([scene.place.most, scene.place.entered], [1, 2]);
          const runs = await bench.json<{ outcome: string; fence: number; status: string }>(['runs', lock]);
          assert.deepEqual(
            runs.map(({ outcome, fence, status }) => [outcome, fence, status]),
            [
              ['acquired', 2, 'success'],
              ['acquired', 1, 'failure'],
            ],
          );
        });

        it(`that ${weather} for longer than its lease stops the run: the command is gone before the rival is let in`, async () => {
          await using scene = await openScene(bench, nameOf(`stop ${weather}`));
          const running = await scene.hold(['--lease', '6s'], STUBBORN);
          const rival = scene.rival(['--lease', '6s']);
          await scene.line.become(weather);
          await sleep(8_000);
          assert.deepEqual([scene.place.now, scene.place.most], [0, 1], 'the first is gone, the second was here alone');
          await scene.line.become('clear');
          const { code, stderr } = await running.ended;
          assert.equal(code, 77, stderr);
          assert.equal(countIn(stderr, /stopping the command/), 1, stderr);
          assert.equal(countIn(stderr, /could not be renewed/), 1, stderr);
          assert.equal((await rival.ended).code, 0, rival.stderr());
          assert.deepEqual([scene.place.most, scene.place.entered], [1, 2]);
        });

        it(`that ${weather} for longer than its lease, with warn: the command goes on, told once, and its exit code comes back`, async () => {
          const lock = nameOf(`warn ${weather}`);
          await using scene = await openScene(bench, lock);
          const running = await scene.hold(['--lease', '6s', '--on-lost', 'warn'], STUBBORN);
          await scene.line.become(weather);
          await sleep(8_000);
          await scene.line.become('clear');
          assert.equal(scene.place.now, 1, 'it goes on');
          const rival = await scene.rival([]).ended;
          assert.equal(rival.code, 0, rival.stderr);
          assert.match(rival.stderr, /Reclaimed stale lease .* may still be running/);
          assert.equal(scene.place.most, 2, 'control: the place can see two');
          running.kill('SIGUSR1');
          const { code, stderr } = await running.ended;
          assert.equal(code, 4, stderr);
          assert.equal(countIn(stderr, /the command goes on without it/), 1, stderr);
          assert.equal(countIn(stderr, /Not released: this token does not hold/), 1, stderr);
        });
      }
    });
  }

  describe('a server that is read-only for 6 s when the command ends (C39)', { concurrency: true }, () => {
    for (const version of POSTGRES_VERSIONS) {
      it(`PostgreSQL ${version}: the release is tried again, and its status is kept`, async () => {
        await using database = await createDatabase(version);
        await using bench = openBench(database.url);
        await bench.run(['migrate']);
        const running = bench.start(['run', 'a', '--lease', '1m', '--', 'bash', '-c', `echo ready; ${UNTIL_TOLD}`]);
        await until('it runs', () => running.stdout().includes('ready'));
        const restore = await makeReadOnly(database.url);
        running.kill('SIGUSR1');
        await sleep(6_000);
        assert.equal(running.child.exitCode, null, 'it does not give up');
        await restore();
        const { code, stderr } = await running.ended;
        assert.deepEqual([code, stderr], [0, '']);
        const [run] = await bench.json<{ status: string }>(['runs', 'a']);
        assert.equal(run?.status, 'success');
        const [status] = await bench.json<{ state: string }>(['status', 'a']);
        assert.equal(status?.state, 'free');
      });
    }
  });
});
