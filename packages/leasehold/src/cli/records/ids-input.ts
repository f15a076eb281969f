import { createReadStream } from 'node:fs';
import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import { absolutePath } from '../store-location.ts';
import { LINE_BYTES_MAX, type Line, LineCutter } from './lines.ts';
import { checkId } from '../../domain/limits.ts';
import { formOf, type InputRecord, type LineForm, parseRecordLine } from './record-line.ts';
import { Spool } from './spool.ts';

/**
 * The ids of `claim`, `enqueue` and `return`: from `--ids`, or one a line from a file or stdin. All of it is read and
 * checked before a store is opened, so that a wrong line costs nothing but its correction: nothing was claimed that
 * nobody knows of, and nothing was left out.
 */
export interface IdsOptions {
  readonly ids?: readonly string[];
  /** `-` is stdin. */
  readonly idsFile?: string;
}

/** Wrong lines that are named by their numbers. */
const WRONG_LINES_NAMED = 10;

/** Null where neither option is given. Throws INVALID_ARGUMENT, naming the first wrong line and the numbers of others. */
export async function readIds(options: IdsOptions, host: CommandHost): Promise<Spool | null> {
  const { ids, idsFile } = options;
  if (ids !== undefined && idsFile !== undefined) refuse('--ids and --ids-file exclude each other');
  if (idsFile !== undefined) return await spoolOf(idsFile, host);
  if (ids === undefined) return null;
  const spool = new Spool();
  for (const id of ids) await spool.add({ id, version: '', payload: null, notBefore: null });
  return spool;
}

/** `a,b`: the ids between the commas, without the blanks around them. An empty text is an empty list. */
export function parseIds(text: string, before: readonly string[] = []): readonly string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return [...before, ...ids.map((id) => checkId(id, 'ids: an id'))];
}

async function spoolOf(idsFile: string, host: CommandHost): Promise<Spool> {
  const spool = new Spool();
  const reader = new RecordReader();
  try {
    for await (const chunk of readBytes(idsFile, host)) {
      for (const record of reader.push(chunk)) await spool.add(record);
    }
    for (const record of reader.end()) await spool.add(record);
    reader.assertRight(idsFile === '-' ? 'stdin' : idsFile);
    return spool;
  } catch (error) {
    await spool[Symbol.asyncDispose]();
    throw error;
  }
}

async function* readBytes(idsFile: string, host: CommandHost): AsyncGenerator<Uint8Array> {
  try {
    yield* idsFile === '-' ? host.readInput() : fileChunks(absolutePath(idsFile, host));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || isLeaseholdError(error)) throw error;
    const from = idsFile === '-' ? 'stdin' : idsFile;
    throw new LeaseholdError('INVALID_ARGUMENT', `ids-file: ${from} can't be read (${code})`, { cause: error });
  }
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) yield chunk as Buffer;
}

/** Lines to records. A wrong line is kept in mind, and the rest is read for others. */
class RecordReader {
  readonly #cutter = new LineCutter();
  #form: LineForm | null = null;
  #first: string | null = null;
  #numbers: number[] = [];
  #wrong = 0;

  push(chunk: Uint8Array): InputRecord[] {
    return this.#cutter.push(chunk).flatMap((line) => this.#parse(line));
  }

  end(): InputRecord[] {
    return this.#cutter.end().flatMap((line) => this.#parse(line));
  }

  assertRight(from: string): void {
    if (this.#first === null) return;
    const others = this.#numbers.slice(1);
    const more = this.#wrong - this.#numbers.length;
    const lines = `${others.length === 1 ? 'line' : 'lines'} ${others.join(', ')}`;
    const rest = others.length === 0 ? '' : `; wrong as well: ${lines}${more === 0 ? '' : ` and ${more} more`}`;
    refuse(`ids-file ${from}: ${this.#first}${rest}. No store was touched`);
  }

  #parse({ number, text }: Line): InputRecord[] {
    try {
      if (text === null) refuse(`is not UTF-8 text, or longer than ${LINE_BYTES_MAX} bytes`);
      const trimmed = text.trim();
      if (trimmed === '') return [];
      this.#form ??= formOf(trimmed);
      return [parseRecordLine(trimmed, this.#form)];
    } catch (error) {
      if (!isLeaseholdError(error, 'INVALID_ARGUMENT')) throw error;
      this.#first ??= `line ${number}: ${error.message}`;
      this.#wrong += 1;
      if (this.#numbers.length < WRONG_LINES_NAMED) this.#numbers.push(number);
      return [];
    }
  }
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
