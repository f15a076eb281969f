/** What `--json` prints is what the published schema says, no more and no less. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audited } from '../../../src/audit/audited-workflow.ts';
import { RULES } from '../../../src/audit/model/finding.ts';
import type { AuditReport } from '../../../src/audit/model/report.ts';
import { jsonPieces } from '../../../src/audit/report/json.ts';
import { SAMPLES } from '../history-samples.ts';
import { assertValidReport, isValidReport, SCHEMA } from './valid-report.ts';
import { cronSchedule, everyMs, HOUR, known, MINUTE, run, runsAt, workflow } from '../stage.ts';

const printed = (report: AuditReport): unknown => JSON.parse([...jsonPieces(report)].join(''));

/** A workflow with a value in every field. */
function full(): AuditReport {
  const path = { read: 'Read', firstWrite: 'Mark', steps: 3, effectBeforeMark: true };
  const definition = workflow({ schedule: cronSchedule('0 * * * *'), paths: [path] });
  const runs = [...runsAt(everyMs(HOUR, 30), 70 * MINUTE), run({ runId: 'm', cause: 'manual' })];
  const findings = Object.values(SAMPLES).map((sample) => sample());
  return {
    workflows: [audited(known(runs, { definition }), findings)],
    unread: [{ path: 'a.csv:3', reason: 'Not a row.' }],
  };
}

test('a report with a value in every field is as the schema says', () => assertValidReport(printed(full())));

test('a report of nothing, and one of a workflow without runs, are as the schema says', () => {
  assertValidReport(printed({ workflows: [], unread: [] }));
  assertValidReport(printed({ workflows: [audited(known([], { definition: workflow() }), [])], unread: [] }));
});

test('pieces are one JSON object on one line', () => {
  const report = { ...full(), workflows: [...full().workflows, ...full().workflows] };
  const text = [...jsonPieces(report)].join('');
  assert.equal(text, JSON.stringify(report));
  assert.ok(!text.includes('\n'));
});

test('the schema knows every rule', () => {
  assert.deepEqual(SCHEMA.$defs['finding']?.properties['rule']?.enum, [...RULES]);
});

test('a field that is missing or that nobody knows is refused', () => {
  const { unread: _, ...without } = full();
  assert.equal(isValidReport(without), false);
  assert.equal(isValidReport({ ...full(), more: 1 }), false);
});
