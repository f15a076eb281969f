/** The long form of test/property/records: more sequences, with a new seed each time. */
import { test } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { postgresSubjects } from '../property/postgres-subjects.ts';
import { checkRecordSequences } from '../property/records/record-property.ts';
import { sqliteSubjects } from '../property/sqlite-subjects.ts';

test('thousands of sequences about records on SQLite are answered and stored as the model says', async (context) => {
  await checkRecordSequences(context, sqliteSubjects(), { runs: 2_000 });
});

for (const version of POSTGRES_VERSIONS) {
  test(`hundreds of sequences about records on PostgreSQL ${version} are answered and stored as the model says`, async (context) => {
    await using subjects = await postgresSubjects(version);
    await checkRecordSequences(context, subjects, { runs: 150 });
  });
}
