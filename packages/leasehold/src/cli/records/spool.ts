import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LeaseholdError } from '../../errors.ts';
import { LineCutter } from './lines.ts';
import type { InputRecord } from './record-line.ts';

/**
 * Records that were read and checked, and wait for the last line to be so too: nothing is claimed or enqueued while a
 * line may still be wrong. A few thousand are kept in memory, more in a file without a name, which this user alone
 * can read and which ends with this process, however that ends.
 */
const MEMORY_BYTES_MAX: number = 16 * 1_048_576;
/** What a record takes beside its texts. */
const RECORD_BYTES = 128;
const WRITE_BYTES = 262_144;

export class Spool implements AsyncDisposable {
  #kept: InputRecord[] = [];
  #keptBytes = 0;
  #file: FileHandle | null = null;
  #fileBytes = 0;
  #lines: string[] = [];
  #linesBytes = 0;
  #count = 0;
  readonly #memoryBytesMax: number;

  constructor(memoryBytesMax: number = MEMORY_BYTES_MAX) {
    this.#memoryBytesMax = memoryBytesMax;
  }

  get count(): number {
    return this.#count;
  }

  /** Every record in its order; null where they no longer fit into memory. */
  inMemory(): readonly InputRecord[] | null {
    return this.#file === null ? this.#kept : null;
  }

  async add(record: InputRecord): Promise<void> {
    this.#count += 1;
    if (this.#file !== null) return await this.#write(record);
    this.#kept.push(record);
    this.#keptBytes += RECORD_BYTES + 2 * (record.id.length + record.version.length + (record.payload?.length ?? 0));
    if (this.#keptBytes <= this.#memoryBytesMax) return;
    const kept = this.#kept;
    this.#kept = [];
    this.#file = await openNameless();
    for (const each of kept) await this.#write(each);
  }

  /** Every record in its order. Not while one is added. */
  async *read(): AsyncGenerator<InputRecord> {
    if (this.#file === null) {
      yield* this.#kept;
      return;
    }
    await this.#flush(this.#file);
    if (this.#fileBytes === 0) return;
    const cutter = new LineCutter();
    const { fd } = this.#file;
    for await (const chunk of createReadStream('', { fd, start: 0, end: this.#fileBytes - 1, autoClose: false })) {
      for (const { text } of cutter.push(chunk as Buffer)) yield revive(text ?? '');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kept = [];
    await this.#file?.close().catch(() => {});
    this.#file = null;
  }

  async #write(record: InputRecord): Promise<void> {
    const { id, version, payload, notBefore } = record;
    const line = `${JSON.stringify([id, version, payload, notBefore])}\n`;
    this.#lines.push(line);
    this.#linesBytes += line.length;
    if (this.#linesBytes > WRITE_BYTES && this.#file !== null) await this.#flush(this.#file);
  }

  async #flush(file: FileHandle): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#linesBytes = 0;
    try {
      await writeAll(file, bytes, this.#fileBytes);
    } catch (error) {
      refuse(error);
    }
    this.#fileBytes += bytes.length;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function revive(line: string): InputRecord {
  const [id, version, payload, notBefore] = JSON.parse(line) as [string, string, string | null, string | null];
  return { id, version, payload, notBefore: notBefore === null ? null : new Date(notBefore) };
}

/** Its name is gone before anything is in it. */
async function openNameless(): Promise<FileHandle> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'leasehold-ids-'));
    try {
      return await open(join(folder, 'ids'), 'wx+', 0o600);
    } finally {
      await rm(folder, { recursive: true });
    }
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  const message = `the ids take more room than ${tmpdir()} has for them (${code}); name another place by TMPDIR, or give fewer`;
  throw new LeaseholdError('INVALID_ARGUMENT', message, { cause: error });
}
