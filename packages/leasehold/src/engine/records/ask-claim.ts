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
}

/** What one call offers; null for the next ones of the queue. */
export interface ClaimOffer {
  readonly records: readonly NewRecord[];
  readonly isContinued: boolean;
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
  const call: CallOptions = request.leaseMs === null ? {} : { timeoutMs: storeTimeoutMs(request.leaseMs) };
  const send = (): Promise<ClaimAnswer> =>
    offer === null
      ? store.claimNext(request, call)
      : store.claim(
          { ...request, offers: offer.records, isContinued: offer.isContinued, namespace: parts.namespace ?? '' },
          call,
        );
  let anchor = clock.read();
  try {
    return { answer: await send(), anchor };
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE') || error.isClosed) throw error;
    const { pool, claimId } = request;
    logger.warn(`No answer to a claim of pool "${pool}"; it is asked once more.`, { pool, claimId, error });
    anchor = clock.read();
    return { answer: await send(), anchor };
  }
}
