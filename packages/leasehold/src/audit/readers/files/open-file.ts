import { createGunzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import { asError } from './damage.ts';
import type { FileHead, OpenedFile } from './file-format.ts';

/** By this much a file is recognised. */
export const HEAD_BYTES = 65_536;
/** What is unpacked ahead of the reader. */
const UNPACKED_AHEAD_BYTES = 1 << 20;

export interface FileOrigin {
  readonly path: string;
  readonly diskPath: string | null;
  readonly isNamed: boolean;
}

/**
 * Opens bytes as text: unpacks gzip, drops a byte order mark, turns UTF-16 into UTF-8. Only the head is read
 * here. `chunks` is closed by `close`, or by its own end.
 */
export async function openBytes(origin: FileOrigin, chunks: AsyncIterable<Uint8Array>): Promise<OpenedFile> {
  const raw = await Peeked.of(buffers(chunks));
  const packed = isGzip(raw.head);
  const plain = packed ? await Peeked.of(unpacked(raw.all())) : raw;
  const encoding = encodingOf(plain.head);
  const text = encoding === null ? plain : await Peeked.of(decoded(plain.all(), encoding));
  const head: FileHead = { bytes: text.head, text: text.head.toString('utf8'), isWhole: text.isWhole };
  return {
    path: origin.path,
    diskPath: packed || encoding !== null ? null : origin.diskPath,
    isNamed: origin.isNamed,
    head,
    blocks: () => text.all(),
    close: async () => {
      for (const layer of [text, plain, raw]) await layer.close();
    },
  };
}

/** A stream of which the beginning was looked at. */
class Peeked {
  readonly head: Buffer;
  readonly isWhole: boolean;
  readonly #rest: AsyncIterator<Buffer>;
  readonly #fault: Error | null;

  private constructor(head: Buffer, isWhole: boolean, rest: AsyncIterator<Buffer>, fault: Error | null) {
    this.head = head.subarray(0, HEAD_BYTES);
    this.isWhole = isWhole && head.length <= HEAD_BYTES;
    this.#first = head;
    this.#rest = rest;
    this.#fault = fault;
  }

  readonly #first: Buffer;

  static async of(chunks: AsyncIterable<Buffer>): Promise<Peeked> {
    const rest = chunks[Symbol.asyncIterator]();
    const parts: Buffer[] = [];
    let length = 0;
    let fault: Error | null = null;
    let ended = false;
    while (length < HEAD_BYTES && !ended) {
      try {
        const next = await rest.next();
        if (next.done === true) ended = true;
        else parts.push(next.value);
        length += next.done === true ? 0 : next.value.length;
      } catch (error) {
        // What came before the damage counts; the damage is told where the reader gets to it.
        fault = asError(error);
        ended = true;
      }
    }
    if (length === 0 && fault !== null) throw fault;
    const isWhole = ended && fault === null;
    return new Peeked(
      parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts),
      isWhole,
      rest,
      fault,
    );
  }

  async *all(): AsyncGenerator<Buffer> {
    if (this.#first.length > 0) yield this.#first;
    if (this.#fault !== null) throw this.#fault;
    yield* { [Symbol.asyncIterator]: () => this.#rest };
  }

  async close(): Promise<void> {
    await this.#rest.return?.(undefined);
  }
}

async function* buffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (chunk.length > 0) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/**
 * Unpacks by events and not by the stream's own iterator, which throws away what was unpacked before a damaged
 * end. It stops taking in while the reader is behind.
 */
async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: HEAD_BYTES });
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  const end: { isReached: boolean; fault: Error | null } = { isReached: false, fault: null };
  let wake: (() => void) | null = null;
  const tell = (): void => {
    wake?.();
    wake = null;
  };
  gunzip.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes > UNPACKED_AHEAD_BYTES) gunzip.pause();
    tell();
  });
  gunzip.on('end', () => {
    end.isReached = true;
    tell();
  });
  // The pipeline calls a cut file finished; its own error comes after that, and one of the source comes here too.
  gunzip.on('error', (fault: Error) => {
    end.isReached = true;
    end.fault = fault;
    tell();
  });
  pipeline(Readable.from(chunks), gunzip, () => {});
  const next = async (): Promise<Buffer | null> => {
    while (waiting.length === 0) {
      if (end.fault !== null) throw end.fault;
      if (end.isReached) return null;
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      gunzip.resume();
      await more;
    }
    const chunk = waiting.shift() ?? null;
    waitingBytes -= chunk?.length ?? 0;
    return chunk;
  };
  try {
    for (let chunk = await next(); chunk !== null; chunk = await next()) yield chunk;
  } finally {
    gunzip.destroy();
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Null for UTF-8 without a mark, and for what is no text. */
function encodingOf(head: Buffer): Encoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a mark: every other byte of Western text is zero.
  const sample = head.subarray(0, 200);
  const zerosAt = (parity: number): number => sample.filter((byte, at) => at % 2 === parity && byte === 0).length;
  if (sample.length < 8) return null;
  if (zerosAt(1) > sample.length * 0.4 && zerosAt(0) === 0) return 'utf-16le';
  if (zerosAt(0) > sample.length * 0.4 && zerosAt(1) === 0) return 'utf-16be';
  return null;
}

async function* decoded(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') {
    let isFirst = true;
    for await (const chunk of chunks) {
      yield isFirst ? chunk.subarray(3) : chunk;
      isFirst = false;
    }
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8');
  yield Buffer.from(decoder.decode(), 'utf8');
}
