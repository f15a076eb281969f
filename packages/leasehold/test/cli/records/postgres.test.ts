/** Records from any shell, on PostgreSQL: the same facts. */
import { after, before, describe } from 'node:test';
import { createDatabase, POSTGRES_VERSIONS, type TestDatabase } from '../../postgres.ts';
import { type Bench, openBench } from '../command-line.ts';
import { describePools } from './pools.ts';
import { describeProtocol } from './protocol.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`records on PostgreSQL ${version}`, { concurrency: false }, () => {
    let database: TestDatabase;
    let bench: Bench;
    before(async () => {
      database = await createDatabase(version);
      bench = openBench(database.url);
      await bench.run(['migrate']);
    });
    after(async () => {
      await bench[Symbol.asyncDispose]();
      await database.drop();
    });
    describeProtocol(() => bench);
    describePools(() => bench);
  });
}
