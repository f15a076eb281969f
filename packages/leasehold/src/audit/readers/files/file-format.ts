import type { AuditSink } from '../../model/sink.ts';
import type { ColumnMap } from '../table/column-map.ts';

/** What the caller knows and a file may not say. */
export interface FileReadOptions {
  /** IANA name of the zone of times that name none; null where nobody knows it. */
  readonly timezone: string | null;
  /** Which column of a table is what; null where it is to be guessed. */
  readonly columns: ColumnMap | null;
  /** Told when `columns` was asked, whether it fitted or not. */
  readonly mapUsed?: () => void;
  /** What comes on standard input, to its end. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Reads a SQLite database of n8n, which is opened by its path; never rejects. */
  readonly readDatabase: (path: string, sink: AuditSink) => Promise<void>;
}

/** The first bytes of a file, by which it is recognised. Text is UTF-8 already, whatever the file has. */
export interface FileHead {
  readonly bytes: Buffer;
  readonly text: string;
  /** True where there is no more than this. */
  readonly isWhole: boolean;
}

/**
 * A file, a pipe or an entry of an archive, opened for one reader. Reading is once and forward; a damaged end
 * throws from `blocks`, after everything before it was handed over.
 */
export interface OpenedFile {
  /** How it is called in reports, without what is secret. */
  readonly path: string;
  /** Where it lies on this host, as it is: for readers that seek. Null for pipes, entries and packed files. */
  readonly diskPath: string | null;
  /** True where somebody named it; false where it was found in a folder or an archive. */
  readonly isNamed: boolean;
  readonly head: FileHead;
  /** All bytes from the beginning, unpacked, as UTF-8 without a byte order mark. */
  blocks(): AsyncIterable<Buffer>;
  /** Lets go of the file, also in the middle. */
  close(): Promise<void>;
}

/**
 * What became of a file: `read`, also where there was nothing in it to count and the sink was told; `unrelated`
 * where it is none of ours after all, with a word on why for whoever named it.
 */
export type ReadVerdict = { readonly kind: 'read' } | { readonly kind: 'unrelated'; readonly why: string };

export const READ: ReadVerdict = { kind: 'read' };

/** Reads a file that lies in another one, as if it lay in a folder. */
export type ReadInner = (path: string, chunks: AsyncIterable<Uint8Array>) => Promise<ReadVerdict>;

/** One kind of file. They are asked in order; the first that recognises a file reads it. */
export interface FileFormat {
  readonly name: string;
  /** By content alone, never by the file's name. */
  recognises(file: OpenedFile, options: FileReadOptions): boolean;
  read(file: OpenedFile, sink: AuditSink, options: FileReadOptions, readInner: ReadInner): Promise<ReadVerdict>;
}
