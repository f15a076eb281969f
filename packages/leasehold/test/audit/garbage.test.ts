/** Whatever readers hand over, the audit ends, within a bounded time, with a report that the schema takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { audited } from '../../src/audit/audited-workflow.ts';
import { Collector } from '../../src/audit/collect/collector.ts';
import { subjectsOf } from '../../src/audit/collect/subjects.ts';
import { contextOf } from '../../src/audit/context.ts';
import type { HistoryRun } from '../../src/audit/model/run.ts';
import { pictureOf } from '../../src/audit/picture.ts';
import { terminalReport } from '../../src/audit/report/terminal.ts';
import { AUDIT_RULES } from '../../src/audit/rules/rules.ts';
import { assertValidReport } from './report/valid-report.ts';
import { cronSchedule, DAY, intervalSchedule, MINUTE, NOW, START, workflow } from './stage.ts';

const instant = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: START, max: START + 3 * DAY }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, -1, NOW, NOW + DAY, 8.64e15, 8.64e15 + 1, -8.64e15) },
  { weight: 1, arbitrary: fc.double({ noNaN: false }) },
);
const text = fc.oneof(fc.constantFrom('sync', 'a', 'line 7', ''), fc.string({ unit: 'binary', maxLength: 12 }));
const runs: fc.Arbitrary<HistoryRun> = fc.record({
  workflow: text,
  workflowName: fc.option(text),
  runId: fc.oneof(text, fc.nat(60).map(String)),
  startedAtMs: instant,
  endedAtMs: instant,
  state: fc.constantFrom('ended', 'ended', 'ended', 'running', 'waiting', 'queued'),
  result: fc.constantFrom('success', 'failure', 'crashed', 'cancelled', 'unknown'),
  cause: fc.constantFrom('trigger', 'trigger', 'webhook', 'manual', 'retry', 'sub-workflow', 'unknown'),
  retryOf: fc.option(text, { freq: 10 }),
  versionId: fc.option(text),
  slotAtMs: fc.option(instant),
  isClockSuspect: fc.boolean(),
});
const schedules = [
  null,
  cronSchedule('*/5 * * * *'),
  cronSchedule('nonsense'),
  intervalSchedule(MINUTE, 'make'),
  intervalSchedule(0, 'n8n'),
];
const definitions = fc.record({
  id: text,
  name: text,
  isActive: fc.constantFrom(true, false, null),
  schedule: fc.constantFrom(...schedules),
  waitMs: fc.constantFrom(0, DAY, Number.MAX_VALUE),
  platform: fc.constantFrom('n8n', 'make', 'zapier', 'cron'),
});

test('any runs and any definitions come to a report', () => {
  fc.assert(
    fc.property(
      fc.array(runs, { maxLength: 80 }),
      fc.array(definitions, { maxLength: 4 }),
      fc.constantFrom(null, 'Europe/Berlin', 'Nowhere/None'),
      (history, workflows, timezone) => {
        const found = new Collector(NOW);
        for (const [at, each] of history.entries()) found.run(each, at % 2 === 0 ? 'a.ndjson' : 'b.ndjson');
        for (const each of workflows) found.workflow(workflow(each));
        const setting = { nowMs: NOW, window: { fromMs: NOW, toMs: NOW + 40 * DAY, timezone }, given: null };
        const contexts = subjectsOf(found).map((subject) => contextOf(subject, found.table, setting));
        const report = {
          workflows: contexts.map((context) =>
            audited(
              context,
              AUDIT_RULES.flatMap((rule) => rule(context)),
            ),
          ),
          unread: found.unreadList(),
        };
        assertValidReport(report);
        terminalReport(report);
        for (const context of contexts) {
          pictureOf(context);
          const { runs: all, used, excluded } = context.history.figures;
          assert.equal(all, used + excluded.length);
        }
      },
    ),
    { numRuns: 400 },
  );
});
