import { LeaseholdError } from '../../errors.ts';
import { sqliteCode } from './driver.ts';

/** What SQLite or the file system says, as LeaseholdError. Each message names the store and what to do. */

/** Primary result codes of SQLite (sqlite.org/rescode.html), the lowest byte of every extended one. */
/** Of SQL that the file's contents don't fit: a table is missing, or there already. */
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
/** Many processes at once in the recovery of a WAL file. */
const PROTOCOL = 15;
/** The file's format can't be read. */
const FORMAT = 24;
const NOTADB = 26;
/** Extended codes, each an IOERR. */
const IOERR_SHORT_READ = 522;
/** No room for the file `-shm` beside the store: SQLite doesn't say FULL here. */
const IOERR_SHMSIZE = 4874;

const MISFIT = /already exists|already (?:a|an) |no such (?:table|column|index)|malformed/;

/** True where another process is in the way, so that trying again may help. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED || code === PROTOCOL;
}

/** The error of a failed call, for the caller. A LeaseholdError stays as it is. */
export function storeError(error: unknown, store: string): LeaseholdError {
  if (error instanceof LeaseholdError) return error;
  const text = error instanceof Error ? error.message : String(error);
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
    case PROTOCOL:
      return busyError(store, error);
    case READONLY:
      return readOnlyError(store, error);
    case FULL:
      return fullError(store, error);
    case IOERR:
      return ioError(store, text, error);
    case CANTOPEN:
      return unreachable(
        store,
        `it can't be opened (${text}); see that its folder exists and that this user may write to it`,
        error,
      );
    case CORRUPT:
    case FORMAT:
      return damagedError(store, text, error);
    case ERROR:
      if (MISFIT.test(text)) return damagedError(store, text, error);
      return new LeaseholdError('INTERNAL', `store ${store}: ${text}`, { cause: error });
    case NOTADB:
      return unusable(store, 'this file is not a SQLite database; name another file', error);
    case null:
    default:
      return fileError(error, store) ?? new LeaseholdError('INTERNAL', `store ${store}: ${text}`, { cause: error });
  }
}

function ioError(store: string, text: string, error: unknown): LeaseholdError {
  switch (sqliteCode(error)) {
    case IOERR_SHMSIZE:
      return fullError(store, error);
    case IOERR_SHORT_READ:
      return unreachable(
        store,
        `its file, or the log beside it (-wal), is shorter than it was (${text}): it was deleted or cut while processes work on it. End the processes that use it, then try again`,
        error,
      );
    case null:
    default:
      return unreachable(store, `its disk reports an error (${text}); look at the disk, then try again`, error);
  }
}

export function damagedError(store: string, what: string, cause?: unknown): LeaseholdError {
  return unusable(store, `its file is damaged (${what}); restore it from a backup, or move it away`, cause);
}

/** The error of a failed file operation; null where `error` is none. */
export function fileError(error: unknown, store: string): LeaseholdError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return readOnlyError(store, error);
    case 'ENOSPC':
    case 'EDQUOT':
      return fullError(store, error);
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return unusable(store, `no file can be at this path (${code}); name another one`, error);
    case 'ENOENT':
    case 'EIO':
    case 'ESTALE':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENODEV':
    case 'ENXIO':
      return unreachable(store, `the file system refuses it (${code}); try again when it is there`, error);
    default:
      return null;
  }
}

export function busyError(store: string, cause?: unknown): LeaseholdError {
  return unreachable(
    store,
    'other processes kept it locked for too long; nothing was changed. Try again. If it stays so, one of them keeps a transaction open: end it',
    cause,
  );
}

export function readOnlyError(store: string, cause?: unknown): LeaseholdError {
  return unreachable(store, 'this user may not write to its file and folder; give write access to both', cause);
}

export function fullError(store: string, cause?: unknown): LeaseholdError {
  return unreachable(store, 'its disk is full; nothing was changed. Free some space', cause);
}

export function goneError(store: string): LeaseholdError {
  return unreachable(
    store,
    'its file is not there any more: deleted, moved, or on a disk that is not mounted. Bring it back; or start anew, which forgets every lease in it',
  );
}

/** SQLite could not be brought into WAL mode. */
export function noSharedMemoryError(store: string): LeaseholdError {
  return unusable(store, 'its file system offers no shared memory to SQLite (WAL mode); put it on a local disk');
}

/** `shared` is what the file system is called; null for a share of the network by its path. */
export function sharedDiskError(store: string, shared: string | null): LeaseholdError {
  const where =
    shared === null
      ? 'it lies on a network share'
      : `it lies on ${shared}, where the locks of SQLite don't reach every process`;
  return unusable(store, `${where}; put it on a local disk, or use PostgreSQL for several machines`);
}

export function closedError(store: string): LeaseholdError {
  const { code, message } = unreachable(store, 'it was closed by this process; open it again');
  return new LeaseholdError(code, message, { isClosed: true });
}

export function unreachable(store: string, what: string, cause?: unknown): LeaseholdError {
  return new LeaseholdError('STORE_UNREACHABLE', `store ${store} can't be reached: ${what}`, { cause });
}

export function unusable(store: string, what: string, cause?: unknown): LeaseholdError {
  return new LeaseholdError('STORE_UNUSABLE', `store ${store} can't be used: ${what}`, { cause });
}

function primaryCode(error: unknown): number | null {
  const code = sqliteCode(error);
  return code === null ? null : code & 0xff;
}
