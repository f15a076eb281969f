import type { Leasehold } from '../../engine/api.ts';
import type { SweepReport } from '../../engine/records/api.ts';

/** Settling of expired claims as a duty beside other work: only what needs no provider's answer. */

/** What a sweep came to, in one sentence. */
export function sweepText({ pool, requeued, review, cancelled, toAsk, isComplete }: SweepReport): string {
  const settled = requeued + review + cancelled;
  const what =
    settled === 0
      ? `Nothing to settle in pool "${pool}"`
      : `Settled pool "${pool}": ${requeued} queued again, ${review} in review, ${cancelled} cancelled`;
  const waiting =
    toAsk === 0
      ? ''
      : `; ${toAsk} ${toAsk === 1 ? 'waits' : 'wait'} for the provider's answer, which a sweep with its verifier asks for`;
  return `${what}${waiting}${isComplete ? '.' : '; there is more: sweep again.'}`;
}

/** Each pool for at most `timeoutMs`. Answers those where something was settled. Throws what the store throws. */
export async function settlePools(
  leasehold: Leasehold,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SweepReport[]> {
  const settled: SweepReport[] = [];
  for (const { pool } of await leasehold.pools({ limit: POOLS_MAX })) {
    if (signal.aborted) break;
    const report = await leasehold.pool(pool).sweep({ timeoutMs, signal });
    if (report.requeued + report.review + report.cancelled > 0) settled.push(report);
  }
  return settled;
}

const POOLS_MAX = 1_000;
