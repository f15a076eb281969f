import { formatDuration } from '../../domain/duration.ts';
import type { PoolAdvice } from '../../domain/records/advise-pool.ts';

/** What `advise --pool` says, in one sentence. */
export function poolAdviceText({ pool, leaseMs, limit, sample }: PoolAdvice): string {
  if (leaseMs === null) {
    return `No advice for pool "${pool}": none of its records has a verdict yet; look again when some have.`;
  }
  const { records, slowestMs, p95Ms } = sample;
  const of = records === 1 ? '1 record' : `${records} records`;
  const stands = `from claim to verdict the slowest of ${of} took ${formatDuration(slowestMs ?? 0)}, and 95 % took ${formatDuration(p95Ms ?? 0)} at most`;
  const fits = limit === null ? '' : `; ${limit} ${limit === 1 ? 'record fits' : 'records fit'} into it`;
  return `A claim of pool "${pool}" should last ${formatDuration(leaseMs)}, twice its slowest record: ${stands}${fits}.`;
}
