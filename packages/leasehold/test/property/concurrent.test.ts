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
  assert.ok(cut <= Math.max(1, played / 10), 'hardly any call gives up waiting');
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
