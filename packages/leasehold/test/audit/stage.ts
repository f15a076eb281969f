/** Runs for tests of the auditor, and what they come to. */
import { contextOf } from '../../src/audit/context.ts';
import { Collector } from '../../src/audit/collect/collector.ts';
import { type Subject, subjectsOf } from '../../src/audit/collect/subjects.ts';
import { type History, historyOf } from '../../src/audit/history/history.ts';
import type { HistoryRun } from '../../src/audit/model/run.ts';
import type { FoundSchedule } from '../../src/audit/model/schedule.ts';
import type { OffTime } from '../../src/audit/model/sink.ts';
import type { FoundWorkflow } from '../../src/audit/model/workflow.ts';

import type { RuleContext } from '../../src/audit/rules/rule.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
/** A Monday. */
export const START: number = Date.UTC(2026, 0, 5);
export const NOW: number = Date.UTC(2026, 6, 1);

const PLAIN: HistoryRun = {
  workflow: 'sync',
  workflowName: null,
  runId: '1',
  startedAtMs: START,
  endedAtMs: START + MINUTE,
  state: 'ended',
  result: 'success',
  cause: 'trigger',
  retryOf: null,
  versionId: null,
  slotAtMs: null,
  isClockSuspect: false,
};

/** A run that ended well, started by a schedule, but for what is given. */
export const run = (given: Partial<HistoryRun> = {}): HistoryRun => ({ ...PLAIN, ...given });

/** Runs at these instants after START, each so long, numbered from 1. */
export function runsAt(startsMs: readonly number[], tookMs: number, given: Partial<HistoryRun> = {}): HistoryRun[] {
  return startsMs.map((ms, at) =>
    run({ runId: String(at + 1), startedAtMs: START + ms, endedAtMs: START + ms + tookMs, ...given }),
  );
}

/** A definition of an n8n workflow without anything, but for what is given. */
export function workflow(given: Partial<FoundWorkflow> = {}): FoundWorkflow {
  return {
    id: 'sync',
    name: 'sync',
    source: 'exports/sync.json',
    platform: 'n8n',
    isActive: true,
    schedule: null,
    paths: [],
    findings: [],
    reads: [],
    writes: [],
    waitMs: 0,
    historyLimits: [],
    ...given,
  };
}

export function collect(runs: readonly HistoryRun[], workflows: readonly FoundWorkflow[] = []): Collector {
  const found = new Collector(NOW);
  for (const each of runs) found.run(each, 'exports/runs.ndjson');
  for (const each of workflows) found.workflow(each);
  return found;
}

/** The one workflow that these runs are of. */
export function only(found: Collector): { readonly subject: Subject; readonly history: History } {
  const subjects = subjectsOf(found);
  const [subject] = subjects;
  if (subject === undefined || subjects.length > 1) throw new Error(`${subjects.length} workflows, not one`);
  return { subject, history: historyOf(subject, found.table, NOW) };
}

/** Everything that is known of the one workflow of these runs and definitions, as rules get it. */
export function known(
  runs: readonly HistoryRun[],
  { definition, everyMs, nowMs = NOW, timezone = null, source = 'exports/runs.ndjson', offTimes = [] }: Known = {},
): RuleContext {
  const found = new Collector(nowMs);
  for (const each of runs) found.run(each, source);
  if (definition !== undefined) found.workflow(definition);
  for (const time of offTimes) found.switchedOff(source, 'sync', time);
  const [subject] = subjectsOf(found);
  if (subject === undefined) throw new Error('no workflow');
  return contextOf(subject, found.table, {
    nowMs,
    window: { fromMs: START, toMs: START + 400 * DAY, timezone },
    given: everyMs === undefined ? null : intervalSchedule(everyMs, 'given'),
  });
}

export interface Known {
  readonly definition?: FoundWorkflow;
  readonly everyMs?: number;
  readonly nowMs?: number;
  readonly timezone?: string | null;
  readonly source?: string;
  readonly offTimes?: readonly OffTime[];
}

/** A cron schedule of this host. */
export function cronSchedule(expression: string, given: Partial<FoundSchedule> = {}): FoundSchedule {
  const rule = { expression, plan: { kind: 'cron', expression } as const, fault: null, place: { line: 1 } };
  return { host: 'cron', kind: 'cron', rules: [rule], timezone: 'UTC', assumes: [], ...given };
}

export function intervalSchedule(everyMs: number, host: FoundSchedule['host']): FoundSchedule {
  const plan = { kind: 'interval', everyMs } as const;
  const rule = { expression: `every ${everyMs} ms`, plan, fault: null, place: { line: 1 } };
  return { host, kind: 'interval', rules: [rule], timezone: null, assumes: [] };
}

/** 0, 1, 2 … times a distance. */
export const everyMs = (distanceMs: number, count: number, fromMs = 0): number[] =>
  Array.from({ length: count }, (_, at) => fromMs + at * distanceMs);
