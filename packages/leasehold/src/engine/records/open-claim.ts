import { claimMessage } from '../../domain/records/messages.ts';
import { POOL_DEFAULTS } from '../../domain/records/pool-settings.ts';
import type { ClaimAnswer, RecordKey, SettledCounts } from '../../domain/records/record.ts';
import { trustWindow } from '../../domain/timing.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { NewRecord } from '../../ports/record-store.ts';
import type { EngineParts } from '../parts.ts';
import { askClaim, type AskedClaim } from './ask-claim.ts';
import type { CheckedClaim } from './claim-arguments.ts';
import type { Claim, RefusedOffer } from './claim-api.ts';
import { HeldClaim } from './held-claim.ts';
import { type OfferChunk, OfferReader } from './offer-reader.ts';
import { UnheldClaim } from './unheld-claim.ts';
import type { WorkLines } from './work-lines.ts';

/** Of one call to the store: few enough that a busy one is through long before it times out. */
const OFFERS_AT_ONCE = 2_000;
/** Of an async source, the first call: it may be slow, and the claim is full after a few. Four times as many each time. */
const OFFERS_AT_FIRST_MIN = 100;
/** In all: a source without an end must not fill the memory. */
const OFFERS_MAX = 1_000_000;

const NOTHING_SETTLED: SettledCounts = { requeued: 0, review: 0, cancelled: 0 };

/**
 * One claim from its first ask to its handle.
 *
 * A claim of more than one call is one claim all the same: its later calls continue it (`isContinued`) until it is full.
 * It is kept alive from its first grant on, since reading on may take longer than its lease.
 * Crash: what was claimed so far goes back when its lease ends.
 */
export class OpeningClaim {
  readonly #parts: EngineParts;
  readonly #lines: WorkLines;
  #checked: CheckedClaim;
  #held: HeldClaim | null = null;
  #calls = 0;
  #last: ClaimAnswer | null = null;
  /** The latest answer that came with records. */
  #granted: ClaimAnswer | null = null;
  readonly #refused: RefusedOffer[] = [];
  #settled = NOTHING_SETTLED;
  #isOfferRead = true;
  /** The claim began before this call, so that it has what it has, and is offered nothing more. */
  #isRepeat = false;

  constructor(parts: EngineParts, lines: WorkLines, checked: CheckedClaim) {
    this.#parts = parts;
    this.#lines = lines;
    this.#checked = checked;
  }

  /** Throws what the source or the signal throws, after what was claimed so far was given back; STORE_UNREACHABLE. */
  async open(): Promise<Claim> {
    await this.#settleLease();
    const { offers } = this.#checked;
    this.#checked.signal?.throwIfAborted();
    if (offers === null) await this.#take(await askClaim(this.#parts, this.#checked, null));
    else await this.#offerAll(new OfferReader(offers, true));
    return this.#claim();
  }

  /** A claim that may have begun before is renewed for as long as it was; that is not what remains of it now. */
  async #settleLease(): Promise<void> {
    const { request, isNamed } = this.#checked;
    if (!isNamed || request.leaseMs !== null) return;
    const [status] = await this.#parts.store.pools({ pool: request.pool, limit: 1 });
    const leaseMs = status?.leaseMs ?? POOL_DEFAULTS.leaseMs;
    this.#checked = { ...this.#checked, request: { ...request, leaseMs } };
  }

  async #offerAll(reader: OfferReader): Promise<void> {
    try {
      await this.#offer(reader);
    } catch (error) {
      await this.#held?.[Symbol.asyncDispose]();
      throw error;
    } finally {
      await reader.close();
    }
  }

  async #offer(reader: OfferReader): Promise<void> {
    const { signal, request } = this.#checked;
    let size = reader.isAsync ? Math.max(OFFERS_AT_FIRST_MIN, 2 * (request.limit ?? 0)) : OFFERS_AT_ONCE;
    let isFull = false;
    for (let looked = 0; looked < OFFERS_MAX && !(isFull && reader.isAsync); ) {
      const chunk = await this.#read(reader, Math.min(size, OFFERS_AT_ONCE, OFFERS_MAX - looked), signal);
      if (chunk === null) break;
      looked += chunk.looked;
      size *= 4;
      for (const invalid of chunk.invalid) this.#refused.push(invalid);
      if (isFull) for (const record of chunk.records) this.#refused.push(notLookedAt(record));
      else if (chunk.records.length > 0) {
        const answered = await this.#ask(chunk.records);
        if (answered !== 'claimed' || this.#isRepeat) {
          this.#isOfferRead = answered !== null && chunk.isEnd;
          return;
        }
      }
      isFull = this.#isFull();
      if (chunk.isEnd) return;
    }
    this.#isOfferRead = false;
  }

  /** Null where the signal has ended the reading; throws its reason where nothing is owned yet. */
  async #read(reader: OfferReader, offersMax: number, signal: AbortSignal | null): Promise<OfferChunk | null> {
    try {
      return await reader.read(offersMax, signal);
    } catch (error) {
      if (this.#held !== null && signal?.aborted === true) return null;
      throw error;
    }
  }

  /** The outcome; null where the store can't be reached any more. After any but `claimed` nothing more is offered. */
  async #ask(records: readonly NewRecord[]): Promise<ClaimAnswer['outcome'] | null> {
    try {
      const isContinued = this.#last !== null;
      const asked = await askClaim(this.#parts, this.#checked, { records, isContinued });
      this.#isRepeat = this.#checked.isNamed && !isContinued && isRepeat(asked, records);
      await this.#take(asked);
      return asked.answer.outcome;
    } catch (error) {
      // What is owned already can be worked; what could not be offered is nobody's.
      if (this.#held === null || !isLeaseholdError(error, 'STORE_UNREACHABLE')) throw error;
      const { pool, claimId } = this.#checked.request;
      const message = `The rest of the records could not be offered to pool "${pool}".`;
      this.#parts.logger.warn(message, { pool, claimId, error });
      return null;
    }
  }

  async #take({ answer, anchor }: AskedClaim): Promise<void> {
    this.#calls += 1;
    this.#last = answer;
    const { requeued, review, cancelled } = answer.settled;
    this.#settled = {
      requeued: this.#settled.requeued + requeued,
      review: this.#settled.review + review,
      cancelled: this.#settled.cancelled + cancelled,
    };
    for (const refused of answer.refused) this.#refused.push(refused);
    if (answer.token === null || answer.owned.length === 0) return;
    this.#granted = answer;
    const held = this.#held ?? this.#hold(answer.token, answer.remainingMs ?? 0, anchor);
    held.own(answer.owned);
    if (this.#held !== null) return;
    this.#held = held;
    await held.watch();
  }

  #hold(token: string, remainingMs: number, anchor: AskedClaim['anchor']): HeldClaim {
    const { request, renewal, retryForMs } = this.#checked;
    const { pool, claimId, holder, explicitBegin } = request;
    // Without a length of its own the claim is new, and what remains is what the pool gives.
    const leaseMs = request.leaseMs ?? remainingMs;
    const window = trustWindow(anchor, leaseMs, remainingMs);
    const lease = { pool, claimId, holder, token, leaseMs, window, renewal, isExplicit: explicitBegin, retryForMs };
    return new HeldClaim(this.#parts, this.#lines, lease);
  }

  #isFull(): boolean {
    const { limit } = this.#checked.request;
    const isOver = this.#last?.refused.some(({ why }) => why === 'over_limit') === true;
    return isOver || (limit !== null && (this.#held?.works.length ?? 0) >= limit);
  }

  #claim(): Claim {
    const { pool, claimId } = this.#checked.request;
    const { token = null, leaseUntil = null, remainingMs = null } = this.#granted ?? {};
    return Object.assign(this.#held ?? new UnheldClaim(pool, claimId), {
      outcome: this.#granted === null ? (this.#last?.outcome ?? 'claimed') : this.#granted.outcome,
      pool,
      claimId,
      token,
      leaseUntil,
      remainingMs,
      owned: this.#held?.works ?? [],
      refused: this.#refused,
      settled: this.#settled,
      message: this.#message(),
      isOfferRead: this.#isOfferRead,
    });
  }

  /** The store's own, where its call was all; else what all that was offered came to together. */
  #message(): string {
    const { pool, claimId } = this.#checked.request;
    if (this.#last === null) return `Nothing was offered to pool "${pool}".`;
    const isAll = this.#calls === 1 && this.#last.refused.length === this.#refused.length;
    if (isAll || this.#isRepeat || (this.#granted === null && this.#last.outcome !== 'claimed')) {
      return this.#last.message;
    }
    const owned = this.#held?.works.length ?? 0;
    const leaseUntil = this.#granted?.leaseUntil?.getTime() ?? null;
    const came = { owned, offered: owned + this.#refused.length, leaseUntil, isRepeat: false };
    return claimMessage('claimed', { pool, claimId }, came);
  }
}

/**
 * True for a claim of before this call. Where this call has asked twice, what it is answered may be what its first ask took:
 * unless that owns what this call never offered.
 */
function isRepeat({ answer, isAskedAgain }: AskedClaim, offered: readonly NewRecord[]): boolean {
  if (!isAskedAgain || !answer.isRepeat) return answer.isRepeat;
  const keys = new Set(offered.map(keyOf));
  return answer.owned.some((record) => !keys.has(keyOf(record)));
}

function keyOf({ id, version }: RecordKey): string {
  return `${id}\n${version}`;
}

/** Not even looked at: the claim was full. */
function notLookedAt({ id, version }: NewRecord): RefusedOffer {
  return { id, version, why: 'over_limit', by: null, since: null };
}
