import type { Leasehold } from '../../engine/api.ts';
import { isLeaseholdError, type LeaseholdError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { type ClockReading, elapsedMs } from '../../domain/timing.ts';
import type { Done, Duty } from './duties.ts';

/**
 * A loop over duties, each at its own pace.
 *
 * Several workers of one store do no harm: what a duty does, it does once for all in a transaction, and alerts are taken
 * by a lease. The pauses have jitter, so that workers that began together don't go on together.
 * A store that is away is asked again, each time after a longer pause, and that is said once; a crash leaves nothing.
 */
export interface WorkerParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly duties: readonly Duty[];
  /** Opens the store; called again after it could not be reached. */
  readonly open: () => Promise<Leasehold>;
  readonly tell: (duty: string, done: Done) => Promise<unknown>;
  readonly say: (message: string) => Promise<unknown>;
  /** Called each time that the store can't be reached. */
  readonly onOutage: (error: LeaseholdError) => Promise<void>;
}

const OUTAGE_PAUSE_MS_MIN = 1_000;
const OUTAGE_PAUSE_MS_MAX = 60_000;
/** A duty is never later than its pace by more than this share. */
const JITTER = 0.2;

export class Worker {
  readonly #parts: WorkerParts;
  readonly #doneAt = new Map<Duty, ClockReading>();
  #leasehold: Leasehold | null = null;
  #outagePauseMs = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  /** Does every duty once. Throws what the store threw first, after the others were done. */
  async once(signal: AbortSignal): Promise<void> {
    await this.#doAll(this.#parts.duties, signal);
  }

  /** Until `signal` fires. Throws only what will not mend itself: a wrong password, a missing schema. */
  async until(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#round(signal);
      await this.#parts.clock.sleep(pauseMs * (1 + JITTER * this.#parts.ids.random()), signal).catch(() => {});
    }
  }

  async close(): Promise<void> {
    const leasehold = this.#leasehold;
    this.#leasehold = null;
    await leasehold?.close().catch(() => {});
  }

  /** Answers how long to pause. */
  async #round(signal: AbortSignal): Promise<number> {
    try {
      await this.#doAll(
        this.#parts.duties.filter((duty) => this.#waitMs(duty) <= 0),
        signal,
      );
      if (this.#outagePauseMs > 0) await this.#parts.say('The store can be reached again.');
      this.#outagePauseMs = 0;
      return Math.max(0, Math.min(...this.#parts.duties.map((duty) => this.#waitMs(duty))));
    } catch (error) {
      if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
      await this.close();
      if (this.#outagePauseMs === 0) await this.#parts.say(`${error.message.replace(/\.$/, '')}; asking again`);
      await this.#parts.onOutage(error);
      this.#outagePauseMs = Math.min(OUTAGE_PAUSE_MS_MAX, Math.max(OUTAGE_PAUSE_MS_MIN, 2 * this.#outagePauseMs));
      return this.#outagePauseMs;
    }
  }

  /** One that fails keeps nobody from the rest, or alerts would wait for good behind it. A store that can't be opened does. */
  async #doAll(duties: readonly Duty[], signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const duty of duties) {
      if (signal.aborted) break;
      this.#leasehold ??= await this.#parts.open();
      await this.#do(duty, this.#leasehold, signal).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #do(duty: Duty, leasehold: Leasehold, signal: AbortSignal): Promise<void> {
    const done = await duty.do(leasehold, signal);
    this.#doneAt.set(duty, this.#parts.clock.read());
    if (done !== null) await this.#parts.tell(duty.name, done);
  }

  #waitMs(duty: Duty): number {
    const doneAt = this.#doneAt.get(duty);
    return doneAt === undefined ? 0 : duty.everyMs - elapsedMs(doneAt, this.#parts.clock.read());
  }
}
