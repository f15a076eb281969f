/** Random interleavings of calls and time on PostgreSQL, oldest and newest: see property.ts for seeds. */
import { test } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { postgresSubjects } from './postgres-subjects.ts';
import { checkSequences } from './property.ts';

for (const version of POSTGRES_VERSIONS) {
  test(`any interleaving of calls and time on PostgreSQL ${version} is answered and stored as the model says`, async (context) => {
    const subjects = await postgresSubjects(version);
    try {
      await checkSequences(context, subjects, { runs: 30, evidence: false, oddClocks: true, lengthMax: 40 });
    } finally {
      await subjects.end();
    }
  });
}
