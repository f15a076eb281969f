/** The server behind PgBouncer goes away: what the pooler says of that is an outage like any other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openBench } from '../cli/command-line.ts';
import { sitOutCrash } from '../outage/server-crash.ts';
import { startPostgres } from '../postgres-server.ts';
import { startPooler } from './pooler.ts';

describe('a PostgreSQL server behind PgBouncer', { concurrency: true }, () => {
  for (const mode of ['transaction', 'session'] as const) {
    it(`that is away for 5 s, pool mode ${mode}: each run and each start as its options say, and nothing runs twice`, async () => {
      await using server = await startPostgres(18);
      await using pooler = await startPooler(server.url, mode);
      await using bench = openBench(pooler.through(server.url));
      assert.equal((await bench.run(['migrate'])).code, 0);
      await sitOutCrash(server, bench);
    });
  }
});
