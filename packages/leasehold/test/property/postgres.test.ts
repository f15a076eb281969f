/** Random interleavings of calls and time on PostgreSQL, oldest and newest: see property.ts for seeds. */
import { test } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { postgresSubjects } from './postgres-subjects.ts';
import { checkSequences } from './property.ts';

for (const version of POSTGRES_VERSIONS) {
  test(`any interleaving of calls and time on PostgreSQL ${version} is answered and stored as the model says`, async (context) => {
    await using subjects = await postgresSubjects(version);
    await checkSequences(context, subjects, { runs: 25, oddClocks: true, lengthMax: 40 });
  });
}
