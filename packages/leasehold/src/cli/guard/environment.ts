import type { AcquireAnswer } from '../../domain/answers.ts';

/**
 * What the guarded command finds in its environment. A bypassed start holds nothing, so token and
 * fence of a run around it are taken out: with them it would speak for a lock that isn't its own. The
 * slot is there only where the start has one; what was missed is a JSON list of instants, often empty.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  start: AcquireAnswer,
  storeUrl: string,
): Record<string, string | undefined> {
  const holds = start.outcome === 'acquired' || start.outcome === 'reclaimed';
  return {
    ...env,
    LEASEHOLD_STORE: storeUrl,
    LEASEHOLD_LOCK: start.lock,
    LEASEHOLD_RUN_ID: start.runId,
    LEASEHOLD_SLOT: start.slotAt?.toISOString(),
    LEASEHOLD_MISSED: JSON.stringify(start.missed),
    LEASEHOLD_TOKEN: holds ? start.token : undefined,
    LEASEHOLD_FENCE: holds ? String(start.fence) : undefined,
  };
}
