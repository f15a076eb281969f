/** Records from any shell, on PostgreSQL: the same facts. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDatabase, POSTGRES_VERSIONS, type TestDatabase } from '../../postgres.ts';
import { openBench } from '../command-line.ts';
import { type Asked, ask, claim, idsOf, tokenOf } from './answers.ts';
import { openInProcess } from './in-process.ts';
import { describePools } from './pools.ts';
import { describeProtocol } from './protocol.ts';

for (const version of POSTGRES_VERSIONS) {
  describe(`records on PostgreSQL ${version}`, { concurrency: false }, () => {
    let database: TestDatabase;
    let lines: Asked & Disposable;
    before(async () => {
      database = await createDatabase(version);
      lines = openInProcess(database.url);
      await lines.run(['migrate']);
    });
    after(async () => {
      lines[Symbol.dispose]();
      await database.drop();
    });
    describeProtocol(() => lines);
    describePools(() => lines);

    it('from processes of their own that claim at once, each record is owned once', async () => {
      await using bench = openBench(database.url);
      const ids = Array.from({ length: 100 }, (_, at) => `r${at}`);
      const answers = await Promise.all(
        [ids, ids.toReversed()].map((offered, at) =>
          claim(bench, ['crowd', '--ids-file', '-', '--limit', '80', '--holder', `h${at}`], offered.join('\n')),
        ),
      );
      const owned = answers.flatMap((answer) => idsOf(answer.owned));
      assert.deepEqual([owned.length, new Set(owned).size], [100, 100]);
      for (const answer of answers) {
        const [first] = idsOf(answer.owned);
        await ask(bench, ['verdict', 'crowd', first ?? '', 'done', '--token', tokenOf(answer)], 0);
      }
    });
  });
}
