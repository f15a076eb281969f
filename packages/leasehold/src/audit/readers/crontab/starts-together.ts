import type { CronJob } from '../../rules/cron/cron-job.ts';
import { planStarts } from '../../schedule/planned-starts.ts';

/** A job that comes more often meets everything, which says nothing. */
const SELDOM_MS = 30 * 60_000;
const DAY_MS = 86_400_000;
const JOBS_MAX = 2_000;
const STARTS_MAX = 400;
const MINUTE_MS = 60_000;

export type Together = NonNullable<CronJob['together']>;

/** For each job the fullest minute of a week that it shares with others. */
export function startsTogether(jobs: readonly CronJob[]): ReadonlyMap<string, Together> {
  const fromMs = Date.UTC(2026, 0, 5);
  const window = { fromMs, toMs: fromMs + 8 * DAY_MS, timezone: 'UTC' };
  const minutes = new Map<number, { readonly at: string; readonly ids: string[] }>();
  for (const job of jobs.slice(0, JOBS_MAX)) {
    if (job.minGapMs === null || job.minGapMs < SELDOM_MS || job.inspected.works.length === 0) continue;
    const plan = planStarts(job.schedule, window);
    if (!plan.isPhaseKnown) continue;
    for (const start of plan.between(window.fromMs, window.toMs, STARTS_MAX)) {
      const minute = Math.floor(start / MINUTE_MS);
      const at = new Date(start + plan.zone.offsetAt(start)).toISOString().slice(11, 16);
      const known = minutes.get(minute);
      if (known === undefined) minutes.set(minute, { at, ids: [job.id] });
      else known.ids.push(job.id);
    }
  }
  return fullest([...minutes.values()]);
}

function fullest(minutes: readonly { readonly at: string; readonly ids: readonly string[] }[]): Map<string, Together> {
  const found = new Map<string, Together>();
  for (const { at, ids } of minutes) {
    if (ids.length < 2) continue;
    for (const id of ids) {
      if ((found.get(id)?.lines.length ?? 0) >= ids.length - 1) continue;
      found.set(id, { at, lines: ids.filter((each) => each !== id) });
    }
  }
  return found;
}
