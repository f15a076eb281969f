import { Collector } from './collect/collector.ts';
import { type Subject, subjectsOf } from './collect/subjects.ts';
import { historyOf } from './history/history.ts';
import type { Finding, Severity } from './model/finding.ts';
import type { AuditedWorkflow, AuditReport } from './model/report.ts';
import { readSource } from './readers/open-source.ts';
import type { ReadOptions } from './readers/reading.ts';
import type { RuleContext } from './rules/rule.ts';
import { AUDIT_RULES, SHARED_RULES } from './rules/rules.ts';
import { redact } from './redact.ts';

/**
 * The audit: what was named is read, one after the other, into columns; then each workflow is judged. Nothing is
 * written, and no clock is read: now is given.
 */
export interface AuditRequest {
  /** Paths, folders, `-`, addresses of live sources. */
  readonly sources: readonly string[];
  readonly reading: ReadOptions;
}

export async function audit({ sources, reading }: AuditRequest): Promise<AuditReport> {
  const { nowMs, timezone } = reading;
  const found = new Collector(nowMs + 5 * 60_000);
  for (const source of sources) await readSource(source, found, reading);
  const contexts = subjectsOf(found).map(
    (subject): RuleContext => ({
      subject,
      history: historyOf(subject, found.table, nowMs),
      schedule: null,
      advice: { leaseMs: null, claimMs: null, batchSize: null },
      nowMs,
      timezone,
    }),
  );
  const shared = Map.groupBy(
    SHARED_RULES.flatMap((rule) => rule(contexts)),
    ({ at }) => at,
  );
  const workflows = contexts.map((context, at) =>
    audited(context, [
      ...(context.subject.definition?.findings ?? []),
      ...AUDIT_RULES.flatMap((rule) => rule(context)),
      ...(shared.get(at) ?? []).map(({ finding }) => finding),
    ]),
  );
  return { workflows: worstFirst(workflows), unread: found.unreadList() };
}

function audited({ subject, history, schedule, advice }: RuleContext, findings: readonly Finding[]): AuditedWorkflow {
  return {
    id: redact(subject.id),
    name: redact(subject.name),
    source: sourceOf(subject),
    history: history.figures,
    schedule,
    paths: subject.definition?.paths ?? [],
    findings: findings.toSorted((one, other) => RANK[one.severity] - RANK[other.severity]),
    advice,
  };
}

export const RANK: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };
const SOURCES_MAX = 3;

function sourceOf({ sources }: Subject): string {
  const more = sources.length - SOURCES_MAX;
  const named = sources.slice(0, SOURCES_MAX).map(redact).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

/** By the worst finding, then by name. */
function worstFirst(workflows: readonly AuditedWorkflow[]): readonly AuditedWorkflow[] {
  const rank = ({ findings: [worst] }: AuditedWorkflow): number => (worst === undefined ? 3 : RANK[worst.severity]);
  return workflows.toSorted(
    (one, other) => rank(one) - rank(other) || compare(one.name, other.name) || compare(one.id, other.id),
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
