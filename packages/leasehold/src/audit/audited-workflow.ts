import type { Subject } from './collect/subjects.ts';
import { auditedSchedule } from './context.ts';
import type { Evidence, Finding, Severity } from './model/finding.ts';
import type { AuditedWorkflow } from './model/report.ts';
import { redact } from './redact.ts';
import type { RuleContext } from './rules/rule.ts';
import { asOf, stateOf } from './switched-off.ts';
import { grouped } from './words.ts';

/** A workflow as the report has it: its findings worst first, and no secret in any text. */
export function audited(
  { subject, history, planned, advice }: RuleContext,
  findings: readonly Finding[],
): AuditedWorkflow {
  const state = stateOf(subject.definition, findings);
  return {
    id: redact(subject.id),
    name: redact(subject.name),
    source: sourceOf(subject),
    state,
    history: history.figures,
    schedule: auditedSchedule(planned),
    paths: subject.definition?.paths ?? [],
    findings: findings
      .map((finding) => withoutSecrets(asOf(state, finding)))
      .toSorted((one, other) => RANK[one.severity] - RANK[other.severity]),
    advice,
  };
}

/** Whoever found it has taken secrets out of what it quotes; a report goes to people who may not see the input. */
function withoutSecrets(finding: Finding): Finding {
  return {
    ...finding,
    message: redact(finding.message),
    advice: redact(finding.advice),
    evidence: finding.evidence.map((each) => (isSafe(each) ? each : cleaned(each))),
  };
}

/** Nearly all are: nothing is made anew for them. */
function isSafe(evidence: Evidence): boolean {
  return Object.values(evidence).every((value) =>
    Array.isArray(value) ? value.every(isSafeText) : typeof value !== 'string' || isSafeText(value),
  );
}

const isSafeText = (text: string): boolean => redact(text) === text;

const cleaned = (evidence: Evidence): Evidence =>
  Object.fromEntries(Object.entries(evidence).map(([key, value]) => [key, safe(value)]));

function safe(value: Evidence[string]): Evidence[string] {
  if (typeof value === 'string') return redact(value);
  return Array.isArray(value) ? value.map((each: string) => redact(each)) : value;
}

const RANK: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };
const SOURCES_MAX = 3;

function sourceOf({ sources }: Subject): string {
  const more = sources.length - SOURCES_MAX;
  const named = sources.slice(0, SOURCES_MAX).map(redact).join(', ');
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
