/**
 * Bytes as lines, whoever wrote them: UTF-8, with or without a byte order mark, lines ended by a newline or by carriage
 * return and newline, the last one by either or neither. Holds one chunk and one unfinished line, never the whole.
 */
export interface Line {
  /** The first is 1. */
  readonly number: number;
  /** Null where the bytes are no UTF-8, or too many. */
  readonly text: string | null;
}

/** A payload of 1 MiB with every character escaped fits. */
export const LINE_BYTES_MAX: number = 8 * 1_048_576;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MARK = '\uFEFF';

/** Cuts what is pushed into lines. */
export class LineCutter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #unfinished: Uint8Array[] = [];
  #bytes = 0;
  #number = 0;

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, end));
      lines.push(this.#finish());
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
    return lines;
  }

  /** The last line, where it has no end of its own. */
  end(): Line[] {
    return this.#bytes === 0 ? [] : [this.#finish()];
  }

  /** Of a line that is too long only its length is kept. */
  #hold(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > LINE_BYTES_MAX) this.#unfinished = [];
    // A copy: whoever reads may fill its buffer anew.
    else this.#unfinished.push(part.slice());
  }

  #finish(): Line {
    const isTooLong = this.#bytes > LINE_BYTES_MAX;
    const [only, ...more] = this.#unfinished;
    const bytes = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#unfinished);
    this.#unfinished = [];
    this.#bytes = 0;
    this.#number += 1;
    return { number: this.#number, text: isTooLong ? null : this.#decode(bytes) };
  }

  #decode(bytes: Uint8Array): string | null {
    const isReturned = bytes.at(-1) === CARRIAGE_RETURN;
    try {
      const text = this.#decoder.decode(isReturned ? bytes.subarray(0, -1) : bytes);
      return this.#number === 1 && text.startsWith(MARK) ? text.slice(1) : text;
    } catch {
      return null;
    }
  }
}
