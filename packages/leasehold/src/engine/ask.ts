import type { AcquireAnswer } from '../domain/answers.ts';
import { type ClockReading, storeTimeoutMs } from '../domain/timing.ts';
import { isLeaseholdError } from '../errors.ts';
import type { AcquireRequest } from '../ports/store.ts';
import type { EngineParts } from './parts.ts';

/** An answer, and the moment before its request was sent: trust counts from there. */
export interface Asked {
  readonly answer: AcquireAnswer;
  readonly anchor: ClockReading;
}

/**
 * Asks for the lock. An answer may be lost after the store has granted it; asking once more with the
 * same run id and holder gets the same token, where giving up would leave a lease that nobody knows
 * of and that keeps every other run out until it ends. Two asks of one store time-out each, never more.
 *
 * Throws STORE_UNREACHABLE if the second ask failed too: nothing may start.
 */
export async function askStore(parts: EngineParts, request: AcquireRequest): Promise<Asked> {
  try {
    return await askOnce(parts, request);
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
    const { lock, runId } = request;
    parts.logger.warn(`No answer to the start of lock "${lock}"; it is asked once more.`, { lock, runId, error });
    return await askOnce(parts, request);
  }
}

async function askOnce(parts: EngineParts, request: AcquireRequest): Promise<Asked> {
  const anchor = parts.clock.read();
  const answer = await parts.store.acquire(request, { timeoutMs: storeTimeoutMs(request.leaseMs) });
  return { answer, anchor };
}
