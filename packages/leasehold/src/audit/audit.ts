import { exactDuration } from '../domain/duration.ts';
import { Collector } from './collect/collector.ts';
import { type Subject, subjectsOf } from './collect/subjects.ts';
import { auditedSchedule, contextOf } from './context.ts';
import { AHEAD_MS_MAX } from './history/exclusion.ts';
import type { Evidence, Finding, Severity } from './model/finding.ts';
import type { FoundSchedule } from './model/schedule.ts';
import type { AuditedWorkflow, AuditReport } from './model/report.ts';
import { openSource, readSource } from './readers/open-source.ts';
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
  /** The span in which schedules are looked at. */
  readonly window: { readonly fromMs: number; readonly toMs: number };
  /** From start to start, of histories that tell no schedule, in ms; null where nobody said. */
  readonly everyMs: number | null;
}

export async function audit({ sources, reading, window, everyMs }: AuditRequest): Promise<AuditReport> {
  const { nowMs, timezone } = reading;
  const found = new Collector(nowMs + AHEAD_MS_MAX);
  const opened = sources.map((source) => openSource(source, reading));
  for (const source of opened) await readSource(source, found, reading);
  const setting = {
    nowMs,
    window: { ...window, timezone },
    given: everyMs === null ? null : givenSchedule(everyMs, timezone),
  };
  const contexts = subjectsOf(found).map((subject) => contextOf(subject, found.table, setting));
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

function audited({ subject, history, planned, advice }: RuleContext, findings: readonly Finding[]): AuditedWorkflow {
  return {
    id: redact(subject.id),
    name: redact(subject.name),
    source: sourceOf(subject),
    history: history.figures,
    schedule: auditedSchedule(planned),
    paths: subject.definition?.paths ?? [],
    findings: findings.map(withoutSecrets).toSorted((one, other) => RANK[one.severity] - RANK[other.severity]),
    advice,
  };
}

/** Whoever found it has taken secrets out of what it quotes; a report goes to people who may not see the input. */
function withoutSecrets(finding: Finding): Finding {
  return {
    ...finding,
    message: redact(finding.message),
    evidence: finding.evidence.map((each) =>
      Object.fromEntries(Object.entries(each).map(([key, value]) => [key, safe(value)])),
    ),
  };
}

function safe(value: Evidence[string]): Evidence[string] {
  if (typeof value === 'string') return redact(value);
  return Array.isArray(value) ? value.map((each: string) => redact(each)) : value;
}

const RANK: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };
const SOURCES_MAX = 3;

/** `--every 5m`: nothing is known but the time from start to start. */
function givenSchedule(everyMs: number, timezone: string | null): FoundSchedule {
  const rule = { expression: `every ${exactDuration(everyMs)}`, plan: { kind: 'interval', everyMs } as const };
  return {
    host: 'given',
    kind: 'interval',
    rules: [{ ...rule, fault: null, place: { option: '--every' } }],
    timezone,
    assumes: ['The schedule was given by --every.'],
  };
}

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
