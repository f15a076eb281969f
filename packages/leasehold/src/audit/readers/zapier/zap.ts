import type { Evidence, Finding } from '../../model/finding.ts';
import type { AuditSink } from '../../model/sink.ts';
import type { FoundWait } from '../../model/workflow.ts';
import { redact } from '../../redact.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../json/json-value.ts';
import { type LineStep, doingOf } from '../lines/line-step.ts';
import { lineFound } from '../lines/line-findings.ts';
import type { FoundSchedule } from '../../model/schedule.ts';
import { delayMs, isDelayAfterQueue, scheduleOf, type ZapStep } from './zap-steps.ts';

/** More steps than a Zap may have. */
const STEPS_MAX = 2_000;

/** True for a Zap of an account's export: steps by id, each with the step before it. */
export function isZap(value: JsonObject): boolean {
  const nodes = objectAt(value, 'nodes');
  if (nodes === null) return false;
  const [first] = Object.values(nodes);
  return isObject(first) && 'parent_id' in first && ('selected_api' in first || 'type_of' in first);
}

/** A Zap as a workflow. Code, fields and accounts of its steps are not handed on. */
export function readZap(value: JsonObject, source: string, sink: AuditSink): void {
  const steps = stepsOf(objectAt(value, 'nodes') ?? {});
  const [trigger] = steps;
  const id = textAt(value, 'id') ?? trigger?.id ?? source;
  const isActive = activityOf(value, trigger);
  const schedule = trigger === undefined ? null : scheduleOf(trigger);
  const acting = zapLine(steps);
  const line = lineFound(acting, { step: 'step', claim: CLAIM_FIRST });
  sink.workflow({
    id,
    name: redact(textAt(value, 'title') ?? id),
    source,
    platform: 'zapier',
    isActive,
    ...(isActive === false ? { off: 'off' } : {}),
    schedule,
    bringsRecords: trigger !== undefined && (schedule === null || schedule.kind === 'poll'),
    paths: line.paths,
    findings: [
      ...steps.filter(isDelayAfterQueue).map(spacingIsNoLock),
      ...openToSecondRun(schedule, acting),
      ...line.findings,
    ],
    reads: [],
    writes: [],
    waitMs: steps.reduce((sum, step) => sum + delayMs(step), 0),
    waits: waitsOf(steps),
    historyLimits: [],
  });
}

/** Steps from the trigger on; those of paths one branch after the other. Lone and circular ones come last. */
export function stepsOf(nodes: JsonObject): ZapStep[] {
  const byParent = new Map<string, JsonObject[]>();
  const all = Object.values(nodes).filter(isObject).slice(0, STEPS_MAX);
  for (const node of all) {
    const parent = textAt(node, 'parent_id') ?? '';
    byParent.set(parent, [...(byParent.get(parent) ?? []), node]);
  }
  const ordered = new Set<JsonObject>();
  const follow = (from: JsonObject): void => {
    const waiting = [from];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (ordered.has(node)) continue;
      ordered.add(node);
      waiting.push(...(byParent.get(textAt(node, 'id') ?? '?') ?? []).toReversed());
    }
  };
  for (const root of byParent.get('') ?? []) follow(root);
  for (const node of all) follow(node);
  return [...ordered].map(stepOf);
}

function stepOf(node: JsonObject): ZapStep {
  const app = (textAt(node, 'selected_api') ?? 'unknown').replace(/@.*$/, '');
  const action = textAt(node, 'action') ?? '';
  const meta = objectAt(node, 'meta') ?? {};
  return {
    id: textAt(node, 'id') ?? '',
    app,
    action,
    type: textAt(node, 'type_of') ?? '',
    title: textAt(meta, 'stepTitle') ?? textAt(node, 'title') ?? `${app} ${action}`.trim(),
    params: objectAt(node, 'params') ?? {},
    meta,
    isPaused: typeof node['paused'] === 'boolean' ? node['paused'] : null,
  };
}

/** Our own addresses and functions, called from a step. */
const OURS = /\/v1\/(?:locks|pools)\/|\bleasehold\./i;
const CLAIM_FIRST =
  'Put a step before the first one that changes anything that claims the record with Leasehold (SQL in a PostgreSQL step, with the id of the record: docs/guides/sql.md#zapier), and a filter behind it that goes on only where the answer says that the record is owned.';

/** Steps behind the trigger, up to where ways part: of two paths nobody knows which one is gone. */
function zapLine(steps: readonly ZapStep[]): readonly LineStep[] {
  const parts = steps.findIndex(({ app, type }) => /^(?:paths?|branch)/i.test(app) || type === 'branch');
  return steps.slice(1, parts < 0 ? steps.length : parts).map(({ title, app, action, params }) => {
    const isOurs =
      /leasehold/i.test(app) || Object.values(params).some((value) => typeof value === 'string' && OURS.test(value));
    return { label: title, app, action, does: isOurs ? 'ours' : doingOf(app, action) };
  });
}

/** A schedule starts on time, whatever the run before is at. */
function openToSecondRun(schedule: FoundSchedule | null, steps: readonly LineStep[]): readonly Finding[] {
  const first = steps.find(({ does }) => does === 'effect' || does === 'mark' || does === 'ours');
  if (schedule === null || schedule.kind === 'poll' || first === undefined || first.does === 'ours') return [];
  const hasRecords = steps.some(({ does }) => does === 'read');
  return [
    {
      rule: 'guard.missing',
      severity: hasRecords ? 'warning' : 'info',
      message: `Nothing keeps a second run out: the schedule starts the Zap on time whether or not the run before has ended, and "${redact(first.label)}" is reached without a guard.`,
      evidence: [{ step: redact(first.label), app: first.app, action: first.action }],
      advice: CLAIM_FIRST,
    },
  ];
}

const CHOOSES = /^(?:filter|paths?|branch)/i;

/** Delays up to where paths part; those behind a filter only where something passes it. */
function waitsOf(steps: readonly ZapStep[]): readonly FoundWait[] {
  const parts = steps.findIndex(({ app, type }) => /^(?:paths?|branch)/i.test(app) || type === 'branch');
  const way = parts < 0 ? steps : steps.slice(0, parts);
  const chosen = way.findIndex(({ app, type }) => CHOOSES.test(app) || type === 'filter');
  const delaysIn = (some: readonly ZapStep[]): FoundWait['steps'] =>
    some.filter((step) => delayMs(step) > 0).map((step) => ({ node: redact(step.title), waitMs: delayMs(step) }));
  const [certain, all] = [delaysIn(chosen < 0 ? way : way.slice(0, chosen)), delaysIn(way)];
  return [
    ...(certain.length > 0 ? [{ steps: certain, isCertain: true }] : []),
    ...(all.length > certain.length ? [{ steps: all, isCertain: false }] : []),
  ];
}

/** Exports without a status have it at the trigger. */
function activityOf(value: JsonObject, trigger: ZapStep | undefined): boolean | null {
  const status = textAt(value, 'status', 'state');
  if (status !== null) return /^(?:on|enabled|active|published)$/i.test(status);
  if (typeof value['is_enabled'] === 'boolean') return value['is_enabled'];
  return trigger?.isPaused === null || trigger === undefined ? null : !trigger.isPaused;
}

function spacingIsNoLock(step: ZapStep): Finding {
  const evidence: Evidence = { step: redact(step.title), id: step.id, app: step.app, action: step.action };
  return {
    rule: 'platform.switch-is-no-lock',
    severity: 'warning',
    message:
      '"Delay After Queue" spaces starts and is no lock: the next run leaves the queue after a fixed time, whether or not the one before it has ended, and a replay goes round the queue.',
    evidence: [evidence],
    advice:
      'Put a step behind the delay that claims the record with Leasehold (SQL in a PostgreSQL step, with the id of the record: docs/guides/sql.md#zapier), and a filter that goes on only where the answer says that the record is owned.',
  };
}
