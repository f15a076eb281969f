/** Random interleavings of calls about records on the embedded store, for about 7 s: see property.ts for seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteSubjects } from '../sqlite-subjects.ts';
import { checkRecordSequences } from './record-property.ts';

const RUNS = 250;

/** What of the calls, refusals and events every two hundred sequences come to, many times. */
const SEEN = Object.entries({
  begin: 'accepted not_claimed not_owner lease_over send_before unknown_record',
  verdict: 'accepted evidence not_owner other_verdict settled unknown_record',
  claim: 'claimed claim_ended paused',
  next: 'claimed claim_ended paused',
  refused: 'claimed cancelled earlier_version over_limit paused',
  'record.requeued': 'expired failed looked_up',
  'record.review': 'evidence expired said',
  extend: 'extended expired unknown_token',
  return: 'returned not_holder',
  lookup: 'applied overtaken',
  decide: 'ask done requeue fail',
}).flatMap(([call, answers]) => answers.split(' ').map((answer) => `${call} ${answer}`));

test('any interleaving of claims, begins, verdicts, look-ups and time on SQLite is answered and stored as the model says', async (context) => {
  const seen = await checkRecordSequences(context, sqliteSubjects(), { runs: RUNS });
  // A path replays one sequence alone, and a few sequences can't come to everything.
  if (process.env['LEASEHOLD_PROPERTY_PATH'] !== undefined) return;
  if (Number(process.env['LEASEHOLD_PROPERTY_RUNS'] ?? RUNS) < RUNS) return;
  assert.deepEqual(
    SEEN.filter((each) => !seen.has(each)),
    [],
    'what never came up',
  );
});
