/**
 * Run ids as bytes in a pool: a million strings would cost more than all the rest of a history, and one that was cut out
 * of a file's text would keep that text alive. The pool grows by pieces, so that nothing is copied and held twice.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Longer ones are no ids; what is compared and shown is cut there. */
const ID_LENGTH_MAX = 1_024;
const PIECE_BITS = 20;
const PIECE_BYTES: number = 1 << PIECE_BITS;

export class RunIds {
  readonly #pieces: Uint8Array[] = [];
  /** Where each begins: the piece above `PIECE_BITS`, the place in it below. */
  #starts = new Uint32Array(1 << 8);
  #lengths = new Uint16Array(1 << 8);
  #count = 0;
  #next = 0;

  /** Adds an id and returns its number: 0, 1, 2 … */
  add(id: string): number {
    const text = id.length > ID_LENGTH_MAX ? id.slice(0, ID_LENGTH_MAX) : id;
    // UTF-8 takes at most three bytes a unit, and no id lies in two pieces.
    const place = this.#next & (PIECE_BYTES - 1);
    if (place + 3 * text.length > PIECE_BYTES) this.#next += PIECE_BYTES - place;
    const number = this.#count;
    if (number === this.#starts.length) {
      this.#starts = grown(this.#starts, number * 2);
      this.#lengths = grown(this.#lengths, number * 2);
    }
    const length = write(text, this.#piece(this.#next), this.#next & (PIECE_BYTES - 1));
    this.#starts[number] = this.#next;
    this.#lengths[number] = length;
    this.#next += length;
    this.#count += 1;
    return number;
  }

  /** Takes the last one back. */
  dropLast(): void {
    this.#count -= 1;
    this.#next = this.#starts[this.#count] ?? 0;
  }

  text(number: number): string {
    const { bytes, from, length } = this.#placeOf(number);
    return decoder.decode(bytes.subarray(from, from + length));
  }

  /** FNV-1a of the one that was added last, from this seed. */
  hashOfLast(seed: number): number {
    const { bytes, from, length } = this.#placeOf(this.#count - 1);
    let hash = seed | 0;
    for (let at = from; at < from + length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    return hash >>> 0;
  }

  isSame(one: number, other: number): boolean {
    const [a, b] = [this.#placeOf(one), this.#placeOf(other)];
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at += 1) if (a.bytes[a.from + at] !== b.bytes[b.from + at]) return false;
    return true;
  }

  #placeOf(number: number): { readonly bytes: Uint8Array; readonly from: number; readonly length: number } {
    const start = this.#starts[number] ?? 0;
    return { bytes: this.#piece(start), from: start & (PIECE_BYTES - 1), length: this.#lengths[number] ?? 0 };
  }

  #piece(start: number): Uint8Array {
    return (this.#pieces[start >>> PIECE_BITS] ??= new Uint8Array(PIECE_BYTES));
  }
}

/** Returns how many bytes it took. */
function write(text: string, bytes: Uint8Array, from: number): number {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 127) return encoder.encodeInto(text, bytes.subarray(from)).written;
    bytes[from + at] = unit;
  }
  return text.length;
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
