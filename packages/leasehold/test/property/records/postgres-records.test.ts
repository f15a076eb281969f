/** Random interleavings of calls about records on PostgreSQL, oldest and newest, about 6 s each: see property.ts for seeds. */
import { test } from 'node:test';
import { POSTGRES_VERSIONS } from '../../postgres.ts';
import { postgresSubjects } from '../postgres-subjects.ts';
import { checkRecordSequences } from './record-property.ts';

for (const version of POSTGRES_VERSIONS) {
  test(`any interleaving of claims, begins, verdicts, look-ups and time on PostgreSQL ${version} is answered and stored as the model says`, async (context) => {
    await using subjects = await postgresSubjects(version);
    await checkRecordSequences(context, subjects, { runs: 25 });
  });
}
