import type { AuditSink } from '../../model/sink.ts';
import {
  type FileFormat,
  type FileReadOptions,
  type OpenedFile,
  READ,
  type ReadVerdict,
} from '../files/file-format.ts';
import { asError } from '../files/damage.ts';
import { checkedLines, LineFaults } from '../files/line-faults.ts';
import { cutShort } from './cut-short.ts';
import { isEmptyHistory } from './empty-history.ts';
import { JsonIntake } from './intake.ts';
import { JSON_SAID } from './json-said.ts';
import { JsonSplitter } from './splitter.ts';

/** JSON in every form: one value, a list of any size, values one after the other, or one a line. */
export const JSON_FORMAT: FileFormat = {
  name: 'json',
  // The first character alone would take a file of `[sections]` for a list.
  recognises: ({ head }) => /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{\]"\d-]|$))/.test(head.text),
  read: readJson,
};

async function readJson(file: OpenedFile, sink: AuditSink, options: FileReadOptions): Promise<ReadVerdict> {
  const isLines = isOnePerLine(file.head.text, file.head.isWhole);
  const faults = new LineFaults(isLines);
  const intake = new JsonIntake(file.path, sink, options, isLines ? 'line' : 'entry');
  let end: string | null = null;
  let damage: Error | null = null;
  try {
    end = isLines ? await readLines(file, faults, intake) : await readValues(file, faults, intake);
  } catch (error) {
    damage = asError(error);
  }
  const verdict = intake.end();
  if (verdict.kind === 'unrelated') return endWithNothing(file, sink, verdict, { faults, isCut: end !== null, damage });
  faults.tell(file.path, sink);
  if (end !== null) sink.unread(file.path, end);
  if (damage !== null) throw damage;
  return READ;
}

interface Ending {
  readonly faults: LineFaults;
  readonly isCut: boolean;
  readonly damage: Error | null;
}

/** Of a file that is none of ours nobody wants to hear that it is broken, unless he named it or it looks like one. */
function endWithNothing(
  { path, head, isNamed }: OpenedFile,
  sink: AuditSink,
  unrelated: ReadVerdict,
  { faults, isCut, damage }: Ending,
): ReadVerdict {
  const cut = cutShort(head.text);
  const isTold = isNamed || cut.isOurs;
  if (isTold) faults.tell(path, sink);
  if (isTold && isCut) sink.unread(path, cut.sentence);
  if (damage !== null) throw damage;
  if (isTold && (isCut || faults.count > 0)) return READ;
  if (!isEmptyHistory(head, isNamed)) return unrelated;
  sink.unread(path, JSON_SAID.emptyHistory);
  sink.empty?.(path);
  return READ;
}

function isOnePerLine(text: string, isWhole: boolean): boolean {
  const start = text.search(/\S/);
  const feed = text.indexOf('\n', start);
  if (text[start] !== '{' || (feed === -1 && !isWhole)) return false;
  return parsed(text.slice(start, feed === -1 ? text.length : feed)) !== undefined;
}

/** Returns what is to be said about the file's end; null where there is nothing to say. */
async function readLines(file: OpenedFile, faults: LineFaults, intake: JsonIntake): Promise<string | null> {
  let last = { line: 0, isBroken: false };
  for await (const { bytes, line: first } of checkedLines(file.blocks(), faults)) {
    const text = bytes.toString('utf8');
    if (last.isBroken) faults.add(last.line, JSON_SAID.notJson);
    last = { line: 0, isBroken: false };
    let line = first;
    for (let at = 0; at < text.length; line += 1) {
      const feed = text.indexOf('\n', at);
      const end = feed === -1 ? text.length : feed;
      const value = parsed(text.slice(at, end));
      if (value !== undefined) intake.take(value, line);
      else if (feed === -1) last = { line, isBroken: true };
      else if (text.slice(at, end).trim() !== '') faults.add(line, JSON_SAID.notJson);
      at = end + 1;
    }
    if (intake.isRefused) return null;
  }
  return last.isBroken ? JSON_SAID.cutInLine(last.line) : null;
}

async function readValues(file: OpenedFile, faults: LineFaults, intake: JsonIntake): Promise<string | null> {
  const splitter = new JsonSplitter({
    value: (text, ordinal) => {
      const value = parsed(text);
      if (value === undefined) faults.add(ordinal, JSON_SAID.notJson);
      else intake.take(value, ordinal);
      return value !== undefined;
    },
    tooLarge: (ordinal) => faults.add(ordinal, JSON_SAID.tooLarge()),
  });
  let isWhole = true;
  try {
    for await (const block of file.blocks()) {
      splitter.push(block);
      if (intake.isRefused) return null;
    }
  } finally {
    // Also of a damaged file: a list in a wrapper that was not closed is looked through now.
    isWhole = splitter.end();
  }
  return isWhole ? null : JSON_SAID.cutAfter(splitter.ordinal);
}

/** Undefined, which no JSON is, where a text is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
