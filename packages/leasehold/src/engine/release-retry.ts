import type { ReleaseAnswer } from '../domain/answers.ts';
import { formatDuration } from '../domain/duration.ts';
import { type ClockReading, elapsedMs } from '../domain/timing.ts';
import { isLeaseholdError, LeaseholdError } from '../errors.ts';
import type { ReleaseRequest } from '../ports/store.ts';
import type { EngineParts } from './parts.ts';

/** Nobody waits longer than this for a release to get through. */
const BUDGET_MS_MAX = 60_000;
/** Tried for as long as this even where the lease is over sooner: a database takes 5 to 6 s to fail over. */
const BUDGET_MS_MIN = 10_000;
const FIRST_PAUSE_MS = 100;
const PAUSE_MS_MAX = 2_000;

/** Until when a release is tried again: as long as the lease lasts, but 10 s at least and 60 s at most. */
export interface ReleaseBudget {
  readonly from: ClockReading;
  readonly lengthMs: number;
}

export function releaseBudget(from: ClockReading, trustRemainingMs: number): ReleaseBudget {
  return { from, lengthMs: Math.min(BUDGET_MS_MAX, Math.max(BUDGET_MS_MIN, trustRemainingMs)) };
}

/**
 * Releases, and tries again while the store can't be reached: what a run says of itself counts for
 * its slot even after its lease, and an unreleased lock keeps the next run out until the lease ends.
 * One last try is made when the budget is spent. Safe to repeat: the store knows its own token.
 *
 * Throws STORE_UNREACHABLE after the last try (the lease then ends by itself), and at once where this process has
 * closed the store itself; any other error at once.
 */
export async function releaseWithRetry(
  parts: EngineParts,
  request: ReleaseRequest,
  timeoutMs: number,
  budget: ReleaseBudget,
): Promise<ReleaseAnswer> {
  const { store, clock, ids, logger } = parts;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)) {
    try {
      return await store.release(request, { timeoutMs });
    } catch (error) {
      if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
      if (error.isClosed) throw notReleasedError(request.lock, 'because its store was closed before', error);
      const leftMs = budget.lengthMs - elapsedMs(budget.from, clock.read());
      if (leftMs <= 0) throw notReleasedError(request.lock, `within ${formatDuration(budget.lengthMs)}`, error);
      logger.debug(`Lock "${request.lock}" could not be released; it is tried again.`, { lock: request.lock, error });
      const jitteredMs = (pauseMs * (1 + ids.random())) / 2;
      await clock.sleep(Math.ceil(Math.min(jitteredMs, leftMs)));
    }
  }
}

function notReleasedError(lock: string, why: string, cause: LeaseholdError): LeaseholdError {
  return new LeaseholdError(
    'STORE_UNREACHABLE',
    `Lock "${lock}" could not be released ${why}; its lease ends by itself. ${cause.message}`,
    { cause },
  );
}
