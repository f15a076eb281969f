import type { Subject } from './collect/subjects.ts';
import { auditedSchedule } from './context.ts';
import type { Finding, Severity } from './model/finding.ts';
import type { AuditedWorkflow } from './model/report.ts';
import { redact, redactId } from './redact.ts';
import type { RuleContext } from './rules/rule.ts';
import { asOf, stateOf } from './switched-off.ts';
import { grouped } from './words.ts';

/**
 * A workflow as the report has it: its findings worst first. This is where all that came from the input goes out, so here
 * each text loses its secrets, whoever has looked at it before: a report goes to people who may not see the input.
 */
export function audited(
  { subject, history, planned, advice }: RuleContext,
  findings: readonly Finding[],
): AuditedWorkflow {
  const state = stateOf(subject.definition, findings);
  return withoutSecrets({
    id: subject.id,
    name: subject.name,
    source: sourceOf(subject),
    state,
    history: history.figures,
    schedule: auditedSchedule(planned),
    paths: subject.definition?.paths ?? [],
    findings: findings
      .map((finding) => asOf(state, finding))
      .toSorted((one, other) => RANK[one.severity] - RANK[other.severity]),
    advice,
  });
}

/** Whose values are ids: hexadecimal digits are no secret there. */
const IDS: ReadonlySet<string> = new Set(['id', 'runId', 'earlierRunId', 'runIds', 'versions']);

/** Nearly all is safe: nothing is made anew for that. */
function withoutSecrets<Value>(value: Value, key = ''): Value {
  return safe(value, key) as Value;
}

function safe(value: unknown, key: string): unknown {
  if (typeof value === 'string') return IDS.has(key) ? redactId(value) : redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((each: unknown) => safe(each, key));
    return list.every((each, at) => each === value[at]) ? value : list;
  }
  // Names of fields are ours.
  const entries = Object.entries(value).map(([name, each]) => [name, safe(each, name), each] as const);
  return entries.every(([, each, before]) => each === before) ? value : Object.fromEntries(entries);
}

const RANK: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };
const SOURCES_MAX = 3;

function sourceOf({ sources }: Subject): string {
  const more = sources.length - SOURCES_MAX;
  const named = sources.slice(0, SOURCES_MAX).join(', ');
  return more > 0 ? `${named} and ${grouped(more)} more` : named;
}

/** The order of a report: by the worst finding, then by name. */
export function compareWorkflows(one: AuditedWorkflow, other: AuditedWorkflow): number {
  return rankOf(one) - rankOf(other) || compare(one.name, other.name) || compare(one.id, other.id);
}

function rankOf({ findings: [worst] }: AuditedWorkflow): number {
  return worst === undefined ? RANK.info + 1 : RANK[worst.severity];
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
