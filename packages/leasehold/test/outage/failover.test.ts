/**
 * Failover under real commands: the line is cut, what the next server finds is put in its place, the line is back.
 *
 * Clock: the real one, except for the instants in the rows, which are those of a server ten minutes ahead of the
 * one that takes over.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { numberIn, openBench, until } from '../cli/command-line.ts';
import { createDatabase, POSTGRES_VERSIONS } from '../postgres.ts';
import { forget, moveInstants } from '../stores/postgres/failover-rows.ts';
import { STUBBORN } from './place.ts';
import { openScene } from './scene.ts';

const TEN_MINUTES = 600_000;

async function clientOf(url: string, stack: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return stack.adopt(client, (each) => each.end());
}

describe('failover under a running command', { concurrency: true }, () => {
  for (const version of POSTGRES_VERSIONS) {
    it(`of PostgreSQL ${version} to a server ten minutes slow disturbs no run, and freezes no lock of a dead one`, async () => {
      await using database = await createDatabase(version);
      await using bench = openBench(database.url);
      await using scene = await openScene(bench, 'a');
      await using stack = new AsyncDisposableStack();
      await bench.run(['migrate']);
      const client = await clientOf(database.url, stack);

      const alive = await scene.hold(['--lease', '10s'], 'sleep 4; exit 4');
      await scene.line.becomeAtStatement('refuses');
      await moveInstants(client, TEN_MINUTES);
      await scene.line.become('clear');
      assert.equal((await alive.ended).code, 4, alive.stderr());
      assert.doesNotMatch(alive.stderr(), /stopping|lost/i);

      const dead = await scene.hold(['--lease', '3s'], STUBBORN);
      await scene.line.become('refuses');
      await moveInstants(client, TEN_MINUTES);
      // As of a host that is gone: nobody can be asked after it, so the clock decides.
      await client.query("update leasehold.locks set holder_info = holder_info - 'probe'");
      dead.kill('SIGKILL');
      process.kill(-numberIn(dead.stdout(), 'ready'), 'SIGKILL');
      const askedAt = performance.now();
      const rival = scene.rival(['--lease', '3s']);
      await until('the rival runs', () => rival.stdout().includes('ready '));
      const waitedMs = performance.now() - askedAt;
      assert.ok(waitedMs > 2_900 && waitedMs < 14_000, `let in after ${Math.round(waitedMs)} ms`);
      assert.equal((await rival.ended).code, 0);
      assert.match(rival.stderr(), /Reclaimed stale lease/);
      assert.equal(scene.place.most, 1);
      const events = await bench.json<{ kind: string }>(['events']);
      assert.equal(events.filter(({ kind }) => kind === 'clock.fault').length, 2, 'one a failover');
    });

    it(`of PostgreSQL ${version} to a replica that never got the lock (C38): the first is told and stopped, the second goes on`, async () => {
      await using database = await createDatabase(version);
      await using bench = openBench(database.url);
      await using scene = await openScene(bench, 'a');
      await using stack = new AsyncDisposableStack();
      await bench.run(['migrate']);
      const client = await clientOf(database.url, stack);

      const first = await scene.hold(['--lease', '10s'], STUBBORN);
      await scene.line.become('refuses');
      await forget(client, 'a');
      const second = bench.start(['run', 'a', '--lease', '10s', '--', ...scene.place.command('sleep 8')]);
      await until('the second one runs', () => second.stdout().includes('ready '));
      assert.equal(scene.place.now, 2, 'what no lease can prevent, and docs/clocks.md says');
      await scene.line.become('clear');
      const backAt = performance.now();
      assert.equal((await first.ended).code, 77, first.stderr());
      // One renewal (1.5 s), then TERM and KILL (1 s) of a command that doesn't listen.
      assert.ok(performance.now() - backAt < 6_000, 'it ends soon');
      assert.match(first.stderr(), /Lost lock "a": (no run of it has this token|run .* took it over); stop/);
      assert.equal(scene.place.now, 1);
      await sleep(100);
      assert.equal((await second.ended).code, 0, second.stderr());
      assert.doesNotMatch(second.stderr(), /lost/i);
    });
  }
});
