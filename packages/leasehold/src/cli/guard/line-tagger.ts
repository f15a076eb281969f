/** A longer line is passed on in pieces, so that a command without line ends can't fill the memory. */
const LINE_BYTES_MAX = 65_536;
const NEWLINE = 0x0a;

/**
 * Puts a tag before every line of a stream of bytes, whatever they are: a line is what ends with the
 * byte 0x0A. Lines are handed on whole, so that those of two streams don't mix. A last line without its
 * end is tagged and stays without it.
 */
export class LineTagger {
  readonly #tag: Buffer;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** True in the middle of a line whose beginning has been handed on. */
  #isTagged = false;

  constructor(tag: string) {
    this.#tag = Buffer.from(tag);
  }

  /** What may be handed on now that these bytes have come. */
  push(bytes: Uint8Array): Buffer {
    const out: Buffer[] = [];
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#hold(rest.subarray(0, end + 1));
      out.push(...this.#take());
      this.#isTagged = false;
      rest = rest.subarray(end + 1);
    }
    this.#hold(rest);
    if (this.#heldBytes >= LINE_BYTES_MAX) out.push(...this.#take());
    return Buffer.concat(out);
  }

  /** What is left at the end. */
  end(): Buffer {
    return Buffer.concat(this.#take());
  }

  #hold(bytes: Buffer): void {
    if (bytes.length > 0) this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #take(): Buffer[] {
    if (this.#heldBytes === 0) return [];
    const taken = this.#isTagged ? this.#held : [this.#tag, ...this.#held];
    this.#held = [];
    this.#heldBytes = 0;
    this.#isTagged = true;
    return taken;
  }
}
