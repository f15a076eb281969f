/** A workflow that says active and never fires, told by the runs of others of the same system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Collector } from '../../../src/audit/collect/collector.ts';
import { subjectsOf } from '../../../src/audit/collect/subjects.ts';
import { contextOf } from '../../../src/audit/context.ts';
import type { Finding } from '../../../src/audit/model/finding.ts';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import type { OffTime } from '../../../src/audit/model/sink.ts';
import type { FoundWorkflow } from '../../../src/audit/model/workflow.ts';
import { neverStarted } from '../../../src/audit/rules/history/never-started.ts';
import { cronSchedule, DAY, everyMs, HOUR, MINUTE, runsAt, START, workflow } from '../stage.ts';

const SIX_HOURLY = cronSchedule('0 */6 * * *', { host: 'n8n', kind: 'schedule' });
const HOURLY = cronSchedule('0 * * * *', { host: 'n8n', kind: 'schedule' });
const LIVE = 'n8n:https://n8n.test';
/** Six days of another workflow. */
const OTHERS = runsAt(everyMs(HOUR, 144), MINUTE, { workflow: 'other' });

interface Given {
  readonly silent?: Partial<FoundWorkflow>;
  readonly other?: Partial<FoundWorkflow>;
  readonly runs?: readonly HistoryRun[];
  readonly runsIn?: string;
  readonly offTimes?: readonly OffTime[];
  readonly nowMs?: number;
}

function found({ silent = {}, other = {}, runs = OTHERS, runsIn = LIVE, offTimes = [], nowMs }: Given = {}): Finding[] {
  const until = nowMs ?? START + 6 * DAY;
  const collector = new Collector(until);
  const source = { source: LIVE };
  collector.workflow(workflow({ id: 'other', name: 'other', schedule: HOURLY, ...source, ...other }));
  collector.workflow(workflow({ id: 'silent', name: 'silent', schedule: SIX_HOURLY, ...source, ...silent }));
  for (const run of runs) collector.run(run, runsIn);
  for (const time of offTimes) collector.switchedOff(LIVE, 'silent', time);
  const window = { fromMs: until, toMs: until + 400 * DAY, timezone: 'UTC' };
  const contexts = subjectsOf(collector).map((subject) =>
    contextOf(subject, collector.table, { nowMs: until, window, given: null }),
  );
  return neverStarted(contexts).map(({ at, finding }) => {
    assert.equal(contexts[at]?.subject.id, 'silent');
    return finding;
  });
}

test('an active schedule without one run is told where the history has runs of others over more than two gaps (C58)', () => {
  const [finding, ...more] = found();
  assert.deepEqual(more, []);
  assert.equal(finding?.severity, 'warning');
  assert.deepEqual(finding.evidence, [
    {
      firstSlotAt: '2026-01-05T06:00:00Z',
      lastSlotAt: '2026-01-10T18:00:00Z',
      slots: 23,
      lastStartAt: null,
      otherWorkflows: 1,
      otherRuns: 144,
    },
  ]);
});

test('two gaps of the schedule have to lie in the time that is told of', () => {
  assert.equal(
    found({ nowMs: START + 15 * HOUR, runs: runsAt(everyMs(HOUR, 15), MINUTE, { workflow: 'other' }) }).length,
    1,
  );
  assert.equal(
    found({ nowMs: START + 12 * HOUR, runs: runsAt(everyMs(HOUR, 12), MINUTE, { workflow: 'other' }) }).length,
    0,
  );
  assert.equal(found({ silent: { schedule: cronSchedule('0 6 1 * *', { host: 'n8n' }) } }).length, 0);
});

test('of files it is told where definition or runs lie together, and that an export may have left it out', () => {
  const files = { silent: { source: 'exports/silent.json' }, other: { source: 'exports/other.json' } };
  for (const runsIn of ['exports/runs.ndjson', 'elsewhere/runs.ndjson']) {
    const [finding] = found({ ...files, runsIn });
    assert.match(finding?.message ?? '', /An export of the others alone would look the same\.$/, runsIn);
  }
  assert.equal(found({ ...files, other: { source: 'else/other.json' }, runsIn: 'else/runs.ndjson' }).length, 0);
});

test('one that is off, is asked by hand only, polls, has run, or has nobody beside it is not told', () => {
  assert.equal(found({ silent: { isActive: false } }).length, 0);
  assert.equal(found({ silent: { isActive: null } }).length, 0);
  assert.equal(found({ silent: { isActive: true, off: 'archived' } }).length, 0);
  assert.equal(found({ silent: { schedule: null } }).length, 0);
  assert.equal(found({ silent: { schedule: { ...SIX_HOURLY, kind: 'poll' } } }).length, 0);
  assert.equal(found({ runs: [...OTHERS, ...runsAt([HOUR], MINUTE, { workflow: 'silent' })] }).length, 0);
  assert.equal(found({ runs: [] }).length, 0);
  assert.equal(found({ runs: OTHERS.map((run) => ({ ...run, workflow: 'unknown' })) }).length, 0);
});

test('a run by hand is no start of the schedule', () => {
  const byHand = runsAt([HOUR], MINUTE, { workflow: 'silent', cause: 'manual' });
  assert.equal(found({ runs: [...OTHERS, ...byHand] }).length, 1);
});

test('what it was before it was changed, or while it was off, nobody knows', () => {
  assert.equal(found({ silent: { changedAtMs: START + 5 * DAY + 15 * HOUR } }).length, 0);
  assert.match(
    found({ silent: { changedAtMs: START + 5 * DAY } })[0]?.message ?? '',
    /: 4 slots from 2026-01-10T00:00:00Z/,
  );
  assert.equal(found({ offTimes: [{ fromMs: START, untilMs: null }] }).length, 0);
  assert.equal(found({ offTimes: [{ fromMs: START, untilMs: START + 5 * DAY + 15 * HOUR }] }).length, 0);
});

test('where runs are not kept it is a note, and nothing where no success of anybody is', () => {
  const [finding] = found({ silent: { historyLimits: ['n8n deletes them.'] } });
  assert.equal(finding?.severity, 'info');
  assert.equal(found({ runs: OTHERS.map((run) => ({ ...run, result: 'failure' as const })) }).length, 0);
});

test('a run that somebody keeps on purpose does not make the history longer than it is', () => {
  const kept = runsAt([-400 * DAY], MINUTE, { workflow: 'other', runId: 'kept' });
  const monthly = { schedule: cronSchedule('0 6 1 * *', { host: 'n8n' }) };
  assert.equal(found({ silent: monthly, runs: [...kept, ...OTHERS] }).length, 0);
});

test('a schedule that counts from a start that nobody knows has as many slots as fit in', () => {
  const plan = { kind: 'filtered-cron', expression: '0 * * * *', every: 5, unit: 'hour' } as const;
  const rule = { expression: 'every 5 hours', plan, fault: null, place: { node: 'Clock' } };
  const [finding] = found({ silent: { schedule: { ...SIX_HOURLY, rules: [rule] } } });
  assert.match(finding?.message ?? '', /: \d+ slots from /);
});
