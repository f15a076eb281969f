/** Random interleavings of calls and time on the embedded store: see property.ts for seeds. */
import { test } from 'node:test';
import { checkSequences } from './property.ts';
import { sqliteSubjects } from './sqlite-subjects.ts';

test('any interleaving of calls and time on SQLite is answered and stored as the model says', async (context) => {
  await checkSequences(context, sqliteSubjects(), { runs: 400, evidence: false, oddClocks: false, lengthMax: 40 });
});

test('no step of a clock, suspend or restart makes SQLite answer otherwise than the model', async (context) => {
  await checkSequences(context, sqliteSubjects(), { runs: 300, evidence: false, oddClocks: true, lengthMax: 40 });
});
