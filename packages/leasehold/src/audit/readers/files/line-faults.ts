import { isUtf8 } from 'node:buffer';
import type { AuditSink } from '../../model/sink.ts';
import { counted, grouped } from '../../words.ts';
import { feedsIn, type LineBlock, lineBlocks, LINE_BYTES_MAX } from './lines.ts';

/** So many bad lines of a file are told one by one; the others are counted. */
const TOLD_MAX = 5;

export const LINE_SAID = {
  notUtf8: 'Not UTF-8: unreadable characters were replaced.',
  tooLong: (): string => `A line of more than ${LINE_BYTES_MAX >> 20} MiB was left out.`,
  inEntry: (place: number, sentence: string): string => `Entry ${grouped(place)}: ${sentence}`,
  more: (count: number): string => `${counted(count, 'more place')} like these.`,
} as const;

/** What is wrong with single lines or entries of one file; told at its end, if the file was one of ours. */
export class LineFaults {
  readonly #isOfLines: boolean;
  readonly #told: { readonly place: number; readonly sentence: string }[] = [];
  #count = 0;

  /** `isOfLines`: places are lines; else they are entries of a list. */
  constructor(isOfLines: boolean) {
    this.#isOfLines = isOfLines;
  }

  get count(): number {
    return this.#count;
  }

  add(place: number, sentence: string): void {
    this.#count += 1;
    if (this.#told.length < TOLD_MAX) this.#told.push({ place, sentence });
  }

  tell(path: string, sink: AuditSink): void {
    for (const { place, sentence } of this.#told) {
      if (this.#isOfLines) sink.unread(`${path}:${place}`, sentence);
      else sink.unread(path, LINE_SAID.inEntry(place, sentence));
    }
    if (this.#count > TOLD_MAX) sink.unread(path, LINE_SAID.more(this.#count - TOLD_MAX));
  }
}

/** The lines of a file, with those told that are too long or no UTF-8. */
export async function* checkedLines(chunks: AsyncIterable<Buffer>, faults: LineFaults): AsyncGenerator<LineBlock> {
  for await (const block of lineBlocks(chunks, (line) => faults.add(line, LINE_SAID.tooLong()))) {
    if (!isUtf8(block.bytes)) tellBadLines(block, faults);
    yield block;
  }
}

function tellBadLines({ bytes, line }: LineBlock, faults: LineFaults): void {
  let from = 0;
  const feeds = feedsIn(bytes);
  for (let at = 0; at <= feeds; at += 1) {
    const feed = bytes.indexOf(0x0a, from);
    const end = feed === -1 ? bytes.length : feed;
    if (!isUtf8(bytes.subarray(from, end))) faults.add(line + at, LINE_SAID.notUtf8);
    from = end + 1;
  }
}
