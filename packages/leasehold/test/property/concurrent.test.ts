/** Calls that several clients make at once come out as if made one after the other: see concurrent-play.ts. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { checkBatches } from './property.ts';
import { postgresSubjects } from './postgres-subjects.ts';
import { sqliteFileSubjects } from './sqlite-subjects.ts';
import type { Subjects } from './subject.ts';

async function check(context: TestContext, subjects: Subjects): Promise<void> {
  const options = { runs: 20, oddClocks: false, lengthMax: 12 };
  const { played, cut } = await checkBatches(context, subjects, options);
  context.diagnostic(`${cut} of ${played} ended early, because a call gave up waiting`);
  // A machine that stalls for a second makes calls give up; what was played until then has been checked.
  assert.ok(cut <= played / 2, `${cut} of ${played} ended early: hardly anything was checked`);
}

test('calls of four clients of one SQLite file come out as if made one after the other', async (context) => {
  await check(context, sqliteFileSubjects());
});

for (const version of POSTGRES_VERSIONS) {
  test(`calls of four clients at once of PostgreSQL ${version} come out as if made one after the other`, async (context) => {
    await using subjects = await postgresSubjects(version);
    await check(context, subjects);
  });
}
