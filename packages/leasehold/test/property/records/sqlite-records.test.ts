/** Random interleavings of calls about records on the embedded store: see property.ts for seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteSubjects } from '../sqlite-subjects.ts';
import { checkRecordSequences } from './record-property.ts';

const RUNS = 300;

test('any interleaving of claims, begins, verdicts, look-ups and time on SQLite is answered and stored as the model says', async (context) => {
  const seen = await checkRecordSequences(context, sqliteSubjects(), RUNS);
  if (process.env['LEASEHOLD_PROPERTY_PATH'] !== undefined) return;
  if (Number(process.env['LEASEHOLD_PROPERTY_RUNS'] ?? RUNS) < RUNS) return;
  context.diagnostic([...seen].toSorted().join(', '));
  assert.ok(seen.size > 0);
});
