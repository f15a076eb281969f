/** The long form of test/property: more sequences, and guards taken out of PostgreSQL's functions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { findFault } from '../property/find-fault.ts';
import { describeControls } from '../property/describe-controls.ts';
import { MORE_SQLITE_CONTROLS, POSTGRES_CONTROLS } from '../property/mutations.ts';
import { postgresSubjects } from '../property/postgres-subjects.ts';
import { checkBatches, checkSequences } from '../property/property.ts';
import { sqliteSubjects } from '../property/sqlite-subjects.ts';

const LONG = { oddClocks: true, lengthMax: 40 };

test('thousands of sequences on SQLite are answered and stored as the model says', async (context) => {
  await checkSequences(context, sqliteSubjects(), { ...LONG, runs: 2_000 });
});

for (const version of POSTGRES_VERSIONS) {
  test(`hundreds of sequences on PostgreSQL ${version} are answered and stored as the model says`, async (context) => {
    await using subjects = await postgresSubjects(version);
    await checkSequences(context, subjects, { ...LONG, runs: 100 });
  });

  test(`hundreds of sequences of calls at once on PostgreSQL ${version} come out as one after the other`, async (context) => {
    await using subjects = await postgresSubjects(version);
    const { cut } = await checkBatches(context, subjects, { ...LONG, oddClocks: false, lengthMax: 12, runs: 80 });
    context.diagnostic(`${cut} ended early, because a call gave up waiting`);
  });
}

describeControls(MORE_SQLITE_CONTROLS);

describe('a fault in the SQL functions is found by random sequences', () => {
  for (const { name, judges, edits } of POSTGRES_CONTROLS) {
    test(name, async () => {
      await using subjects = await postgresSubjects(18, edits);
      for (const judge of judges) assert.notEqual(await findFault(subjects, judge, false), null, judge);
    });
  }
});
