import { adviceOf } from './advice/advice.ts';
import { replay } from './advice/replay.ts';
import { sampleOf } from './advice/sample.ts';
import type { RunTable } from './collect/run-table.ts';
import type { Subject } from './collect/subjects.ts';
import { historyOf } from './history/history.ts';
import { slotsOf } from './history/history-slots.ts';
import type { AuditedSchedule } from './model/report.ts';
import type { FoundSchedule } from './model/schedule.ts';
import { redact } from './redact.ts';
import type { RuleContext } from './rules/rule.ts';
import { type PlannedStarts, type PlanWindow, planStarts } from './schedule/planned-starts.ts';

/** What is the same for all workflows of one audit. */
export interface AuditSetting {
  readonly nowMs: number;
  readonly window: PlanWindow;
  /** When those are started of which nothing tells it; null where nobody said. */
  readonly given: FoundSchedule | null;
}

/** All that is known of one workflow. */
export function contextOf(subject: Subject, table: RunTable, { nowMs, window, given }: AuditSetting): RuleContext {
  const history = historyOf(subject, table, nowMs);
  const schedule = subject.definition?.schedule ?? (history.plannedMs.length > 0 ? given : null);
  const planned = schedule === null ? null : planStarts(schedule, window);
  const isOwn = (subject.definition?.schedule ?? null) !== null;
  const slots = slotsOf(history, planned, isOwn ? (subject.definition?.changedAtMs ?? null) : null);
  const gapMs = planned?.minGapMs ?? slots?.gapMs ?? null;
  const sample = sampleOf(history);
  const advice = adviceOf(subject, history, { sample, gapMs });
  const replayed = advice.leaseMs === null || history.figures.used === 0 ? null : replay(history.used, advice.leaseMs);
  return { subject, history, planned, slots, gapMs, sample, advice, replayed, nowMs, timezone: window.timezone };
}

/** A schedule as the report has it; null where there is none. */
export function auditedSchedule(planned: PlannedStarts | null): AuditedSchedule | null {
  if (planned === null) return null;
  const { schedule, minGapMs, maxGapMs, assumes } = planned;
  return {
    kind: schedule.kind,
    expressions: schedule.rules.map(({ expression }) => redact(expression)),
    timezone: schedule.timezone ?? (planned.isZoneKnown ? planned.zone.name : null),
    minGapMs,
    maxGapMs,
    assumes: assumes.map(redact),
  };
}
