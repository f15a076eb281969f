import { isLeaseholdError } from '../../errors.ts';
import type { EnqueueAnswer, EnqueueRequest } from '../../ports/record-store.ts';
import { checkObject, checkSignal } from '../arguments.ts';
import type { EngineParts } from '../parts.ts';
import type { EnqueueOptions, EnqueueReport } from './api.ts';
import type { InvalidRecord, Offers } from './claim-api.ts';
import { OfferReader } from './offer-reader.ts';
import { checkOffers } from './offers.ts';

const RECORDS_AT_ONCE = 1_000;
const REFUSED_MAX = 1_000;

/**
 * Fills a pool from a source of any length. Each chunk is one call, asked once more where its answer was lost; a crash or an
 * error leaves the chunks before it stored, and the same call again adds what is missing.
 */
export async function enqueueAll(
  parts: EngineParts,
  pool: string,
  source: Offers,
  options: EnqueueOptions,
): Promise<EnqueueReport> {
  checkObject(options, 'options');
  const signal = options.signal === undefined ? null : checkSignal(options.signal);
  const reader = new OfferReader(checkOffers(source, 'records'), false);
  const refused: InvalidRecord[] = [];
  let [added, known, superseded, refusedCount] = [0, 0, 0, 0];
  try {
    for (let isEnd = false; !isEnd; ) {
      const chunk = await reader.read(RECORDS_AT_ONCE, signal);
      isEnd = chunk.isEnd;
      refusedCount += chunk.invalid.length;
      refused.push(...chunk.invalid.slice(0, REFUSED_MAX - refused.length));
      if (chunk.records.length === 0) continue;
      const answer = await enqueueOnce(parts, { pool, records: chunk.records, namespace: parts.namespace ?? '' });
      added += answer.added;
      known += answer.known;
      superseded += answer.superseded;
    }
  } finally {
    await reader.close();
  }
  return { pool, added, known, superseded, refused, refusedCount };
}

async function enqueueOnce(parts: EngineParts, request: EnqueueRequest): Promise<EnqueueAnswer> {
  try {
    return await parts.store.enqueue(request);
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNREACHABLE') || error.isClosed) throw error;
    const { pool } = request;
    parts.logger.warn(`No answer to an enqueue of pool "${pool}"; it is asked once more.`, { pool, error });
    return await parts.store.enqueue(request);
  }
}
