/** What the auditor says of a workflow that says active and never fires, word for word. */
import { describe } from 'node:test';
import { Collector } from '../../src/audit/collect/collector.ts';
import { subjectsOf } from '../../src/audit/collect/subjects.ts';
import { contextOf } from '../../src/audit/context.ts';
import type { Finding } from '../../src/audit/model/finding.ts';
import type { FoundWorkflow } from '../../src/audit/model/workflow.ts';
import { neverStarted } from '../../src/audit/rules/history/never-started.ts';
import { cronSchedule, DAY, everyMs, HOUR, MINUTE, runsAt, START, workflow } from '../audit/stage.ts';
import { assertSaid, type Said } from './said.ts';

function found(source: string, more: Partial<FoundWorkflow> = {}): Finding | undefined {
  const nowMs = START + 6 * DAY;
  const collector = new Collector(nowMs);
  const schedule = cronSchedule('0 */6 * * *', { host: 'n8n', kind: 'schedule' });
  for (const id of ['other', 'silent']) collector.workflow(workflow({ id, name: id, schedule, source, ...more }));
  for (const run of runsAt(everyMs(6 * HOUR, 24), MINUTE, { workflow: 'other' })) collector.run(run, source);
  const window = { fromMs: nowMs, toMs: nowMs + DAY, timezone: 'UTC' };
  const contexts = subjectsOf(collector).map((subject) =>
    contextOf(subject, collector.table, { nowMs, window, given: null }),
  );
  return neverStarted(contexts)[0]?.finding;
}

const LIVE = 'n8n:https://n8n.test';
const MESSAGE =
  'Switched on, and not one start in a history in which 1 other workflow ran 24 times: 24 slots from 2026-01-05T00:00:00Z to 2026-01-10T18:00:00Z had none.';

const SAID: readonly Said[] = [
  [() => found(LIVE)?.message, MESSAGE],
  [
    () => found(LIVE, { historyLimits: ['n8n deletes them.'] })?.message,
    `${MESSAGE} Its runs are not all kept, so it may have run.`,
  ],
  [
    () => found('exports/all.json')?.message?.replace(/slots? .*? had/, 'slots had'),
    'Switched on, and not one start in a history in which 1 other workflow ran 24 times: 24 slots had none. An export of the others alone would look the same.',
  ],
  [
    () => found(LIVE)?.advice,
    'Switch it off and on again, so that its trigger is registered anew, and see whether it starts at the next slot; a platform may say that a workflow is active while nothing triggers it.',
  ],
];

describe('what the auditor says of a workflow that never fires', () => assertSaid(SAID));
