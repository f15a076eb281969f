import type { RecordKey } from '../../domain/records/record.ts';
import type { Offer } from '../../engine/records/claim-api.ts';
import { parseExactly } from './exact-json.ts';
import type { InputRecord } from './record-line.ts';
import type { Spool } from './spool.ts';

/**
 * The records of a spool as a claim takes them. What fits into memory is offered whole. Of more, the claim reads no
 * further once it is full; the rest is then named by `rest()`, without having been in memory at once.
 */
export class Offering {
  readonly source: Iterable<Offer> | AsyncIterable<Offer>;
  readonly #records: AsyncGenerator<InputRecord> | null;

  constructor(spool: Spool) {
    const inMemory = spool.inMemory();
    this.#records = inMemory === null ? spool.read() : null;
    this.source = inMemory === null ? this.#stream() : inMemory.map(offerOf);
  }

  /** What the claim did not read, without what it owns. To be called after it. */
  async *rest(owned: readonly RecordKey[]): AsyncGenerator<InputRecord> {
    if (this.#records === null) return;
    const keys = new Set(owned.map(keyOf));
    for (let next = await this.#records.next(); next.done !== true; next = await this.#records.next()) {
      if (!keys.has(keyOf(next.value))) yield next.value;
    }
  }

  /** Whoever stops reading it leaves the spool where it is. */
  #stream(): AsyncIterable<Offer> {
    const records = this.#records;
    const next = async (): Promise<IteratorResult<Offer>> => {
      const read = await records?.next();
      if (read === undefined || read.done === true) return { done: true, value: undefined };
      return { done: false, value: offerOf(read.value) };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }
}

function keyOf({ id, version }: RecordKey): string {
  return JSON.stringify([id, version]);
}

export function offerOf({ id, version, payload, notBefore }: InputRecord): Offer {
  if (version === '' && payload === null && notBefore === null) return id;
  return {
    id,
    version,
    ...(payload === null ? {} : { payload: parseExactly(payload) }),
    ...(notBefore === null ? {} : { notBefore }),
  };
}
