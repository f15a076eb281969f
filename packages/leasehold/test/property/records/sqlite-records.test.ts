/** Random interleavings of calls about records on the embedded store: see property.ts for seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteSubjects } from '../sqlite-subjects.ts';
import { checkRecordSequences } from './record-property.ts';

const RUNS = 300;

/** What of the calls, refusals and events a few hundred sequences always come to. */
const SEEN = Object.entries({
  begin: 'accepted not_claimed not_owner lease_over unknown_record',
  verdict: 'accepted evidence not_owner other_verdict unknown_record',
  claim: 'claimed claim_ended paused',
  next: 'claimed claim_ended paused',
  refused: 'claimed done failed review cancelled earlier_version not_before over_limit paused',
  'record.requeued': 'expired failed looked_up person returned',
  'record.review': 'attempts evidence expired looked_up said unanswered',
  extend: 'extended expired settled unknown_token',
  lookup: 'applied overtaken',
}).flatMap(([call, answers]) => answers.split(' ').map((answer) => `${call} ${answer}`));

test('any interleaving of claims, begins, verdicts, look-ups and time on SQLite is answered and stored as the model says', async (context) => {
  const seen = await checkRecordSequences(context, sqliteSubjects(), RUNS);
  // A path replays one sequence alone, and a few sequences can't come to everything.
  if (process.env['LEASEHOLD_PROPERTY_PATH'] !== undefined) return;
  if (Number(process.env['LEASEHOLD_PROPERTY_RUNS'] ?? RUNS) < RUNS) return;
  assert.deepEqual(
    SEEN.filter((each) => !seen.has(each)),
    [],
    'what never came up',
  );
});
