/**
 * Results that many workflows share: of ten thousand, hundreds say "every hour". What is kept hangs on its key alone, so
 * that it is the same as reckoned anew; when it is full it begins again, and costs time only.
 */
export class KeptResults<Result> {
  readonly #known = new Map<string, Result>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, reckon: () => Result): Result {
    const kept = this.#known.get(key);
    if (kept !== undefined) return kept;
    if (this.#known.size >= this.#max) this.#known.clear();
    const result = reckon();
    this.#known.set(key, result);
    return result;
  }
}
