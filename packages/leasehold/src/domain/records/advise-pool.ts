import { LEASE_MS_MAX, LEASE_MS_MIN } from '../limits.ts';
import { formatDuration } from '../duration.ts';
import { CLAIM_LIMIT_MAX } from './pool-settings.ts';

/**
 * How long a claim should last, and how many records it should get (design §6): twice the slowest time from claim to
 * verdict, and as many records as fit into half of such a claim, each taking what the slow ones take: the two go together.
 *
 * Pure: what the records took is given.
 */

/** What the advice stands on, in ms; nulls where no record has its verdict yet. */
export interface WorkedSample {
  readonly records: number;
  /** From claim to verdict. */
  readonly slowestMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** The 95th percentile of what one record of a claim takes. */
  readonly eachP95Ms: number | null;
}

/** Claim length and batch size of one pool, and the sample that they stand on. */
export interface PoolAdvice {
  readonly pool: string;
  /** Null where no record has its verdict yet. Whole seconds, inside the limits of a lease. */
  readonly leaseMs: number | null;
  /** How many records fit into a claim of `leaseMs`; null where none has its verdict yet. */
  readonly limit: number | null;
  readonly sample: WorkedSample;
  /** One sentence each: what of the settings in use will hurt. */
  readonly warnings: readonly string[];
}

/** What a pool is set to now. */
export interface PoolInUse {
  readonly pool: string;
  readonly leaseMs: number;
  readonly limit: number;
}

export function advisePool(sample: WorkedSample, inUse: PoolInUse): PoolAdvice {
  const { slowestMs, eachP95Ms } = sample;
  const leaseMs = slowestMs === null ? null : wholeSeconds(2 * slowestMs);
  const [limit, fitsNow] = [leaseMs, inUse.leaseMs].map((ms) =>
    ms === null || eachP95Ms === null ? null : fitting(ms, eachP95Ms),
  ) as [number | null, number | null];
  return { pool: inUse.pool, leaseMs, limit, sample, warnings: warningsOf(inUse, slowestMs, fitsNow) };
}

function wholeSeconds(ms: number): number {
  return Math.min(LEASE_MS_MAX, Math.max(LEASE_MS_MIN, Math.ceil(ms / 1_000) * 1_000));
}

function fitting(leaseMs: number, eachMs: number): number {
  return Math.min(CLAIM_LIMIT_MAX, Math.max(1, Math.floor(leaseMs / 2 / Math.max(1, eachMs))));
}

function warningsOf({ leaseMs, limit }: PoolInUse, slowestMs: number | null, fits: number | null): string[] {
  const warnings: string[] = [];
  if (slowestMs !== null && leaseMs < slowestMs) {
    warnings.push(
      `A claim lasts ${formatDuration(leaseMs)}, and a record took ${formatDuration(slowestMs)} from claim to verdict: without renewal its records go to others before they are done.`,
    );
  }
  if (fits !== null && limit > fits) {
    warnings.push(
      `A claim gets up to ${limit} records, and ${fits} fit into ${formatDuration(leaseMs)}: the last ones of a claim may not begin in time.`,
    );
  }
  return warnings;
}
