import { type ClockReading, elapsedMs } from '../../domain/timing.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { AskedRecord, SettleAnswer } from '../../ports/record-store.ts';
import type { CallOptions } from '../../ports/store.ts';
import type { EngineParts } from '../parts.ts';
import type { SweepReport } from './api.ts';
import { type CheckedSweep, verifierFor } from './sweep-arguments.ts';
import { type CheckedVerifier, HolderEnds, verifyRecord } from './verify.ts';

/** Records of one call to the store: few enough that a busy store is through long before a call times out. */
const SETTLE_AT_ONCE = 500;
/** A sweep of no more than this stands at the end of somebody's command, which must not wait for a store that has stalled. */
const BRIEF_MS = 1_000;
/** Records of one call of such a sweep, whose call is cut short with it and does nothing then. */
const SETTLE_AT_ONCE_BRIEF = 100;
/** Taken at a time for each look-up under way: few, since what a sweep took no other one asks about. */
const TAKEN_PER_LOOKUP = 2;

/**
 * One sweep of a pool: what expired claims left is settled, then the provider is asked about what waits for its answer.
 *
 * Identity: a record is taken to be asked about by one sweep at a time, and an answer applies only to what was asked about.
 * Clock: the store's for every decision; this host's says when to stop taking more.
 * Crash: what was taken is taken again after `everyMs`; nothing that was learned and not applied is needed.
 */
export async function sweepPool(parts: EngineParts, pool: string, checked: CheckedSweep): Promise<SweepReport> {
  return await new Sweep(parts, pool, checked).run();
}

type Counts = { -readonly [K in Exclude<keyof SweepReport, 'pool' | 'isComplete'>]: number };

class Sweep {
  readonly #parts: EngineParts;
  readonly #pool: string;
  readonly #checked: CheckedSweep;
  readonly #begunAt: ClockReading;
  readonly #ends: HolderEnds;
  readonly #counts: Counts = {
    requeued: 0,
    review: 0,
    cancelled: 0,
    done: 0,
    waiting: 0,
    asked: 0,
    overtaken: 0,
    toAsk: 0,
  };

  constructor(parts: EngineParts, pool: string, checked: CheckedSweep) {
    this.#parts = parts;
    this.#pool = pool;
    this.#checked = checked;
    this.#begunAt = parts.clock.read();
    this.#ends = new HolderEnds(parts);
  }

  async run(): Promise<SweepReport> {
    const { verifier } = this.#checked;
    const [status] = verifier === null ? [] : await this.#parts.store.pools({ pool: this.#pool, limit: 1 });
    const asking = verifier === null ? null : verifierFor(this.#pool, verifier, status);
    const isSettled = await this.#settle();
    const isAsked = asking === null || !isSettled || (await this.#ask(asking));
    if (asking !== null) await this.#countWaiting();
    return { pool: this.#pool, ...this.#counts, isComplete: isSettled && isAsked };
  }

  get #isOver(): boolean {
    const { timeoutMs, signal } = this.#checked;
    return signal?.aborted === true || elapsedMs(this.#begunAt, this.#parts.clock.read()) >= timeoutMs;
  }

  get #isBrief(): boolean {
    return this.#checked.timeoutMs <= BRIEF_MS;
  }

  /**
   * A call has the store's usual patience, whatever is left of the sweep: cut short, a batch would be rolled back, and tried
   * again from its beginning for ever.
   */
  #callOptions(): CallOptions {
    if (!this.#isBrief) return {};
    const leftMs = Math.floor(this.#checked.timeoutMs - elapsedMs(this.#begunAt, this.#parts.clock.read()));
    return { timeoutMs: Math.max(1, leftMs) };
  }

  /** False where time ended it. */
  async #settle(): Promise<boolean> {
    const limit = this.#isBrief ? SETTLE_AT_ONCE_BRIEF : SETTLE_AT_ONCE;
    do {
      const settled = await this.#settleSome(limit);
      if (settled === null) return false;
      this.#counts.requeued += settled.requeued;
      this.#counts.review += settled.review;
      this.#counts.cancelled += settled.cancelled;
      this.#counts.toAsk = settled.toAsk;
      if (settled.isComplete) return true;
    } while (!this.#isOver);
    return false;
  }

  /** Null where the sweep's own time ended the call: that tells nothing about the store. */
  async #settleSome(limit: number): Promise<SettleAnswer | null> {
    try {
      return await this.#parts.store.settleExpired(
        { pool: this.#pool, limit, isBrief: this.#isBrief },
        this.#callOptions(),
      );
    } catch (error) {
      if (this.#isBrief && this.#isOver && isLeaseholdError(error, 'STORE_UNREACHABLE') && !error.isClosed) return null;
      throw error;
    }
  }

  /** False where time ended it. */
  async #ask(verifier: CheckedVerifier): Promise<boolean> {
    const { concurrency, everyMs } = this.#checked;
    const limit = concurrency * TAKEN_PER_LOOKUP;
    while (!this.#isOver) {
      const takenAt = this.#parts.clock.read();
      const taken = await this.#parts.store.takeToAsk({ pool: this.#pool, limit, everyMs });
      const queue = taken.values();
      let left = taken.length;
      const lookups = Array.from({ length: Math.min(concurrency, taken.length) }, async () => {
        for (const record of queue) {
          if (this.#isOver) return;
          left -= 1;
          await this.#verify(verifier, record, takenAt);
        }
      });
      // Where the store has gone, the others are not left to go on behind the back of their caller.
      const failed = (await Promise.allSettled(lookups)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      if (taken.length < limit) return left === 0;
    }
    return false;
  }

  /** What the others found meanwhile counts as well. Not worth the report, where the store has gone by now. */
  async #countWaiting(): Promise<void> {
    try {
      const [status] = await this.#parts.store.pools({ pool: this.#pool, limit: 1 });
      this.#counts.toAsk = status?.toAsk ?? 0;
    } catch (error) {
      if (!isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
    }
  }

  async #verify(verifier: CheckedVerifier, record: AskedRecord, takenAt: ClockReading): Promise<void> {
    const asked = { record, takenAt };
    const decision = await verifyRecord(this.#parts, verifier, asked, (of) => this.#ends.provenEnded(of));
    this.#counts.asked += 1;
    if (decision.kind === 'wait') {
      this.#counts.waiting += 1;
      return;
    }
    const { pool, id, version, claimId, holder, attempt, begunAt, leaseUntil } = record;
    const seen = { pool, id, version, claimId, holder, attempt, begunAt, leaseUntil };
    const applied = await this.#parts.store.applyLookup({ seen, decision });
    if (applied.outcome === 'overtaken') {
      this.#counts.overtaken += 1;
      return;
    }
    if (!record.isInReview) this.#counts.toAsk = Math.max(0, this.#counts.toAsk - 1);
    // A requeue whose attempts are used up is in review.
    if (applied.state === 'done') this.#counts.done += 1;
    else if (applied.state === 'queued') this.#counts.requeued += 1;
    else if (applied.state === 'review') this.#counts.review += 1;
  }
}
