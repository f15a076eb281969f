/** Random interleavings of calls about records on the embedded store: see property.ts for seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteSubjects } from '../sqlite-subjects.ts';
import { checkRecordSequences } from './record-property.ts';

const RUNS = 300;

/** What of the calls, refusals and events a few hundred sequences always come to. */
const SEEN = [
  ...['begin accepted', 'begin not_claimed', 'begin not_owner', 'begin lease_over', 'begin unknown_record'],
  ...['verdict accepted', 'verdict evidence', 'verdict not_owner', 'verdict other_verdict', 'verdict unknown_record'],
  ...['claim claimed', 'claim claim_ended', 'claim paused', 'next claimed', 'next claim_ended', 'next paused'],
  ...['claimed', 'done', 'failed', 'review', 'cancelled', 'earlier_version', 'not_before', 'over_limit', 'paused'].map(
    (why) => `refused ${why}`,
  ),
  ...['expired', 'failed', 'looked_up', 'person', 'returned'].map((reason) => `record.requeued ${reason}`),
  ...['attempts', 'evidence', 'expired', 'looked_up', 'said', 'unanswered'].map((reason) => `record.review ${reason}`),
  ...['extend extended', 'extend expired', 'extend settled', 'extend unknown_token', 'return returned'],
  ...['lookup applied', 'lookup overtaken', 'ask', 'settle', 'verdict.evidence'],
];

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
