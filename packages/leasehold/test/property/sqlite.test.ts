/** Random interleavings of calls and time on the embedded store: see property.ts for seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HAS_EVIDENCE } from './commands.ts';
import { checkSequences } from './property.ts';
import { sqliteSubjects } from './sqlite-subjects.ts';

/** Every answer that one caller at a time can get. */
const ANSWERS = [
  ...['acquired', 'reclaimed', 'bypassed', 'already_ran'].map((outcome) => `start ${outcome}`),
  ...['held', 'paused', 'hold', 'draining', 'cooling', 'run_ended'].map((reason) => `start ${reason}`),
  ...['renewed', 'expired', 'taken_over', 'force_released', 'released', 'unknown_token'].map((each) => `renew ${each}`),
  ...['released', 'expired', 'already_free', 'not_holder'].map((outcome) => `release ${outcome}`),
  ...['draining', 'released', 'already_free'].map((outcome) => `force ${outcome}`),
  'pause paused',
  'pause already_paused',
  'resume resumed',
  'resume not_paused',
  ...(HAS_EVIDENCE ? ['start probe_first'] : []),
];

test('any interleaving of calls and time on SQLite is answered and stored as the model says', async (context) => {
  const options = { runs: 400, oddClocks: false, lengthMax: 40 };
  const seen = await checkSequences(context, sqliteSubjects(), options);
  // A path replays one sequence alone, and a few sequences can't come to everything.
  if (process.env['LEASEHOLD_PROPERTY_PATH'] !== undefined) return;
  if (Number(process.env['LEASEHOLD_PROPERTY_RUNS'] ?? options.runs) < options.runs) return;
  assert.deepEqual([...seen].toSorted(), ANSWERS.toSorted(), 'every answer that a lock can give came up');
});

test('no step of a clock, suspend or restart makes SQLite answer otherwise than the model', async (context) => {
  await checkSequences(context, sqliteSubjects(), { runs: 300, oddClocks: true, lengthMax: 40 });
});
