/** The report for a terminal: what matters first, the healthy in one line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audited, compareWorkflows } from '../../../src/audit/audited-workflow.ts';
import type { Finding } from '../../../src/audit/model/finding.ts';
import type { AuditedWorkflow } from '../../../src/audit/model/report.ts';
import { terminalReport } from '../../../src/audit/report/terminal.ts';
import { everyMs, HOUR, known, MINUTE, run, runsAt, workflow } from '../stage.ts';

const finding = (given: Partial<Finding> = {}): Finding => ({
  rule: 'overlap.observed',
  severity: 'critical',
  message: 'Some overlap.',
  evidence: [],
  advice: 'Take a lock.',
  ...given,
});
const warning = (message: string): Finding => finding({ rule: 'run.stuck', severity: 'warning', message });
const note = finding({ rule: 'history.incomplete', severity: 'info', message: 'A note.' });

const named = (name: string, findings: readonly Finding[]): AuditedWorkflow => ({
  ...audited(known(runsAt(everyMs(HOUR, 30), 20 * MINUTE)), findings),
  name,
});

test('a workflow is shown with its figures, its findings and what to do', () => {
  const report = { workflows: [named('Send reminders', [finding(), note]), named('Sync', [])], unread: [] };
  assert.equal(
    terminalReport(report),
    `2 workflows, 60 runs: 1 critical in 1 of them.

Send reminders  [exports/runs.ndjson]
  30 runs; 20m usually, 20m at the 95th percentile, 20m at most; lease 121m
  CRITICAL overlap.observed
      Some overlap.
      -> Take a lock.

Without a warning: Sync.

1 note not shown here (1 history.incomplete): --json lists all.`,
  );
});

test('a healthy folder takes no more than a few lines', () => {
  const workflows = Array.from({ length: 40 }, (_, at) => named(`Job ${at}`, []));
  assert.equal(
    terminalReport({ workflows, unread: [] }),
    `40 workflows, 1,200 runs: nothing to change.

Without a warning: Job 0, Job 1, Job 2, Job 3, Job 4, Job 5, Job 6, Job 7, Job 8, Job 9 and 30 more.`,
  );
});

test('nothing found says so, with what could not be read', () => {
  const unread = Array.from({ length: 12 }, (_, at) => ({ path: `a${at}`, reason: 'Not a file.' }));
  const text = terminalReport({ workflows: [], unread });
  assert.match(text, /^No workflow and no run was found\.\n\nNot read:\n {2}a0: Not a file\.\n/);
  assert.match(text, /\n {2}a9: Not a file\.\n {2}and 2 more: --json lists all\.$/);
});

test('of many workflows and many warnings the first are shown, and the rest counted', () => {
  const warnings = Array.from({ length: 11 }, (_, at) => warning(`Warning ${at}.`));
  const workflows = Array.from({ length: 30 }, (_, at) => named(`Job ${at}`, warnings));
  const text = terminalReport({ workflows, unread: [] });
  assert.match(text, /^30 workflows, 900 runs: 330 warnings in all of them\./);
  assert.match(text, /\n\n5 further workflows with warnings: --json lists all\.$/);
  assert.match(text, /\n {2}3 further warnings: --json lists all\.\n/);
});

test('runs that do not count are told apart', () => {
  const runs = [run(), run({ runId: '2', cause: 'manual' })];
  assert.match(
    terminalReport({ workflows: [audited(known(runs), [finding()])], unread: [] }),
    /\n {2}2 runs, 1 of them counted; 1m usually, 1m at the 95th percentile, 1m at most; lease 2m\n/,
  );
});

test('long sentences keep to a hundred columns, and control characters out of the terminal', () => {
  const message = `${'word '.repeat(60)}\u001B[31mred`;
  const text = terminalReport({ workflows: [named('A\nB', [finding({ message })])], unread: [] });
  for (const line of text.split('\n')) assert.ok(line.length <= 100, line);
  assert.ok(!text.includes('\u001B'));
  assert.match(text, /^A B {2}\[/m);
});

test('the worst workflow comes first, then by name', () => {
  const workflows = [
    named('b', [note]),
    named('c', []),
    named('a', [note]),
    named('z', [finding()]),
    named('y', [warning('x')]),
  ];
  assert.deepEqual(
    workflows.toSorted(compareWorkflows).map(({ name }) => name),
    ['z', 'y', 'a', 'b', 'c'],
  );
});

test('the worst finding comes first, and no secret goes through', () => {
  const secret = finding({
    severity: 'info',
    message: 'See postgres://me:hunter2@db/x',
    evidence: [{ key: 'token=abcdefgh' }],
  });
  const context = known([run()], { definition: workflow({ name: 'mail to a.b@example.com' }) });
  const { name, findings } = audited({ ...context }, [secret, finding()]);
  assert.deepEqual(
    findings.map(({ severity }) => severity),
    ['critical', 'info'],
  );
  assert.equal(name, 'mail to ***@***');
  assert.deepEqual([findings[1]?.message, findings[1]?.evidence], ['See postgres://***@db/x', [{ key: 'token=***' }]]);
});

test('what one option would change is shown, each once, and no more than five of them', () => {
  const limits = Array.from({ length: 7 }, (_, at) => ({
    limit: `Column ${at} was taken; else say --map start=COLUMN.`,
  }));
  const told = { ...note, evidence: [{ limit: 'Nothing can be done about this.' }, ...limits, ...limits] };
  const text = terminalReport({ workflows: [named('Sync', [told]), named('Other', [told])], unread: [] });
  assert.match(text, /^Taken for granted:\n {2}Column 0 was taken; else say --map start=COLUMN\.\n {2}Column 1 /m);
  assert.match(text, /^ {2}2 further sentences: --json lists all\.$/m);
  assert.equal(text.split('--map').length - 1, 5);
  assert.doesNotMatch(text, /Nothing can be done/);
});
