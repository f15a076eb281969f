import { formatDuration } from './duration.ts';
import { LEASE_MS_MAX, LEASE_MS_MIN } from './limits.ts';

/**
 * How long a lease should be, from what runs took (design §5): the largest of
 * - twice the 95th percentile of the slowest day, because the next slow morning may be slower,
 * - one and a half times the slowest run,
 * - two gaps of the schedule plus a minute, where renewal is by touch and the 95th percentile exceeds a
 *   tenth of the gap.
 * With no history: two gaps plus a minute.
 *
 * Pure: the sample is given. Days are those of UTC.
 */

/** A run that ended with success, or with failure: it took its time either way. */
export interface FinishedRun {
  readonly runId: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** How the lock is renewed and scheduled. */
export interface AdviceBasis {
  /** `touch` renews only at steps, so a lease has to span them; `heartbeat` renews by itself. */
  readonly renewal: 'heartbeat' | 'touch';
  /** The smallest gap between two planned starts, in ms; null where no schedule is given. */
  readonly gapMs: number | null;
}

/** What the advice stands on. Durations in ms. */
export interface AdviceSample {
  readonly runs: number;
  readonly days: number;
  /** The median. */
  readonly usualMs: number;
  readonly p95Ms: number;
  readonly slowDay: string;
  readonly slowDayP95Ms: number;
  readonly slowestMs: number;
  readonly slowestRunId: string;
}

/** A lease for one lock, the rule that gave it and the sample that it stands on. */
export interface Advice {
  /** Null where there is neither history nor a schedule. Whole seconds, inside the limits of a lease. */
  readonly leaseMs: number | null;
  /** Which of the rules gave it. */
  readonly rule: 'slow_day' | 'slowest_run' | 'two_gaps' | 'nothing_known';
  /** Null with no history. */
  readonly sample: AdviceSample | null;
  /** One sentence each: what of the lease in use, if one was given, will hurt. */
  readonly warnings: readonly string[];
}

/** A lease that blocks for longer than this after a crash is worth a warning. */
const BLOCKS_FOR_HOURS_MS = 2 * 3_600_000;

/** `leaseInUseMs` is the lease that is used now, null where unknown: it is held against the sample. */
export function advise(runs: readonly FinishedRun[], basis: AdviceBasis, leaseInUseMs: number | null = null): Advice {
  return adviseSample(sampleOf(runs), basis, leaseInUseMs);
}

/** The same from a sample that was taken elsewhere; null where there is no history. */
export function adviseSample(
  sample: AdviceSample | null,
  basis: AdviceBasis,
  leaseInUseMs: number | null = null,
): Advice {
  const { leaseMs, rule } = largestRule(sample, basis);
  const warnings = leaseInUseMs === null ? [] : warningsOf(leaseInUseMs, sample);
  return { leaseMs: leaseMs === null ? null : toLease(leaseMs), rule, sample, warnings };
}

function largestRule(
  sample: AdviceSample | null,
  { renewal, gapMs }: AdviceBasis,
): { leaseMs: number | null; rule: Advice['rule'] } {
  const twoGaps = gapMs === null ? null : 2 * gapMs + 60_000;
  if (sample === null) {
    return twoGaps === null ? { leaseMs: null, rule: 'nothing_known' } : { leaseMs: twoGaps, rule: 'two_gaps' };
  }
  const candidates: { leaseMs: number; rule: Advice['rule'] }[] = [
    { leaseMs: 2 * sample.slowDayP95Ms, rule: 'slow_day' },
    { leaseMs: 1.5 * sample.slowestMs, rule: 'slowest_run' },
  ];
  if (twoGaps !== null && gapMs !== null && renewal === 'touch' && sample.p95Ms > gapMs / 10) {
    candidates.push({ leaseMs: twoGaps, rule: 'two_gaps' });
  }
  return candidates.reduce((largest, each) => (each.leaseMs > largest.leaseMs ? each : largest));
}

function sampleOf(runs: readonly FinishedRun[]): AdviceSample | null {
  const [first, ...rest] = runs;
  if (first === undefined) return null;
  const days = Map.groupBy(runs, (run) => run.startedAt.toISOString().slice(0, 10));
  const byDay = [...days].map(([day, own]) => ({ day, p95Ms: percentile(own.map(tookMs), 0.95) }));
  const slowDay = byDay.reduce((slowest, each) => (each.p95Ms > slowest.p95Ms ? each : slowest));
  const slowest = rest.reduce((longest, run) => (tookMs(run) > tookMs(longest) ? run : longest), first);
  return {
    runs: runs.length,
    days: days.size,
    usualMs: percentile(runs.map(tookMs), 0.5),
    p95Ms: percentile(runs.map(tookMs), 0.95),
    slowDay: slowDay.day,
    slowDayP95Ms: slowDay.p95Ms,
    slowestMs: tookMs(slowest),
    slowestRunId: slowest.runId,
  };
}

function tookMs({ startedAt, endedAt }: FinishedRun): number {
  return Math.max(0, endedAt.getTime() - startedAt.getTime());
}

/** The nearest rank: the smallest value that at least that share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function toLease(ms: number): number {
  return Math.min(LEASE_MS_MAX, Math.max(LEASE_MS_MIN, Math.ceil(ms / 1_000) * 1_000));
}

function warningsOf(leaseMs: number, sample: AdviceSample | null): string[] {
  const warnings: string[] = [];
  if (sample !== null && leaseMs < sample.slowestMs) {
    warnings.push(belowSlowest(leaseMs, sample));
  } else if (sample !== null && leaseMs * 0.8 < sample.slowestMs) {
    warnings.push(
      `The slowest known run (${formatDuration(sample.slowestMs)}) took over 80 % of a lease of ${formatDuration(leaseMs)}.`,
    );
  } else if (sample !== null && leaseMs * 0.5 < sample.slowestMs) {
    warnings.push(
      `The slowest known run (${formatDuration(sample.slowestMs)}) took over 50 % of a lease of ${formatDuration(leaseMs)}.`,
    );
  }
  if (leaseMs > BLOCKS_FOR_HOURS_MS && (sample === null || leaseMs > 3 * sample.slowestMs)) {
    warnings.push(`A lease of ${formatDuration(leaseMs)} blocks every start for so long after a crash.`);
  }
  return warnings;
}

function belowSlowest(leaseMs: number, { slowestMs, slowestRunId }: AdviceSample): string {
  return `A lease of ${formatDuration(leaseMs)} is below the slowest known run (${formatDuration(slowestMs)}, run ${slowestRunId}): unless it is renewed, the next start takes a healthy run's lock.`;
}

/** What a start that nobody renews is to be warned of: its lease is below the slowest of these runs; null where it isn't. */
export function leaseWarning(leaseMs: number, runs: readonly FinishedRun[]): string | null {
  const sample = sampleOf(runs);
  return sample === null || leaseMs >= sample.slowestMs ? null : belowSlowest(leaseMs, sample);
}

/** One sentence for people. */
export function adviceMessage(lock: string, { leaseMs, rule, sample }: Advice): string {
  if (leaseMs === null) {
    return `Nothing is known of lock "${lock}" yet: let it run for some days, or name its schedule.`;
  }
  const lease = `Advised lease for lock "${lock}": ${formatDuration(leaseMs)}`;
  if (sample === null) return `${lease}, two gaps of its schedule plus a minute; there is no history yet.`;
  const known =
    `${counted(sample.runs, 'run')} on ${counted(sample.days, 'day')} took ${formatDuration(sample.usualMs)} usually and ` +
    `${formatDuration(sample.slowestMs)} at most`;
  return `${lease}, ${REASONS[rule](sample)}; ${known}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const REASONS: Readonly<Record<Advice['rule'], (sample: AdviceSample) => string>> = {
  slow_day: (sample) =>
    `twice the 95th percentile of its slowest day (${sample.slowDay}, ${formatDuration(sample.slowDayP95Ms)})`,
  slowest_run: (sample) => `one and a half times its slowest run (${sample.slowestRunId})`,
  two_gaps: () => 'two gaps of its schedule plus a minute, since it is renewed by touch only',
  nothing_known: () => 'nothing is known',
};
