import { CLAIM_LIMIT_MAX } from '../../domain/records/pool-settings.ts';
import type { ClaimAnswer } from '../../domain/records/record.ts';
import { type ClockReading, storeTimeoutMs } from '../../domain/timing.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { NewRecord } from '../../ports/record-store.ts';
import type { CallOptions } from '../../ports/store.ts';
import type { EngineParts } from '../parts.ts';
import type { CheckedClaim } from './claim-arguments.ts';

/** An answer, and the moment before its request was sent: trust counts from there. */
export interface AskedClaim {
  readonly answer: ClaimAnswer;
  readonly anchor: ClockReading;
  /** True where it was asked once more: the answer may then be that to a repeat. */
  readonly isAskedAgain: boolean;
}

/** What one call offers; null for the next ones of the queue. */
export interface ClaimOffer {
  readonly records: readonly NewRecord[];
  readonly isContinued: boolean;
}

/** What a call to the store may take where nobody says less. */
const PATIENCE_MS = 5_000;
/** Records that a claim may get within the usual time-out; a larger one has 1 s more for each 1,000. */
const USUAL_LIMIT = 2_000;
const MS_PER_RECORD = 1;

/** No more than half of the lease: whoever owns records must have time to work them. */
function timeoutMsOf(leaseMs: number | null, limit: number): number {
  const usualMs = leaseMs === null ? PATIENCE_MS : storeTimeoutMs(leaseMs);
  if (limit <= USUAL_LIMIT) return usualMs;
  return Math.min(usualMs + limit * MS_PER_RECORD, leaseMs === null ? Number.POSITIVE_INFINITY : leaseMs / 2);
}

/**
 * Asks the store for records. An answer may be lost after the store has granted it; asking once more with the same claim id
 * gets the same records, where giving up would leave a claim that nobody knows of until its lease ends.
 *
 * Throws STORE_UNREACHABLE if that failed twice.
 */
export async function askClaim(
  parts: EngineParts,
  { request }: CheckedClaim,
  offer: ClaimOffer | null,
): Promise<AskedClaim> {
  const { store, clock, logger } = parts;
  const { leaseMs, limit } = request;
  const send = (limitMax: number): Promise<ClaimAnswer> => {
    const call: CallOptions = { timeoutMs: timeoutMsOf(leaseMs, limitMax) };
    if (offer === null) return store.claimNext(request, call);
    const { records, isContinued } = offer;
    return store.claim({ ...request, offers: records, isContinued, namespace: parts.namespace ?? '' }, call);
  };
  let anchor = clock.read();
  try {
    return { answer: await send(limit ?? USUAL_LIMIT), anchor, isAskedAgain: false };
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE') || error.isClosed) throw error;
    const { pool, claimId } = request;
    logger.warn(`No answer to a claim of pool "${pool}"; it is asked once more.`, { pool, claimId, error });
    anchor = clock.read();
    // Its pool may be set to the most.
    return { answer: await send(limit ?? CLAIM_LIMIT_MAX), anchor, isAskedAgain: true };
  }
}
