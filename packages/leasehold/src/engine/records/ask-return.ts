import type { ReturnAnswer } from '../../domain/records/record.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { ReturnRequest } from '../../ports/record-store.ts';
import type { CallOptions } from '../../ports/store.ts';
import type { EngineParts } from '../parts.ts';

/** What went back. `isAskedAgain`: an ask before it may have given back what this answer no longer names. */
export interface AskedReturn {
  readonly answer: ReturnAnswer;
  readonly isAskedAgain: boolean;
}

/**
 * Gives records back, and asks once more where no answer came: others would wait for the end of the lease. Safe to repeat:
 * what went back is no longer the token's, and stays as it is.
 *
 * Throws STORE_UNREACHABLE if that failed twice: the lease then ends by itself.
 */
export async function askReturn(
  { store, logger }: EngineParts,
  request: ReturnRequest,
  call: CallOptions = {},
): Promise<AskedReturn> {
  try {
    return { answer: await store.returnUnworked(request, call), isAskedAgain: false };
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE') || error.isClosed) throw error;
    const { pool } = request;
    logger.warn(`No answer to what was given back to pool "${pool}"; it is asked once more.`, { pool, error });
    return { answer: await store.returnUnworked(request, call), isAskedAgain: true };
  }
}
