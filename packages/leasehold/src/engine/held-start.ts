import type { LostAnswer, ReleaseAnswer, RenewAnswer } from '../domain/answers.ts';
import { checkHolderInfo } from '../domain/holder-info.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import { lostMessage } from '../domain/messages.ts';
import { heartbeatEveryMs, storeTimeoutMs, type TrustWindow, trustWindow } from '../domain/timing.ts';
import type { Timer } from '../ports/clock.ts';
import type { ReleaseOptions, RenewOptions, StartHandle } from './api.ts';
import { checkObject, checkProgress, checkRelease } from './arguments.ts';
import { Heartbeat } from './heartbeat.ts';
import type { EngineParts } from './parts.ts';
import { type ReleaseBudget, releaseBudget, releaseWithRetry } from './release-retry.ts';
import { RepeatableRelease } from './repeatable-release.ts';
import { Trust } from './trust.ts';

/** How long a release waits for a renewal that is under way; more only a store that is away needs. */
const SETTLE_MS_MAX = 1_000;

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
 * The handle of a start that holds its lock.
 *
 * It looks at the clock at least every second (`#look`), and at each look fires the signal if trust
 * is running out and sends a renewal if one is due. Its timers don't keep the process alive: a handle
 * that was forgotten must not keep a finished script running, and work that is still pending keeps
 * itself alive.
 * Crash: nothing is kept here that the store doesn't know; the lease ends by itself.
 */
export class HeldStart implements StartHandle {
  readonly #parts: EngineParts;
  readonly #lease: HeldLease;
  readonly #timeoutMs: number;
  readonly #trust: Trust;
  readonly #heartbeat: Heartbeat | null;
  readonly #release: RepeatableRelease;
  #releaseBudget: ReleaseBudget | null = null;
  #lost: LostAnswer | null = null;
  /** What the store is still to be told of the holder: each renewal says it, until one has got through. */
  #untold: HolderInfo | null = null;
  #timer: Timer | null = null;
  /** Renewals may overlap: only an answer to a later question than the one believed so far counts. */
  #asked = 0;
  #believed = 0;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: EngineParts, lease: HeldLease) {
    const { lock, runId, leaseMs, window } = lease;
    this.#parts = parts;
    this.#lease = lease;
    this.#timeoutMs = storeTimeoutMs(leaseMs);
    this.#trust = new Trust(lock, leaseMs, window);
    this.#heartbeat = lease.renewal === 'touch' ? null : this.#newHeartbeat(runId);
    this.#release = new RepeatableRelease((request) => {
      const budget = this.#releaseBudget ?? releaseBudget(parts.clock.read(), 0);
      return releaseWithRetry(parts, request, this.#timeoutMs, budget);
    });
  }

  /**
   * Starts to watch. A start that was asked for again long after it began may have too little left to
   * work in; with a heartbeat it is renewed before it is handed out.
   */
  async begin(): Promise<void> {
    const isShort = this.trustRemainingMs() <= this.#trust.marginMs;
    if (isShort && this.#heartbeat !== null) await this.#heartbeat.beat();
    this.#look();
  }

  get signal(): AbortSignal {
    return this.#trust.signal;
  }

  trustRemainingMs(): number {
    return this.#trust.remainingMs(this.#parts.clock.read());
  }

  async renew(options: RenewOptions = {}): Promise<RenewAnswer> {
    checkObject(options, 'options');
    if (options.holderInfo !== undefined) this.#untold = checkHolderInfo(options.holderInfo);
    return await this.#renew(checkProgress(options.progress));
  }

  async release(options: ReleaseOptions = {}): Promise<ReleaseAnswer> {
    checkObject(options, 'options');
    const { lock, token } = this.#lease;
    const request = { ...checkRelease(lock, { ...options, token }), lost: this.#trust.lossWords };
    const now = this.#parts.clock.read();
    this.#releaseBudget ??= releaseBudget(now, this.#trust.remainingMs(now));
    this.#trust.end();
    this.#timer?.cancel();
    await this.#settleRenewals();
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

  #newHeartbeat(runId: string): Heartbeat {
    const { lock, leaseMs, window } = this.#lease;
    const usedMs = leaseMs - window.lengthMs;
    const renew = (): Promise<RenewAnswer> => this.#renew(null);
    const isLost = (): boolean => this.signal.aborted;
    const parts = { ...this.#parts, lock, runId, leaseMs, renew, isLost };
    return new Heartbeat(parts, window.anchor, heartbeatEveryMs(leaseMs) - usedMs);
  }

  async #renew(progress: string | null): Promise<RenewAnswer> {
    if (!this.#trust.isOpen) return this.#lost ?? this.#givenBackAnswer();
    const { store, clock } = this.#parts;
    const { lock, token, leaseMs } = this.#lease;
    this.#asked += 1;
    const turn = this.#asked;
    const anchor = clock.read();
    const holderInfo = this.#untold;
    const call = store.renew({ lock, token, leaseMs, progress, holderInfo }, { timeoutMs: this.#timeoutMs });
    this.#underWay.add(call);
    const answer = await call.finally(() => this.#underWay.delete(call));
    if (holderInfo !== null && this.#untold === holderInfo) this.#untold = null;
    if (answer.outcome === 'lost') this.#lose(answer);
    else if (turn > this.#believed) {
      this.#believed = turn;
      this.#trust.renew(trustWindow(anchor, leaseMs, answer.remainingMs));
    }
    this.#look();
    return answer;
  }

  /** A renewal that arrived after the release would be refused, and recorded as a lease that was lost. */
  async #settleRenewals(): Promise<void> {
    if (this.#underWay.size === 0) return;
    const { clock } = this.#parts;
    const settled = new AbortController();
    const patience = clock.sleep(Math.min(this.#timeoutMs, SETTLE_MS_MAX), settled.signal).catch(() => {});
    await Promise.race([Promise.allSettled(this.#underWay), patience]);
    settled.abort();
  }

  /** An answer that comes after the release began says only what the release did. */
  #lose(answer: LostAnswer): void {
    if (!this.#trust.isOpen) return;
    const { lock, runId } = this.#lease;
    this.#lost = answer;
    this.#parts.logger.error(answer.message, { lock, runId, reason: answer.reason });
    this.#trust.lose(answer);
  }

  /** True where nothing is to be renewed now; the reason stands in the warning that follows. */
  #isWithheld(): boolean {
    const { lock, runId, withholdRenewal } = this.#lease;
    let reason: string | null = null;
    try {
      reason = withholdRenewal?.() ?? null;
    } catch (error) {
      this.#parts.logger.error(`withholdRenewal of lock "${lock}" failed; the lease is renewed.`, {
        lock,
        runId,
        error,
      });
    }
    this.#trust.withhold(reason);
    return this.#trust.isWithheld;
  }

  #noteWarning(): void {
    const { lock, runId } = this.#lease;
    const reason: unknown = this.signal.reason;
    this.#parts.logger.error(reason instanceof Error ? reason.message : String(reason), { lock, runId });
  }

  #givenBackAnswer(): LostAnswer {
    const { lock, runId } = this.#lease;
    return { outcome: 'lost', lock, runId, reason: 'released', message: lostMessage(lock, 'released', null, 0) };
  }

  #look(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const now = this.#parts.clock.read();
    const wasWarned = this.signal.aborted;
    let nextMs = this.#trust.look(now);
    if (!wasWarned && this.signal.aborted) this.#noteWarning();
    if (nextMs === null) return;
    if (this.#heartbeat !== null) {
      if (this.#heartbeat.dueInMs(now) === 0 && !this.#isWithheld())
        void this.#heartbeat.beat().then(() => this.#look());
      // A renewal that is withheld stays due: it is looked at again as often as the clock is.
      const dueMs = this.#heartbeat.dueInMs(now);
      if (dueMs > 0) nextMs = Math.min(nextMs, dueMs);
    }
    this.#timer = this.#parts.clock.schedule(Math.max(1, Math.ceil(nextMs)), () => this.#look());
  }
}
