/** Two installations whose workflows have the same ids: their runs are no proof against either. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofMixture } from '../../../src/audit/rules/history/mixed-installations.ts';
import { AUDIT_RULES } from '../../../src/audit/rules/rules.ts';
import { everyMs, HOUR, known, MINUTE, runsAt } from '../stage.ts';

const begins = everyMs(HOUR, 30);
const MIXED = [
  ...runsAt(begins, 40 * MINUTE),
  ...runsAt(
    begins.map((ms) => ms + 20 * MINUTE),
    40 * MINUTE,
  ),
];
const judged = (runs: typeof MIXED): readonly string[] => {
  const context = known(runs);
  const findings = AUDIT_RULES.flatMap((rule) => rule(context));
  return ofMixture(context, findings).map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`);
};

test('where ids of runs stand for two runs each, nothing critical rests on them, and that they do is the first thing told', () => {
  const found = judged(MIXED);
  assert.deepEqual(
    found.filter((each) => !each.startsWith('info ')),
    [
      'warning history.incomplete: 30 runs had an id that another run with another start has too: exports of two installations seem to be mixed; audit them apart.',
    ],
  );
  const { advice } = ofMixture(
    known(MIXED),
    AUDIT_RULES.flatMap((rule) => rule(known(MIXED))),
  ).find(({ rule }) => rule === 'history.incomplete') ?? { advice: '' };
  assert.equal(
    advice,
    'Audit each installation by itself, one call for each: mixed, their runs look like one workflow that starts twice.',
  );
  const overlap = found.find((each) => each.includes('overlap.observed')) ?? '';
  assert.match(overlap, / Runs of two installations are mixed here, so that it may not be so\.$/);
});

test('a few ids that clash change nothing of what is found', () => {
  const apart = MIXED.map((run, at) => ({ ...run, runId: at < 31 ? run.runId : `other ${at}` }));
  assert.ok(judged(apart).some((each) => each.startsWith('critical overlap.observed')));
});
