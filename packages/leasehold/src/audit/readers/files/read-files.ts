import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import type { FileReadOptions, OpenedFile, ReadInner, ReadVerdict } from './file-format.ts';
import { FILE_FORMATS } from './formats.ts';
import { type FileOrigin, openBytes } from './open-file.ts';
import { faultOfFile, faultOfReading, SAID } from './said.ts';
import { UnrelatedFiles } from './unrelated.ts';
import { walkFolder } from './walk.ts';

/** How much is read at once: large enough for the disk, small beside what a run may use. */
const READ_BYTES = 256 << 10;

/** An archive in an archive in an archive is looked into no further. */
const ARCHIVES_MAX = 3;

/** How standard input is called in reports. */
export const STDIN_PATH = '-';

/**
 * Reads a file, a folder or, as `-`, standard input: each file by the first format that recognises its content. What
 * can't be read is told to the sink, in one sentence each; it never throws for what it finds. Of a folder the files
 * that are none of ours are told together.
 */
export async function readPath(path: string, sink: AuditSink, options: FileReadOptions): Promise<void> {
  if (path === STDIN_PATH) return readNamed(STDIN_PATH, null, options.stdin(), sink, options);
  let facts: Stats;
  try {
    facts = await stat(path);
  } catch (error) {
    return sink.unread(redact(path), faultOfFile(error));
  }
  if (facts.isDirectory()) return readFolder(path, sink, options);
  // A named pipe, as of `<(command)`, has no size and can't be sought in.
  const isPlain = facts.isFile();
  await readNamed(path, isPlain ? path : null, isPlain ? fileChunks(path) : createReadStream(path), sink, options);
}

async function readNamed(
  path: string,
  diskPath: string | null,
  chunks: AsyncIterable<Uint8Array>,
  sink: AuditSink,
  options: FileReadOptions,
): Promise<void> {
  const shown = redact(path);
  const verdict = await readOne({ path: shown, diskPath, isNamed: true }, chunks, sink, options);
  if (verdict.kind === 'unrelated') sink.unread(shown, verdict.why);
}

async function readFolder(folder: string, sink: AuditSink, options: FileReadOptions): Promise<void> {
  const unrelated = new UnrelatedFiles();
  let files = 0;
  await walkFolder(folder, {
    file: async (path) => {
      files += 1;
      const origin = { path: redact(path), diskPath: path, isNamed: false };
      const verdict = await readOne(origin, fileChunks(path), sink, options);
      if (verdict.kind === 'unrelated') unrelated.add(path);
    },
    fault: (path, sentence) => sink.unread(redact(path), sentence),
  });
  const sentence = files === 0 ? SAID.emptyFolder : unrelated.sentence();
  if (sentence !== null) sink.unread(redact(folder), sentence);
}

/** Opens, recognises and reads one file. Damage is told to the sink, and what came before it counts. */
async function readOne(
  origin: FileOrigin,
  chunks: AsyncIterable<Uint8Array>,
  sink: AuditSink,
  options: FileReadOptions,
  depth = 0,
): Promise<ReadVerdict> {
  const readInner: ReadInner = async (path, inner) => {
    if (depth >= ARCHIVES_MAX) return { kind: 'unrelated', why: SAID.unknownContent };
    return readOne({ path: redact(path), diskPath: null, isNamed: false }, inner, sink, options, depth + 1);
  };
  let file: OpenedFile | null = null;
  try {
    file = await openBytes(origin, chunks);
    const opened = file;
    if (opened.head.bytes.length === 0) return { kind: 'unrelated', why: SAID.emptyFile };
    const format = FILE_FORMATS.find((candidate) => candidate.recognises(opened, options));
    if (format === undefined) return { kind: 'unrelated', why: SAID.unknownContent };
    return await format.read(opened, sink, options, readInner);
  } catch (error) {
    sink.unread(origin.path, faultOfReading(error));
    return { kind: 'read' };
  } finally {
    await file?.close();
  }
}

/** The next piece is read while this one is worked: on a busy host each wait for the disk is a wait for the processor, too. */
async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r');
  let ahead: Promise<Piece> | null = null;
  try {
    // Small files are many: each takes what it needs, and one read.
    const bytes = Math.min((await handle.stat()).size + 1, READ_BYTES);
    ahead = readPiece(handle, bytes);
    for (;;) {
      const piece: Piece = await ahead;
      const { bytesRead, buffer } = piece;
      ahead = bytesRead < bytes ? null : readPiece(handle, bytes);
      // Whoever stops here waits for it below; until then its fault is nobody's.
      ahead?.catch(() => {});
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      if (ahead === null) return;
    }
  } finally {
    await ahead?.catch(() => {});
    await handle.close();
  }
}

interface Piece {
  readonly bytesRead: number;
  readonly buffer: Buffer;
}

function readPiece(handle: FileHandle, bytes: number): Promise<Piece> {
  return handle.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, null);
}
