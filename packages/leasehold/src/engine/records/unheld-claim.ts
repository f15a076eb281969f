import type { ExtendAnswer, ReturnAnswer } from '../../domain/records/record.ts';
import { checkRecordId } from '../../domain/records/record-key.ts';
import type { ClaimHandle } from './claim-api.ts';

/**
 * The handle of a claim that owns nothing. It answers by itself, so that callers may treat every claim alike; the store is
 * never asked.
 */
export class UnheldClaim implements ClaimHandle {
  readonly #pool: string;
  readonly #claimId: string;
  readonly #signal: AbortSignal = new AbortController().signal;

  constructor(pool: string, claimId: string) {
    this.#pool = pool;
    this.#claimId = claimId;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  trustRemainingMs(): number {
    return 0;
  }

  async extend(): Promise<ExtendAnswer> {
    const message = `Not extended: this claim holds nothing of pool "${this.#pool}".`;
    const { pool, claimId } = { pool: this.#pool, claimId: this.#claimId };
    return { outcome: 'lost', pool, claimId, leaseUntil: null, remainingMs: null, reason: 'unknown_token', message };
  }

  async returnUnworked(ids: readonly (string | number)[] = []): Promise<ReturnAnswer> {
    for (const id of ids) checkRecordId(id);
    const message = `Nothing to return: this claim holds nothing of pool "${this.#pool}".`;
    return { outcome: 'returned', pool: this.#pool, claimId: this.#claimId, returned: [], kept: [], message };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
