import { readdirSync, readlinkSync, statSync, truncateSync, writeFileSync } from 'node:fs';

/**
 * Whether an open store is still the one that everybody else finds at its path.
 *
 * SQLite keeps a store in three files: the database, its log (`-wal`) and the index of the log (`-shm`, which
 * also bears the locks). It deletes the latter two only when the last connection closes, so while one of ours is
 * open none of the three may change its inode. Where one does, somebody deleted or replaced it: SQLite goes on
 * with files that nobody else can see, while the next process starts anew. Two truths, and two holders.
 *
 * Such a connection must be closed, and on closing SQLite would write the old log over what others have written
 * since. `forgetLostLog` prevents that where it can (Linux).
 */

/** Device and inode: what a path led to. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
}

/** The files of an open store. */
export interface StoreFiles {
  /** The database by its real path: beside it lie the others, whatever link led to it. */
  readonly path: string;
  readonly main: FileIdentity;
  readonly log: FileIdentity | null;
  readonly index: FileIdentity | null;
}

/** What a path leads to now; null where nothing is there any more. */
export function identifyFile(path: string): FileIdentity | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { device: found.dev, inode: found.ino };
}

/** The files as they are once SQLite has opened them. */
export function identifyStore(path: string, main: FileIdentity): StoreFiles {
  return { path, main, log: identifyFile(`${path}-wal`), index: identifyFile(`${path}-shm`) };
}

/** True where the database, its log or its index is no longer the opened one. `path` is what the caller named. */
export function isReplaced(path: string, files: StoreFiles): boolean {
  return !(
    isSame(files.main, identifyFile(path)) &&
    isSame(files.log, identifyFile(`${files.path}-wal`)) &&
    isSame(files.index, identifyFile(`${files.path}-shm`))
  );
}

/** True where two identities are the same file. Of a missing one nothing can be said: never the same. */
export function isSame(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && other !== null && one.device === other.device && one.inode === other.inode;
}

/** When the database itself was last written: in WAL mode that is a checkpoint. Null where it is gone. */
export function writtenAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Two copies of the header, 48 bytes each; SQLite reads the log anew where they are not valid. */
const INDEX_HEADER_BYTES = 96;

/**
 * To be called before the connection is closed. A deleted log is emptied where others have begun anew: they have
 * written a log of their own, or the database itself since `lastWrittenAt`, its time of writing when we last saw it.
 * Otherwise it is kept, and closing saves what is in it. Of a deleted index the header is emptied, so that SQLite
 * reads the log anew and nothing is lost that others have appended to it.
 *
 * Does nothing where the system doesn't show a process its open files.
 */
export function forgetLostLog({ path, log }: StoreFiles, lastWrittenAt: number | null): void {
  const isLogLost = !isSame(log, identifyFile(`${path}-wal`));
  const otherLogBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const isOvertaken = isLogLost && (otherLogBytes > 0 || writtenAt(path) !== lastWrittenAt);
  for (const [file, link] of openFiles()) {
    if (isOvertaken && link === `${path}-wal (deleted)`) truncateSync(file);
    if (!isLogLost && link === `${path}-shm (deleted)`) {
      writeFileSync(file, Buffer.alloc(INDEX_HEADER_BYTES), { flag: 'r+' });
    }
  }
}

/** The open files of this process, with what they lead to. */
function openFiles(): [file: string, link: string][] {
  try {
    return readdirSync('/proc/self/fd').flatMap((name) => {
      const file = `/proc/self/fd/${name}`;
      const link = linkOf(file);
      return link === null ? [] : [[file, link]];
    });
  } catch {
    return [];
  }
}

/** The list may be older than what it leads to: its own descriptor is closed by now. */
function linkOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
