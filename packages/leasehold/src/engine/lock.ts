import type { ForceReleaseAnswer, LockStatus, PauseAnswer, ReleaseAnswer, RenewAnswer } from '../domain/answers.ts';
import type { Advice } from '../domain/advise.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import { checkReason, checkToken } from '../domain/limits.ts';
import { storeTimeoutMs } from '../domain/timing.ts';
import { LeaseholdError } from '../errors.ts';
import type { CallOptions } from '../ports/store.ts';
import type { AcquireOptions, AdviseOptions, Lock, ReleaseOptions, RunResult, Start } from './api.ts';
import { checkFlag, checkObject, checkRelease, checkRenew, checkSchedule, checkStart } from './arguments.ts';
import { adviseLock } from './advice.ts';
import { withNextSlots } from './next-slots.ts';
import type { EngineParts } from './parts.ts';
import { planStart, tellMissed } from './plan.ts';
import { runWork } from './run.ts';
import { openStart } from './start.ts';
import { askWaiting } from './wait.ts';

/** One lock of an opened store; see `Lock` for what each call promises. Keeps no state of its own. */
export class EngineLock implements Lock {
  readonly name: string;
  readonly #parts: EngineParts;

  /** `name` has been checked. */
  constructor(name: string, parts: EngineParts) {
    this.name = name;
    this.#parts = parts;
  }

  async acquire(options: AcquireOptions): Promise<Start> {
    return await this.#start(options, this.#parts.self.holderInfo);
  }

  async #start(options: AcquireOptions, self: HolderInfo): Promise<Start> {
    const { checked, schedule } = await planStart(this.#parts, checkStart(this.name, options, this.#parts, self));
    const asked = await askWaiting(this.#parts, checked);
    return await openStart(this.#parts, checked, await tellMissed(this.#parts, checked, schedule, asked));
  }

  async run<T>(options: AcquireOptions, work: (start: Start) => Promise<T> | T): Promise<RunResult<T>> {
    if (typeof work !== 'function') throw new LeaseholdError('INVALID_ARGUMENT', 'work must be a function');
    const { self, logger } = this.#parts;
    return await runWork(await this.#start(options, self.workInfo ?? self.holderInfo), work, logger);
  }

  async renew(options: {
    readonly token: string;
    readonly leaseMs?: number;
    readonly progress?: string;
    readonly holderInfo?: HolderInfo;
  }): Promise<RenewAnswer> {
    const request = checkRenew(this.name, options);
    const call: CallOptions = request.leaseMs === null ? {} : { timeoutMs: storeTimeoutMs(request.leaseMs) };
    return await this.#parts.store.renew(request, call);
  }

  async release(options: { readonly token: string } & ReleaseOptions): Promise<ReleaseAnswer> {
    return await this.#parts.store.release(checkRelease(this.name, options));
  }

  async isHolder(token: string): Promise<boolean> {
    return await this.#parts.store.isHolder(this.name, checkToken(token));
  }

  async assertHolder(token: string): Promise<void> {
    if (await this.isHolder(token)) return;
    throw new LeaseholdError(
      'NOT_HOLDER',
      `This token does not hold lock "${this.name}"; stop, another run may have it.`,
    );
  }

  async forceRelease(options: { readonly reason: string; readonly atOnce?: boolean }): Promise<ForceReleaseAnswer> {
    checkObject(options, 'options');
    return await this.#parts.store.forceRelease({
      lock: this.name,
      reason: checkReason(options.reason, 'reason'),
      atOnce: checkFlag(options.atOnce ?? false, 'atOnce'),
    });
  }

  async pause(options: { readonly reason?: string } = {}): Promise<PauseAnswer> {
    checkObject(options, 'options');
    const reason = options.reason === undefined ? null : checkReason(options.reason, 'reason');
    return await this.#parts.store.pause({ lock: this.name, reason });
  }

  async resume(): Promise<PauseAnswer> {
    return await this.#parts.store.resume({ lock: this.name });
  }

  async advise(options: AdviseOptions = {}): Promise<Advice> {
    checkObject(options, 'options');
    const { renewal = 'heartbeat', schedule } = options;
    if (renewal !== 'heartbeat' && renewal !== 'touch') {
      throw new LeaseholdError('INVALID_ARGUMENT', 'renewal must be heartbeat or touch');
    }
    const spec = schedule === undefined ? null : checkSchedule(schedule);
    return await adviseLock(this.#parts, { lock: this.name, renewal, schedule: spec });
  }

  async progress(): Promise<string | null> {
    return (await this.#parts.store.marks(this.name)).progress;
  }

  async status(): Promise<LockStatus | null> {
    const [status] = await withNextSlots(this.#parts, await this.#parts.store.status({ lock: this.name, limit: 1 }));
    return status ?? null;
  }
}
