/** Ten thousand workflows, and a history of one of them in ten thousand pieces: each is judged, and the report is short. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audited, compareWorkflows } from '../../src/audit/audited-workflow.ts';
import { Collector } from '../../src/audit/collect/collector.ts';
import { subjectsOf } from '../../src/audit/collect/subjects.ts';
import { contextOf } from '../../src/audit/context.ts';
import type { AuditReport } from '../../src/audit/model/report.ts';
import { terminalReport } from '../../src/audit/report/terminal.ts';
import { AUDIT_RULES } from '../../src/audit/rules/rules.ts';
import { cronSchedule, DAY, everyMs, HOUR, MINUTE, NOW, runsAt, workflow } from './stage.ts';

const MANY = 10_000;

function reportOf(found: Collector): AuditReport {
  const setting = { nowMs: NOW, window: { fromMs: NOW, toMs: NOW + 40 * DAY, timezone: 'Europe/Berlin' }, given: null };
  const workflows = subjectsOf(found).map((subject) => {
    const context = contextOf(subject, found.table, setting);
    return audited(
      context,
      AUDIT_RULES.flatMap((rule) => rule(context)),
    );
  });
  return { workflows: workflows.toSorted(compareWorkflows), unread: found.unreadList() };
}

test('ten thousand workflows with definitions and runs are each judged, and shown in a few lines', () => {
  const found = new Collector(NOW);
  const schedule = cronSchedule('0 * * * *');
  for (let at = 0; at < MANY; at += 1) {
    found.workflow(workflow({ id: `w${at}`, name: `Job ${at}`, schedule }));
    const tookMs = at < 100 ? 70 * MINUTE : MINUTE;
    for (const run of runsAt(everyMs(HOUR, 3), tookMs, { workflow: `w${at}` })) found.run(run, `exports/${at}.json`);
  }
  const report = reportOf(found);
  assert.equal(report.workflows.length, MANY);
  assert.equal(report.workflows.filter(({ history }) => history.overlaps === 2).length, 100);
  const text = terminalReport(report);
  assert.match(text, /^10,000 workflows, 30,000 runs: 200 critical in 100 of them\./);
  assert.ok(text.split('\n').length < 400);
});

test('a history in ten thousand files is one history, and its sources are counted', () => {
  const found = new Collector(NOW);
  for (const [at, run] of runsAt(everyMs(HOUR, MANY), MINUTE).entries()) {
    found.run(
      { ...run, startedAtMs: (run.startedAtMs ?? 0) - 400 * DAY, endedAtMs: (run.endedAtMs ?? 0) - 400 * DAY },
      `pages/${at}.json`,
    );
  }
  const { workflows } = reportOf(found);
  assert.deepEqual(
    workflows.map(({ source, history }) => [source, history.runs]),
    [['pages/0.json, pages/1.json, pages/2.json and 9,997 more', MANY]],
  );
});
