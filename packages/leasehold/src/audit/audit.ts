import { isOutOfReach } from './readers/files/said.ts';
import { exactDuration } from '../domain/duration.ts';
import { audited, compareWorkflows } from './audited-workflow.ts';
import { Collector, type Unread } from './collect/collector.ts';
import { subjectsOf } from './collect/subjects.ts';
import { contextOf } from './context.ts';
import { AHEAD_MS_MAX } from './history/exclusion.ts';
import type { WorkflowPicture } from './model/picture.ts';
import type { AuditReport } from './model/report.ts';
import type { FoundSchedule } from './model/schedule.ts';
import { pictureOf } from './picture.ts';
import { completeWorkflows } from './readers/n8n-workflow/complete.ts';
import { openSource, readSource, type Source } from './readers/open-source.ts';
import type { ReadOptions } from './readers/reading.ts';
import { redact } from './redact.ts';
import { ofMixture } from './rules/history/mixed-installations.ts';
import { AUDIT_RULES, SHARED_RULES } from './rules/rules.ts';

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

export interface AuditResult {
  readonly report: AuditReport;
  /**
   * Of each source that was named and could not be reached, or not wholly, so that nobody knows what it has: why. A file that is there and is
   * none of ours, or damaged, was looked at.
   */
  readonly lost: readonly Unread[];
  /** True where no run and no workflow was read, and no history that is empty either. */
  readonly isNothing: boolean;
  /** What can be drawn of each workflow, in the report's order; null of those without runs. */
  readonly pictures: () => readonly (WorkflowPicture | null)[];
}

/** Never throws for what it reads: that is told in `unread`. Throws LeaseholdError where an address or a key is wrong. */
export async function audit({ sources, reading, window, everyMs }: AuditRequest): Promise<AuditResult> {
  const { nowMs, timezone } = reading;
  const found = new Collector(nowMs + AHEAD_MS_MAX);
  const opened = [...new Set(sources)].map((source) => openSource(source, reading));
  const lost: Unread[] = [];
  for (const source of opened) {
    const before = found.tally();
    const { isMapUsed } = await readSource(source, found, reading);
    const missing = found.lostSince(before);
    const part = found.lostParts.splice(0)[0] ?? null;
    const isLost = missing !== null && (source.live !== null || isOutOfReach(missing.reason));
    if (part !== null) lost.push(part);
    else if (isLost) lost.push(missing);
    else if (reading.map !== null && !isMapUsed) reading.warn(mapOfNoUse(source));
  }
  for (const [at, workflow] of completeWorkflows(found.workflows).entries()) found.workflows[at] = workflow;
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
  const judged = contexts.map((context, at) => ({
    context,
    workflow: audited(context, [
      ...(context.subject.definition?.findings ?? []),
      ...ofMixture(
        context,
        AUDIT_RULES.flatMap((rule) => rule(context)),
      ),
      ...(shared.get(at) ?? []).map(({ finding }) => finding),
    ]),
  }));
  const ordered = judged.toSorted((one, other) => compareWorkflows(one.workflow, other.workflow));
  return {
    report: { workflows: ordered.map(({ workflow }) => workflow), unread: found.unreadList() },
    lost,
    isNothing: found.tally().found === 0,
    pictures: () => ordered.map(({ context }) => pictureOf(context)),
  };
}

function mapOfNoUse({ argument, live }: Source): string {
  return `--map says nothing of ${live?.name ?? redact(argument)}: what was read there is no table`;
}

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
