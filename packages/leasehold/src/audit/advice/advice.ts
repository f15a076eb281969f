import { type AdviceSample, adviseSample } from '../../domain/advise.ts';
import { formatDuration } from '../../domain/duration.ts';
import { LEASE_MS_MAX } from '../../domain/limits.ts';
import type { Subject } from '../collect/subjects.ts';
import { isWaiting, type History } from '../history/history.ts';
import type { AuditedAdvice } from '../model/report.ts';
import { quoted } from '../quoted.ts';

/**
 * How long a lease should be, by the rule of `domain/advise`. Where steps of a platform would renew it, it is renewed by
 * touch; a command is renewed by heartbeat.
 *
 * It has to span waits: those that the history shows are in its durations; one that only the definition shows, or that
 * is going on, is added. Without history Make's own limit stands in the place of gaps: it ends a run after 40 minutes, and
 * two gaps of a daily scenario would keep the next day's run out after one that failed.
 *
 * A claim lasts as long as the run that works it, so its lease is the run's. How many records that is nobody can tell
 * from a history, which counts runs: the batch stays open (null).
 */
export function adviceOf(
  { definition }: Subject,
  history: History,
  { sample, gapMs }: { readonly sample: AdviceSample | null; readonly gapMs: number | null },
): AuditedAdvice {
  const renewal = definition?.platform === 'cron' ? 'heartbeat' : 'touch';
  const isByLimit = sample === null && definition?.platform === 'make';
  const usualMs = isByLimit ? MAKE_LIMIT_MS + MARGIN_MS : adviseSample(sample, { renewal, gapMs }).leaseMs;
  const waitMs = definition?.waitMs ?? 0;
  const candidates = [
    usualMs,
    // Make's limit counts what a scenario sleeps as well.
    waitMs > (sample?.slowestMs ?? 0) && !isByLimit ? (usualMs ?? 0) + waitMs : null,
    1.5 * longestWait(history),
  ];
  const longest = Math.max(...candidates.map((ms) => ms ?? 0));
  if (longest === 0) return { leaseMs: null, claimMs: null, batchSize: null };
  const advisedMs = Math.min(LEASE_MS_MAX, Math.ceil(longest / 1_000) * 1_000);
  const unknown = sample === null ? (definition?.unknownWaits ?? []) : [];
  const lengths = { leaseMs: advisedMs, claimMs: advisedMs, batchSize: null };
  return unknown.length === 0 ? lengths : { ...lengths, unknownWaits: unknown };
}

const MAKE_LIMIT_MS = 40 * 60_000;
const MARGIN_MS = 5 * 60_000;

/** How long a run that waits now has been at it; 0 where none does. What no lease could span is left out: it is stuck. */
function longestWait({ openRows, table, untilMs }: History): number {
  if (untilMs === null) return 0;
  return openRows.reduce((longest, row) => {
    const waitedMs = untilMs - (table.startMs[row] ?? untilMs);
    return isWaiting(table, row) && waitedMs <= LEASE_MS_MAX ? Math.max(longest, waitedMs) : longest;
  }, 0);
}

/**
 * A lease as `--lease` takes it: one number and one unit, from ten minutes on whole minutes, over a day whole hours;
 * never less than what was advised.
 */
export function asOption(leaseMs: number): string {
  if (leaseMs > DAY_MS) {
    const hours = Math.ceil(leaseMs / HOUR_MS);
    return hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
  }
  if (leaseMs >= SECONDS_MS_MAX) return `${Math.ceil(leaseMs / 60_000)}m`;
  return leaseMs % 60_000 === 0 ? `${leaseMs / 60_000}m` : `${Math.ceil(leaseMs / 1_000)}s`;
}

/** The same for people: over a day they count in days. */
export function leaseWords(leaseMs: number): string {
  return leaseMs > DAY_MS ? formatDuration(Math.ceil(leaseMs / HOUR_MS) * HOUR_MS) : asOption(leaseMs);
}

/** What is to be added to a lease, for people: empty where it spans all that is known. */
export function besides({ unknownWaits = [] }: AuditedAdvice): string {
  return unknownWaits.length === 0 ? '' : ` and as long as ${quoted(unknownWaits, NAMED_MAX)} may wait`;
}

const NAMED_MAX = 3;
const SECONDS_MS_MAX = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
