import type { LostAnswer, ReleaseAnswer, RenewAnswer } from '../domain/answers.ts';
import { checkHolderInfo } from '../domain/holder-info.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import { lostMessage } from '../domain/messages.ts';
import type { TrustWindow } from '../domain/timing.ts';
import type { ReleaseOptions, RenewOptions, StartHandle } from './api.ts';
import { checkObject, checkProgress, checkRelease } from './arguments.ts';
import { KeptLease } from './kept-lease.ts';
import type { EngineParts } from './parts.ts';
import { type ReleaseBudget, releaseBudget, releaseWithRetry } from './release-retry.ts';
import { RepeatableRelease } from './repeatable-release.ts';

/** One acquisition, as its holder keeps it. */
export interface HeldLease {
  readonly lock: string;
  readonly runId: string;
  readonly token: string;
  readonly leaseMs: number;
  readonly window: TrustWindow;
  readonly renewal: 'heartbeat' | 'touch';
  /** Why the heartbeat is not to renew now; null where it is. */
  readonly withholdRenewal: (() => string | null) | null;
}

/**
 * The handle of a start that holds its lock: what `KeptLease` keeps, and the release.
 * Crash: nothing is kept here that the store doesn't know; the lease ends by itself.
 */
export class HeldStart implements StartHandle {
  readonly #parts: EngineParts;
  readonly #lease: HeldLease;
  readonly #kept: KeptLease;
  readonly #release: RepeatableRelease;
  #releaseBudget: ReleaseBudget | null = null;
  #lost: LostAnswer | null = null;
  /** What the store is still to be told of the holder: each renewal says it, until one has got through. */
  #untold: HolderInfo | null = null;

  constructor(parts: EngineParts, lease: HeldLease) {
    const { lock, runId } = lease;
    this.#parts = parts;
    this.#lease = lease;
    this.#kept = new KeptLease(parts, {
      ...lease,
      title: `Lock "${lock}"`,
      danger: 'another run may start after it',
      fields: { lock, runId },
      beat: async () => (await this.#renew(null)).outcome === 'renewed',
    });
    this.#release = new RepeatableRelease((request) => {
      const budget = this.#releaseBudget ?? releaseBudget(parts.clock.read(), 0);
      return releaseWithRetry(parts, request, this.#kept.timeoutMs, budget);
    });
  }

  /** Starts to watch; see `KeptLease.begin`. */
  async begin(): Promise<void> {
    await this.#kept.begin();
  }

  get signal(): AbortSignal {
    return this.#kept.signal;
  }

  trustRemainingMs(): number {
    return this.#kept.remainingMs();
  }

  async renew(options: RenewOptions = {}): Promise<RenewAnswer> {
    checkObject(options, 'options');
    if (options.holderInfo !== undefined) this.#untold = checkHolderInfo(options.holderInfo);
    return await this.#renew(checkProgress(options.progress));
  }

  async release(options: ReleaseOptions = {}): Promise<ReleaseAnswer> {
    checkObject(options, 'options');
    const { lock, token } = this.#lease;
    const request = { ...checkRelease(lock, { ...options, token }), lost: this.#kept.lossWords };
    this.#releaseBudget ??= releaseBudget(this.#parts.clock.read(), this.#kept.remainingMs());
    this.#kept.end();
    await this.#kept.settleRenewals();
    return await this.#release.ask(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.release();
    } catch (error) {
      const { lock, runId } = this.#lease;
      this.#parts.logger.warn(`Lock "${lock}" was not released; its lease ends by itself.`, { lock, runId, error });
    }
  }

  async #renew(progress: string | null): Promise<RenewAnswer> {
    if (!this.#kept.isOpen) return this.#lost ?? this.#givenBackAnswer();
    const { lock, token, leaseMs } = this.#lease;
    const holderInfo = this.#untold;
    const request = { lock, token, leaseMs, progress, holderInfo };
    return await this.#kept.renew(
      () => this.#parts.store.renew(request, { timeoutMs: this.#kept.timeoutMs }),
      (answer) => {
        if (holderInfo !== null && this.#untold === holderInfo) this.#untold = null;
        if (answer.outcome === 'lost' && this.#kept.isOpen) this.#lost = answer;
        return answer;
      },
    );
  }

  #givenBackAnswer(): LostAnswer {
    const { lock, runId } = this.#lease;
    return { outcome: 'lost', lock, runId, reason: 'released', message: lostMessage(lock, 'released', null, 0) };
  }
}
