import { type Advice, advise, type FinishedRun } from '../domain/advise.ts';
import { PAGE_SIZE_MAX } from '../domain/limits.ts';
import type { Run } from '../domain/run.ts';
import type { ScheduleSpec } from '../ports/schedule.ts';
import type { EngineParts } from './parts.ts';

/** The planned starts whose smallest gap counts: a day and a night of an every-minute schedule, years of a daily one. */
const PLANNED_STARTS = 1_500;

export interface AdviseRequest {
  readonly lock: string;
  readonly renewal: 'heartbeat' | 'touch';
  readonly schedule: ScheduleSpec | null;
}

/**
 * Advice from the newest 1,000 starts of a lock that ran and ended. The lease that is held against it is
 * the one of the latest of them.
 */
export async function adviseLock(parts: EngineParts, request: AdviseRequest): Promise<Advice> {
  const runs = await parts.store.runs({ lock: request.lock, runId: null, limit: PAGE_SIZE_MAX });
  const finished = runs.flatMap(finishedRun);
  const inUse = runs.find((run) => run.outcome === 'acquired' || run.outcome === 'reclaimed')?.leaseMs ?? null;
  const gapMs = request.schedule === null ? null : await smallestGapMs(parts, request.schedule);
  return advise(finished, { renewal: request.renewal, gapMs }, inUse);
}

function finishedRun(run: Run): FinishedRun[] {
  const hasEnded = run.endedAt !== null && run.status !== null;
  return hasEnded ? [{ runId: run.runId, startedAt: run.startedAt, endedAt: run.endedAt }] : [];
}

async function smallestGapMs(parts: EngineParts, spec: ScheduleSpec): Promise<number> {
  const schedule = await parts.openSchedule(spec);
  let at = new Date(parts.clock.read().wallMs);
  let smallest = Number.POSITIVE_INFINITY;
  for (let planned = 0; planned < PLANNED_STARTS; planned += 1) {
    const next = schedule.next(at);
    if (planned > 0) smallest = Math.min(smallest, next.getTime() - at.getTime());
    at = next;
  }
  return smallest;
}
