import type { LostAnswer, ReleaseAnswer } from '../domain/answers.ts';
import type { ReleaseOptions, RenewOptions, StartHandle } from './api.ts';
import { checkObject, checkRelease, checkRenew } from './arguments.ts';

/** Stands in for the token where there is none, so that the other arguments are checked all the same. */
const NO_TOKEN = 'none';

/**
 * The handle of a start that holds nothing: skipped, run already, or passing the lock by. It answers
 * by itself, so that callers may treat every start alike; the store is never asked.
 */
export class UnheldStart implements StartHandle {
  readonly #lock: string;
  readonly #runId: string;
  readonly #signal: AbortSignal = new AbortController().signal;

  constructor(lock: string, runId: string) {
    this.#lock = lock;
    this.#runId = runId;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  trustRemainingMs(): number {
    return 0;
  }

  async renew(options: RenewOptions = {}): Promise<LostAnswer> {
    checkObject(options, 'options');
    checkRenew(this.#lock, { ...options, token: NO_TOKEN });
    return {
      outcome: 'lost',
      lock: this.#lock,
      runId: this.#runId,
      reason: 'unknown_token',
      message: `Not renewed: this start holds nothing of lock "${this.#lock}".`,
    };
  }

  async release(options: ReleaseOptions = {}): Promise<ReleaseAnswer> {
    checkRelease(this.#lock, { ...options, token: NO_TOKEN });
    return {
      outcome: 'already_free',
      lock: this.#lock,
      runId: this.#runId,
      message: `Nothing to release: this start holds nothing of lock "${this.#lock}".`,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
