/** A PostgreSQL server that stops, crashes and comes back while commands run and while others want to start. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { openBench } from '../cli/command-line.ts';
import { startPostgres } from '../postgres-server.ts';
import { openPlace } from './place.ts';
import { ready, sitOutCrash, start } from './server-crash.ts';

describe('a PostgreSQL server', { concurrency: true }, () => {
  it('that is away for 5 s: each run and each start as its options say, and nothing runs twice', async () => {
    await using server = await startPostgres(18);
    await using bench = openBench(server.url);
    assert.equal((await bench.run(['migrate'])).code, 0);
    await sitOutCrash(server, bench);
  });

  it('that restarts in 0.5 s disturbs no run with a lease of 20 s', async () => {
    await using server = await startPostgres(15);
    await using bench = openBench(server.url);
    await using place = await openPlace();
    assert.equal((await bench.run(['migrate'])).code, 0);
    const running = start(bench, place, 'a', ['--lease', '20s'], 'sleep 5; exit 4');
    await ready(running);
    await server.stop();
    await sleep(500);
    await server.start();
    const { code, stderr } = await running.ended;
    assert.equal(code, 4, stderr);
    assert.doesNotMatch(stderr, /stopping|lost/i);
    const [run] = await bench.json<{ fence: number; status: string }>(['runs', 'a']);
    assert.deepEqual([run?.fence, run?.status], [1, 'failure']);
  });
});
