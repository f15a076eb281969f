/**
 * Cuts a stream of JSON into the values that are worth parsing, by brackets and quotes alone, so that a file of any
 * size needs the memory of one value. What is between the cuts is JSON.parse's business.
 *
 * - Values that follow one another (NDJSON, pretty-printed or not) are handed over one by one, of an array its entries.
 * - An object that grows past `WHOLE_BYTES_MAX`, that isn't closed at the end, or that can't be parsed, is looked
 *   through again for the entries of its outermost arrays: a list in a wrapper, however large or cut short.
 *
 * Only objects and arrays are handed over, no number or text that stands alone.
 */
export const WHOLE_BYTES_MAX: number = 32 << 20;
/** One execution with all its data may be large; past this it is left out. */
export const ENTRY_BYTES_MAX: number = 128 << 20;

export interface SplitOutput {
  /** Text of one value; `ordinal` counts from 1. Answers false where it is no JSON. */
  value(text: string, ordinal: number): boolean;
  /** Left out for its size. */
  tooLarge(ordinal: number): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class JsonSplitter {
  readonly #output: SplitOutput;
  /** True once an object is looked through for its arrays. */
  #isLookedThrough: boolean;
  #depth = 0;
  /** Depth at which entries of an outermost array begin; 0 outside of one. */
  #entryDepth = 0;
  #isInString = false;
  /** The text goes on behind an odd number of backslashes. */
  #isEscaped = false;
  /** Depth at which the value under way began; -1 between values. */
  #valueDepth = -1;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isLeftOut = false;
  #ordinal = 0;
  #fromBackslash = 0;

  constructor(output: SplitOutput, isLookedThrough = false) {
    this.#output = output;
    this.#isLookedThrough = isLookedThrough;
  }

  /** Values handed over or left out so far. */
  get ordinal(): number {
    return this.#ordinal;
  }

  /** True where brackets or a text are still open. */
  get isOpen(): boolean {
    return this.#depth > 0 || this.#isInString;
  }

  push(block: Buffer): void {
    let from = this.#valueDepth === -1 ? -1 : 0;
    let at = 0;
    while (at < block.length) {
      if (this.#isInString) {
        at = this.#skipString(block, at);
        continue;
      }
      const byte = block[at];
      if (byte === QUOTE) {
        this.#isInString = true;
        this.#fromBackslash = at + 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.#valueDepth === -1 && this.#opensValue(byte)) {
          this.#valueDepth = this.#depth;
          from = at;
        }
        this.#depth += 1;
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === this.#valueDepth) {
          this.#hand(block.subarray(Math.max(from, 0), at + 1));
          from = -1;
        } else if (this.#valueDepth === -1) this.#leave();
      }
      at += 1;
    }
    if (from !== -1) this.#keep(block.subarray(from));
  }

  /**
   * To be called once, after the last block. True where the input was whole. What an open object has so far is
   * looked through.
   */
  end(): boolean {
    const isWhole = !this.isOpen;
    if (this.#valueDepth === 0 && this.#entryDepth === 0 && !this.#isLookedThrough)
      this.#lookThrough(this.#parts, false);
    return isWhole;
  }

  /** A list or a wrapper on the way was closed. */
  #leave(): void {
    if (this.#depth < this.#entryDepth) this.#entryDepth = 0;
    if (this.#depth === 0) this.#isLookedThrough = false;
  }

  /** Whether a bracket begins a value; one that doesn't belongs to the way there. */
  #opensValue(byte: number): boolean {
    if (this.#entryDepth > 0) return this.#depth === this.#entryDepth;
    if (byte === OPEN_OBJECT) return !this.#isLookedThrough && this.#depth === 0;
    this.#entryDepth = this.#depth + 1;
    return false;
  }

  #hand(rest: Buffer): void {
    const isLeftOut = this.#isLeftOut;
    const parts = this.#parts;
    this.#parts = [];
    this.#partBytes = 0;
    this.#isLeftOut = false;
    this.#valueDepth = -1;
    this.#ordinal += 1;
    if (isLeftOut) return this.#output.tooLarge(this.#ordinal);
    const bytes = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
    const isJson = this.#output.value(bytes.toString('utf8'), this.#ordinal);
    if (!isJson && this.#entryDepth === 0) this.#lookThrough([bytes], true);
  }

  #keep(part: Buffer): void {
    if (this.#isLeftOut) return;
    this.#parts.push(part);
    this.#partBytes += part.length;
    if (this.#valueDepth === 0 && this.#entryDepth === 0) {
      if (this.#partBytes > WHOLE_BYTES_MAX) this.#lookThrough(this.#parts, false);
    } else if (this.#partBytes > ENTRY_BYTES_MAX) {
      this.#isLeftOut = true;
      this.#parts = [];
    }
  }

  /** `isClosed`: the object is complete, and what follows it is another value; else the rest of it is still to come. */
  #lookThrough(parts: readonly Buffer[], isClosed: boolean): void {
    const inside = isClosed ? new JsonSplitter(this.#output, true) : this;
    if (isClosed) inside.#ordinal = this.#ordinal - 1;
    else {
      this.#isLookedThrough = true;
      this.#depth = 0;
      this.#isInString = false;
      this.#isEscaped = false;
      this.#valueDepth = -1;
      this.#parts = [];
      this.#partBytes = 0;
    }
    for (const part of parts) inside.push(part);
    if (isClosed) this.#ordinal = inside.#ordinal;
  }

  /** Returns where the text ends, or the end of the block. */
  #skipString(block: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
      this.#fromBackslash = at;
    }
    if (at === 0) this.#fromBackslash = 0;
    for (;;) {
      const quote = block.indexOf(QUOTE, at);
      const stop = quote === -1 ? block.length : quote;
      let backslashes = 0;
      while (stop - backslashes > this.#fromBackslash && block[stop - backslashes - 1] === BACKSLASH) backslashes += 1;
      const isEscaped = backslashes % 2 === 1;
      if (quote === -1) {
        this.#isEscaped = isEscaped;
        return block.length;
      }
      at = quote + 1;
      if (isEscaped) {
        this.#fromBackslash = at;
        continue;
      }
      this.#isInString = false;
      return at;
    }
  }
}
