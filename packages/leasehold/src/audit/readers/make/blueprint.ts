import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import { type JsonObject, objectAt, textAt } from '../json/json-value.ts';
import { makeFindings, makeLine } from './findings.ts';
import { type MakeModule, scenarioIn } from './scenario.ts';
import { makeSchedule } from './scheduling.ts';

/** Make's own bound of one sleep module. */
const SLEEP_SECONDS_MAX = 300;

/** True for a blueprint, bare or in an answer of the API, and for the record of a scenario. */
export function isMakeBlueprint(value: JsonObject): boolean {
  return scenarioIn(value) !== null;
}

/** A scenario as a workflow. What its connections, modules and data are called by their owner is not handed on. */
export function readMakeBlueprint(value: JsonObject, source: string, sink: AuditSink): void {
  const scenario = scenarioIn(value);
  if (scenario === null) return;
  const { id, name, isActive, scheduling, modules, flags } = scenario;
  const shown = redact(name ?? id ?? source);
  const line = makeLine(modules);
  sink.workflow({
    id: id ?? shown,
    name: shown,
    source,
    platform: 'make',
    isActive,
    ...(isActive === false ? { off: 'off' } : {}),
    schedule: makeSchedule(scheduling, flags?.isInstant ?? false),
    bringsRecords: flags?.isInstant === true || /watch|trigger/i.test(modules[0]?.module ?? ''),
    paths: line.paths,
    findings: flags === null ? [] : [...makeFindings(flags, modules), ...line.findings],
    reads: [],
    writes: [],
    waitMs: modules.reduce((sum, module) => sum + sleepMs(module), 0),
    historyLimits: [],
  });
}

function sleepMs({ module, value }: MakeModule): number {
  if (!/^util:FunctionSleep/i.test(module)) return 0;
  const seconds = Number(textAt(objectAt(value, 'mapper') ?? {}, 'duration', 'delay') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds, SLEEP_SECONDS_MAX) * 1_000 : 0;
}
