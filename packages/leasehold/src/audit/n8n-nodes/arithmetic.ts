/**
 * A number that stands written as a sum: `3*24`, `(60 + 5) * 60`. Read by its signs, never run: what isn't made of numbers,
 * brackets and the five operations is no sum.
 */
const LENGTH_MAX = 200;
const DEPTH_MAX = 20;
const TOKEN = /\s*(?:(\d[\d_]*(?:\.\d+)?(?:e\d{1,2})?|\.\d+)|(\*\*|[-+*/%()]))/iy;

/** The value; null where the text is no sum, or comes to no finite number. */
export function valueOfSum(text: string): number | null {
  if (text.length > LENGTH_MAX) return null;
  const tokens = tokensOf(text.trim());
  if (tokens === null) return null;
  const reader = new SumReader(tokens);
  const value = reader.sum(0);
  return value !== null && reader.isAtEnd && Number.isFinite(value) ? value : null;
}

function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [, number, sign] = TOKEN.exec(text) ?? [];
    const token = number?.replaceAll('_', '') ?? sign;
    if (token === undefined) return null;
    tokens.push(token);
  }
  return tokens;
}

class SumReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  sum(depth: number): number | null {
    let value = this.#product(depth);
    for (let sign = this.#take('+', '-'); sign !== null && value !== null; sign = this.#take('+', '-')) {
      const next = this.#product(depth);
      value = next === null ? null : sign === '+' ? value + next : value - next;
    }
    return value;
  }

  #product(depth: number): number | null {
    let value = this.#signed(depth);
    for (let sign = this.#take('*', '/', '%'); sign !== null && value !== null; sign = this.#take('*', '/', '%')) {
      const next = this.#signed(depth);
      if (next === null) return null;
      value = sign === '*' ? value * next : sign === '/' ? value / next : value % next;
    }
    return value;
  }

  #signed(depth: number): number | null {
    const sign = this.#take('+', '-');
    const value = this.#power(depth);
    return value === null || sign !== '-' ? value : -value;
  }

  #power(depth: number): number | null {
    const value = this.#single(depth);
    if (value === null || this.#take('**') === null) return value;
    const exponent = this.#single(depth);
    return exponent === null ? null : value ** exponent;
  }

  #single(depth: number): number | null {
    if (depth > DEPTH_MAX) return null;
    if (this.#take('(') !== null) {
      const value = this.sum(depth + 1);
      return this.#take(')') === null ? null : value;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined || !/^[\d.]/.test(token)) return null;
    this.#at += 1;
    return Number(token);
  }

  #take(...wanted: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.#at += 1;
    return token;
  }
}
