import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import type { AuditSink } from '../../model/sink.ts';
import { type FileFormat, type OpenedFile, READ, type ReadInner, type ReadVerdict } from '../files/file-format.ts';
import { grouped } from '../../words.ts';
import { UnrelatedFiles } from '../files/unrelated.ts';
import { wholeBytes } from '../files/whole-bytes.ts';

/** A ZIP has its list of contents at the end, so one that comes through a pipe is kept. */
const PIPED_BYTES_MAX = 256 << 20;
const ENTRIES_MAX = 50_000;

export const ZIP_SAID = {
  tooLargeForPipe: (): string =>
    `A ZIP archive of more than ${PIPED_BYTES_MAX >> 20} MiB can't be read from a pipe or another archive: name the file.`,
  damaged: 'A ZIP archive that is damaged, cut short or encrypted.',
  workbook: 'An Excel workbook: save its sheet as CSV.',
  encrypted: (name: string): string => `"${name}" in it is encrypted: not read.`,
  tooMany: (): string => `More than ${grouped(ENTRIES_MAX)} entries: the rest was not read.`,
  empty: 'An archive without files.',
} as const;

/** ZIP archives, as of an account's export: each entry is read as if it lay in a folder of that name. */
export const ZIP_FORMAT: FileFormat = {
  name: 'zip',
  recognises: ({ head: { bytes } }) =>
    bytes[0] === 0x50 &&
    bytes[1] === 0x4b &&
    ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6)),
  read: async (file, sink, _options, readInner) => readZip(file, sink, readInner),
};

async function readZip(file: OpenedFile, sink: AuditSink, readInner: ReadInner): Promise<ReadVerdict> {
  const told = (sentence: string): ReadVerdict => {
    sink.unread(file.path, sentence);
    return READ;
  };
  let archive: ZipFile;
  try {
    if (file.diskPath === null) {
      const bytes = await wholeBytes(file.blocks(), PIPED_BYTES_MAX);
      if (bytes === null) return told(ZIP_SAID.tooLargeForPipe());
      archive = await fromBufferPromise(bytes, { lazyEntries: true });
    } else {
      archive = await openPromise(file.diskPath, { lazyEntries: true, autoClose: false });
    }
  } catch {
    return told(ZIP_SAID.damaged);
  }
  try {
    return await readEntries(archive, file, sink, readInner);
  } catch {
    return told(ZIP_SAID.damaged);
  } finally {
    archive.close();
  }
}

async function readEntries(
  archive: ZipFile,
  file: OpenedFile,
  sink: AuditSink,
  readInner: ReadInner,
): Promise<ReadVerdict> {
  const unrelated = new UnrelatedFiles();
  let count = 0;
  let readCount = 0;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    count += 1;
    if (/^xl\/workbook\.xml$/.test(entry.fileName)) return workbook(file, sink);
    if (count > ENTRIES_MAX) {
      sink.unread(file.path, ZIP_SAID.tooMany());
      break;
    }
    const verdict = await readEntry(archive, entry, file, sink, readInner);
    if (verdict.kind === 'read') readCount += 1;
    else unrelated.add(entry.fileName);
  }
  const sentence = count === 0 ? ZIP_SAID.empty : unrelated.sentence();
  if (readCount === 0 && !file.isNamed) return { kind: 'unrelated', why: sentence ?? ZIP_SAID.empty };
  if (sentence !== null) sink.unread(file.path, sentence);
  return READ;
}

async function readEntry(
  archive: ZipFile,
  entry: Entry,
  file: OpenedFile,
  sink: AuditSink,
  readInner: ReadInner,
): Promise<ReadVerdict> {
  if (entry.isEncrypted()) {
    sink.unread(file.path, ZIP_SAID.encrypted(entry.fileName));
    return READ;
  }
  return readInner(`${file.path}/${entry.fileName}`, await archive.openReadStreamPromise(entry));
}

function workbook(file: OpenedFile, sink: AuditSink): ReadVerdict {
  if (!file.isNamed) return { kind: 'unrelated', why: ZIP_SAID.workbook };
  sink.unread(file.path, ZIP_SAID.workbook);
  return READ;
}
