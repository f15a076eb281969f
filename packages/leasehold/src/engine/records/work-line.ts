import type { BeginAnswer, VerdictAnswer } from '../../domain/records/record.ts';
import { type ClockReading, elapsedMs } from '../../domain/timing.ts';
import { isLeaseholdError, type LeaseholdError } from '../../errors.ts';
import type { Timer } from '../../ports/clock.ts';
import type { BeginItem, VerdictItem } from '../../ports/record-store.ts';
import type { EngineParts } from '../parts.ts';
import { Outage } from './outage.ts';
import { hasTimedOut, Suspicion } from './suspicion.ts';
import { refusedBegin } from './work-items.ts';
import { roomBeside } from './work-room.ts';
import { answerItem, callTimeoutMs, type Given, giveUp, inTime, type SendTerms, type Waiting } from './work-waiting.ts';

/**
 * The line on which the begins and verdicts of one pool travel to the store.
 *
 *   waiting --(nothing under way, or it hangs)--> under way --(committed)--> answered
 *      ^                                              |
 *      +--(pause)--(the store can't be reached)-------+--(bound reached)--> thrown to its caller
 *
 * What is given in the same turn, or while a call is under way, is one call: a commit costs the same for one record and for
 * fifty (many are shared out: `roomBeside`). Nothing is held back for it: with the line free, a call goes out at once.
 *
 * A call that timed out may have met one record that somebody keeps locked. What travelled together is a suspect then: it
 * goes out again in ever smaller pieces, beside what is given anew and never with it, until the culprit is alone.
 *
 * Identity: an item by id and token. Of two for the same record the second travels after the first was answered.
 * Clock: this host's, for bounds alone. Whether a begin is in time is the store's to say; but where its answer took longer
 * than the lease had left, the begin is refused here, since its caller would send too late.
 * Crash: what was not answered is given again or is settled by a sweep; a call that is repeated counts once.
 */

/** Items of one call. */
const BATCH_MAX = 1_000;
/** Calls under way: one or what the store does at once, and beside one that hangs another: a lost answer holds up few. */
const UNDER_WAY_MAX = 4;
const HANGS_AFTER_MS = 500;
/** Calls of suspects under way, beside those. */
const SUSPECT_CALLS_MAX = 2;
/** Callers that got their answers from one call come to their next one after a few steps of their promises each. */
const STEPS_TO_GATHER = 8;

export class WorkLine {
  readonly #pool: string;
  readonly #parts: EngineParts;
  readonly #onIdle: () => void;
  readonly #outage: Outage;
  #waiting: Waiting[] = [];
  readonly #underWay = new Set<string>();
  #calls = 0;
  #suspectCalls = 0;
  readonly #suspicion = new Suspicion();
  /** Calls that the store answered. */
  #answered = 0;
  #isClosed = false;
  #isGathering = false;
  #turnAt: ClockReading;
  #isPaused = false;
  /** When the newest call went out. */
  #sentAt: ClockReading;
  #hangTimer: Timer | null = null;
  #idle: (() => void)[] = [];

  constructor(pool: string, parts: EngineParts, onIdle: () => void) {
    this.#pool = pool;
    this.#parts = parts;
    this.#turnAt = parts.clock.read();
    this.#sentAt = this.#turnAt;
    this.#onIdle = onIdle;
    this.#outage = new Outage(pool, parts.logger);
  }

  begin(item: BeginItem, terms: SendTerms): Promise<BeginAnswer> {
    return this.#add(item, { begin: item, verdict: null, terms }) as Promise<BeginAnswer>;
  }

  verdict(item: VerdictItem, terms: SendTerms): Promise<VerdictAnswer> {
    return this.#add(item, { begin: null, verdict: item, terms }) as Promise<VerdictAnswer>;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#calls + this.#suspectCalls === 0;
  }

  /** Resolves once nothing waits and nothing is under way. */
  async idle(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
  }

  /** Nothing is tried any more: what waits is given up, and its caller and the log are told. */
  close(error: LeaseholdError): void {
    this.#isClosed = true;
    for (const item of this.#waiting.splice(0)) giveUp(this.#parts.logger, this.#pool, item, error);
    this.#noteIdle();
  }

  #add({ id, token }: BeginItem, given: Given): Promise<BeginAnswer | VerdictAnswer> {
    return new Promise((resolve, reject) => {
      // What is given in one turn is given at one time.
      if (!this.#isGathering) void this.#gather();
      const key = `${id}\n${token}`;
      this.#waiting.push({ ...given, key, from: this.#turnAt, piece: null, resolve, reject });
    });
  }

  async #gather(): Promise<void> {
    this.#isGathering = true;
    this.#turnAt = this.#parts.clock.read();
    for (let step = 0; step < STEPS_TO_GATHER; step += 1) await Promise.resolve();
    this.#isGathering = false;
    this.#send();
  }

  /** Sends what waits, in as many calls as may go out now. */
  #send(): void {
    this.#hangTimer?.cancel();
    this.#hangTimer = null;
    if (this.#isPaused) return;
    while (this.#suspectCalls < SUSPECT_CALLS_MAX && this.#dispatch(this.#take(true, BATCH_MAX), true));
    while (this.#dispatch(this.#take(false, this.#room()), false));
    this.#noteIdle();
  }

  #dispatch(batch: readonly Waiting[], isSuspect: boolean): boolean {
    if (batch.length === 0) return false;
    if (isSuspect) this.#suspectCalls += 1;
    else {
      this.#calls += 1;
      this.#sentAt = this.#parts.clock.read();
    }
    void this.#call(batch).finally(() => this.#goOn(batch, isSuspect));
    return true;
  }

  /** How many items the next call may take; none while calls are under way that it may not pass by. */
  #room(): number {
    const room = roomBeside(this.#calls, this.#waiting.length, this.#parts.store.workCallsAtOnce ?? 1);
    if (room > 0 || this.#waiting.length === 0 || this.#calls >= UNDER_WAY_MAX) return Math.min(room, BATCH_MAX);
    const leftMs = HANGS_AFTER_MS - elapsedMs(this.#sentAt, this.#parts.clock.read());
    if (leftMs <= 0) return BATCH_MAX;
    this.#hangTimer ??= this.#parts.clock.schedule(leftMs, () => this.#send());
    return 0;
  }

  #goOn(batch: readonly Waiting[], wasSuspect: boolean): void {
    if (wasSuspect) this.#suspectCalls -= 1;
    else this.#calls -= 1;
    for (const { key } of batch) this.#underWay.delete(key);
    // What its callers give next travels along.
    if (!this.#isGathering) void this.#gather();
  }

  /** So many at most, each record once, or one piece of suspects; what needn't be sent any more is answered. */
  #take(isSuspect: boolean, room: number): Waiting[] {
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    const passed = new Set<string>();
    for (const item of this.#waiting) {
      const { key, piece, terms } = item;
      const refusal = terms.refusal?.() ?? null;
      // What follows it, of the same record, has nothing to wait for.
      if (refusal !== null) item.resolve(refusedBegin(this.#pool, item.begin?.id ?? '', null, 'lease_over', refusal));
      if (refusal !== null) continue;
      const isOther = (piece !== null) !== isSuspect || (batch[0] ?? item).piece !== piece;
      if (isOther || batch.length >= room || passed.has(key) || this.#underWay.has(key)) rest.push(item);
      else batch.push(item);
      passed.add(key);
    }
    for (const { key } of batch) this.#underWay.add(key);
    this.#waiting = rest;
    return batch;
  }

  /** Never rejects. */
  async #call(batch: readonly Waiting[]): Promise<void> {
    const { store, clock } = this.#parts;
    const verdicts = batch.filter((item) => item.verdict !== null);
    const begins = batch.filter((item) => item.begin !== null);
    const sentAt = clock.read();
    const timeoutMs = Math.min(...batch.map((item) => callTimeoutMs(item, sentAt)));
    const answered = this.#answered;
    try {
      const answer = await store.work(
        {
          pool: this.#pool,
          verdicts: verdicts.flatMap(({ verdict }) => verdict ?? []),
          begins: begins.flatMap(({ begin }) => begin ?? []),
        },
        { timeoutMs },
      );
      this.#answered += 1;
      this.#outage.noteSuccess();
      const tookMs = elapsedMs(sentAt, clock.read());
      for (const [index, item] of verdicts.entries()) answerItem(item, answer.verdicts[index]);
      for (const [index, item] of begins.entries()) answerItem(item, inTime(answer.begins[index], tookMs));
    } catch (error) {
      if (isLeaseholdError(error, 'STORE_UNREACHABLE') && !error.isClosed && !this.#isClosed) {
        const isStoreThere = this.#answered > answered;
        if (isStoreThere || hasTimedOut(elapsedMs(sentAt, clock.read()), timeoutMs)) this.#suspicion.divide(batch);
        this.#retryLater(batch, error, isStoreThere);
      } else await this.#fail(batch, error);
    }
  }

  async #fail(batch: readonly Waiting[], error: unknown): Promise<void> {
    const isOfAll = isLeaseholdError(error) && error.code !== 'INVALID_ARGUMENT' && error.code !== 'INTERNAL';
    if (isOfAll || batch.length === 1) {
      for (const item of batch) giveUp(this.#parts.logger, this.#pool, item, error);
      return;
    }
    // One of them is more than the store can take: halves, until it is alone with its error.
    const half = Math.ceil(batch.length / 2);
    await this.#call(batch.slice(0, half));
    await this.#call(batch.slice(half));
  }

  /** A store that answers others is there: then only what was alone in its call has had its time. */
  #retryLater(batch: readonly Waiting[], error: LeaseholdError, isStoreThere: boolean): void {
    const { clock, logger } = this.#parts;
    const now = clock.read();
    const isKept = (item: Waiting, company: number): boolean => {
      if (elapsedMs(item.from, now) < item.terms.retryForMs || (isStoreThere && company > 1)) return true;
      giveUp(logger, this.#pool, item, error);
      return false;
    };
    const again = batch.filter((item) => isKept(item, batch.length));
    // Suspects whose turn has not come have their bound all the same.
    const others = this.#waiting.filter((item) => item.piece === null || isKept(item, Infinity));
    this.#waiting = [...again, ...others];
    this.#outage.noteFailure(error, this.#waiting.length);
    if (!this.#isPaused) void this.#pause();
  }

  /** The sleep keeps the process alive: there is something to be stored yet. */
  async #pause(): Promise<void> {
    this.#isPaused = true;
    const pauseMs = this.#outage.nextPauseMs(this.#parts.ids.random());
    if (this.#waiting.length > 0) await this.#parts.clock.sleep(pauseMs);
    this.#isPaused = false;
    this.#send();
  }

  #noteIdle(): void {
    if (!this.isIdle) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    this.#onIdle();
  }
}
