import type { PoolFacts } from '../../domain/doctor-records.ts';
import { PAGE_SIZE_MAX } from '../../domain/limits.ts';
import type { PoolStatus } from '../../domain/records/record.ts';
import type { Leasehold } from '../../engine/api.ts';

/** The pools as a doctor sees them. Reads only. */
export async function readPools(leasehold: Leasehold): Promise<readonly PoolFacts[]> {
  const pools: PoolFacts[] = [];
  for (const status of await leasehold.pools({ limit: PAGE_SIZE_MAX })) {
    pools.push({ status, pausedAt: status.paused ? await pausedAt(leasehold, status) : null });
  }
  return pools;
}

async function pausedAt(leasehold: Leasehold, { pool }: PoolStatus): Promise<Date | null> {
  const changes = await leasehold.events({ pool, kind: 'settings.changed', limit: PAGE_SIZE_MAX });
  return changes.find(({ message }) => message.includes('paused from no to yes'))?.at ?? null;
}
