/**
 * Run ids as bytes in one pool: a million strings would cost more than all the rest of a history, and one that was
 * cut out of a file's text would keep that text alive.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Longer ones are no ids; what is compared and shown is cut there. */
const ID_LENGTH_MAX = 1_024;

export class RunIds {
  #bytes = new Uint8Array(1 << 12);
  #ends = new Uint32Array(1 << 8);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds an id and returns its number: 0, 1, 2 … */
  add(id: string): number {
    const from = this.#endOf(this.#count - 1);
    const to = this.#write(id, from);
    if (this.#count === this.#ends.length) this.#ends = grown(this.#ends, this.#count * 2);
    this.#ends[this.#count] = to;
    this.#count += 1;
    return this.#count - 1;
  }

  /** Takes the last one back. */
  dropLast(): void {
    this.#count -= 1;
  }

  text(number: number): string {
    return decoder.decode(this.#bytes.subarray(this.#endOf(number - 1), this.#endOf(number)));
  }

  /** FNV-1a of the one that was added last, from this seed. */
  hashOfLast(seed: number): number {
    const bytes = this.#bytes;
    const to = this.#endOf(this.#count - 1);
    let hash = seed | 0;
    for (let at = this.#endOf(this.#count - 2); at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return hash >>> 0;
  }

  isSame(one: number, other: number): boolean {
    const from = this.#endOf(one - 1);
    const otherFrom = this.#endOf(other - 1);
    const length = this.#endOf(one) - from;
    if (this.#endOf(other) - otherFrom !== length) return false;
    const bytes = this.#bytes;
    for (let at = 0; at < length; at += 1) {
      if (bytes[from + at] !== bytes[otherFrom + at]) return false;
    }
    return true;
  }

  #endOf(number: number): number {
    return number < 0 ? 0 : (this.#ends[number] ?? 0);
  }

  #write(id: string, from: number): number {
    const text = id.length > ID_LENGTH_MAX ? id.slice(0, ID_LENGTH_MAX) : id;
    // UTF-8 takes at most three bytes a unit.
    const needed = from + 3 * text.length;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, Math.max(needed, this.#bytes.length * 2));
    const bytes = this.#bytes;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return from + encoder.encodeInto(text, bytes.subarray(from)).written;
      bytes[from + at] = unit;
    }
    return from + text.length;
  }
}

/** A larger array that begins with what is in this one. */
export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>(
  array: T,
  length: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
