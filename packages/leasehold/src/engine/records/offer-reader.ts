import type { NewRecord } from '../../ports/record-store.ts';
import type { InvalidRecord } from './claim-api.ts';
import { type CheckedOffer, checkOffer, isInvalid } from './offers.ts';

/** Of all the texts of one call to a store: what a driver, a server's log and a busy line bear. */
const CHUNK_BYTES_MAX = 4 * 1_048_576;
/** Instants, quotes and the like. */
const RECORD_BYTES_EXTRA = 64;

/** What was read at once: records that may be offered, and what is none. */
export interface OfferChunk {
  readonly records: readonly NewRecord[];
  readonly invalid: readonly InvalidRecord[];
  /** Offers that were looked at: of one that came twice the second is neither. */
  readonly looked: number;
  readonly isEnd: boolean;
}

/**
 * Reads offers as they come, a chunk at a time, so that a million of them are never in memory together with their
 * payloads. Identity: a record is its id and version; where `isEachOnce`, one that came before is passed over.
 */
export class OfferReader {
  readonly isAsync: boolean;
  readonly #iterator: Iterator<unknown, unknown> | AsyncIterator<unknown, unknown>;
  readonly #seen: Set<string> | null;
  /** Read, and too large for the chunk before. */
  #held: NewRecord | null = null;
  #isEnd = false;
  #isWaiting = false;

  constructor(source: Iterable<unknown> | AsyncIterable<unknown>, isEachOnce: boolean) {
    this.isAsync = Symbol.asyncIterator in source;
    this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#seen = isEachOnce ? new Set() : null;
  }

  /** Looks at up to so many offers, within 4 MiB. Rejects with what the source throws, or with the signal's reason. */
  async read(offersMax: number, signal: AbortSignal | null): Promise<OfferChunk> {
    const records: NewRecord[] = [];
    const invalid: InvalidRecord[] = [];
    const keys = new Set<string>();
    const abort = abortOf(signal);
    let [looked, bytes] = [0, 0];
    try {
      while (looked < offersMax) {
        const next = await this.#next(abort.promise);
        if (next === null) break;
        looked += 1;
        if (isInvalid(next)) {
          invalid.push(next);
          continue;
        }
        bytes += bytesOf(next);
        if (bytes > CHUNK_BYTES_MAX && records.length > 0) {
          this.#held = next;
          looked -= 1;
          break;
        }
        const key = keyOf(next);
        if (keys.has(key) || this.#seen?.has(key) === true) continue;
        keys.add(key);
        this.#seen?.add(key);
        records.push(next);
      }
    } finally {
      abort.stop();
    }
    return { records, invalid, looked, isEnd: this.#isEnd && this.#held === null };
  }

  /** Tells the source that no more is read. What it throws at that goes nowhere: its records are safe. */
  async close(): Promise<void> {
    if (this.#isEnd) return;
    this.#isEnd = true;
    try {
      const closing = this.#iterator.return?.();
      // A generator that hangs in its next record would hang in this as well.
      if (this.#isWaiting) Promise.resolve(closing).catch(() => {});
      else await closing;
    } catch {
      // A source that fails to close has nothing more to say about what was read.
    }
  }

  async #next(abort: Promise<never> | null): Promise<CheckedOffer | null> {
    const held = this.#held;
    this.#held = null;
    if (held !== null) return held;
    if (this.#isEnd) return null;
    const step = this.#iterator.next();
    // A list is read without waiting for each of its records.
    this.#isWaiting = this.isAsync;
    const result: IteratorResult<unknown, unknown> = !this.isAsync
      ? (step as IteratorResult<unknown, unknown>)
      : await (abort === null ? step : Promise.race([step, abort]));
    this.#isWaiting = false;
    if (result.done === true) {
      this.#isEnd = true;
      return null;
    }
    return checkOffer(result.value);
  }
}

/** A promise that rejects when the signal fires, for a source that hangs. */
function abortOf(signal: AbortSignal | null): { promise: Promise<never> | null; stop: () => void } {
  if (signal === null) return { promise: null, stop: () => {} };
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  promise.catch(() => {});
  return { promise, stop: () => signal.removeEventListener('abort', onAbort) };
}

/** No id and no version has a control character. */
function keyOf({ id, version }: NewRecord): string {
  return `${id}\n${version}`;
}

/** UTF-8 takes at most three bytes a UTF-16 unit; most texts take one. */
function bytesOf({ id, version, payload }: NewRecord): number {
  return RECORD_BYTES_EXTRA + id.length + version.length + (payload?.length ?? 0);
}
