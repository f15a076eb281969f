import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { LeaseholdError } from '../../errors.ts';
import { fileError, readOnlyError, sharedDiskError, unusable } from './errors.ts';
import type { FileIdentity } from './file-identity.ts';
import { mountOf, sharedFileSystem } from './file-system.ts';

/** The file of a store: what must be true of it before SQLite opens it. */

export const IN_MEMORY = ':memory:';

/**
 * Makes the file ready to be opened: creates missing folders (0700) and the file (0600: tokens are
 * secrets), and refuses what SQLite would fail on later or, worse, work on wrongly. Answers the file's
 * real path and what it led to.
 *
 * Throws STORE_UNUSABLE for a directory, for a network or shared file system, for a file that is
 * mounted by itself and for one that has another name (hard link); STORE_UNREACHABLE for what may not be written or is full; STORE_FORBIDDEN for
 * what may not be read. Safe when several processes do so at once.
 */
export function prepareStoreFile(path: string, store: string): { readonly file: string; readonly main: FileIdentity } {
  try {
    const file = realFile(path);
    refuseSharedFileSystem(file, store);
    makeFolders(dirname(file));
    if (!existsSync(file)) createFile(file);
    refuseOtherThanFile(file, store);
    requireAccess(file, store);
    const { dev, ino } = statSync(file);
    return { file, main: { device: dev, inode: ino } };
  } catch (error) {
    throw error instanceof LeaseholdError ? error : (fileError(error, store) ?? error);
  }
}

/** The path with all links followed; of what doesn't exist yet, as far as it does. At most as deep as the path. */
function realFile(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const folder = dirname(absolute);
  return folder === absolute ? absolute : resolve(realFile(folder), basename(absolute));
}

function refuseSharedFileSystem(file: string, store: string): void {
  if (file.startsWith('\\\\')) throw sharedDiskError(store, null);
  const mount = mountOf(file, readMountinfo());
  const shared = sharedFileSystem(statfsSync(nearestExisting(file)).type, mount?.type ?? null);
  if (shared !== null) throw sharedDiskError(store, shared);
  if (mount?.place === file) {
    throw unusable(
      store,
      'its file is mounted by itself, but SQLite keeps a part of the store in files beside it; mount the folder instead',
    );
  }
}

/** This process's mount table as text; empty where the system has none. */
export function readMountinfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/**
 * One level after the other, as deep as the path: Node's own `recursive` tries for ever where the parent is
 * there and nothing can be made in it (/proc). Asks for the right first: what `mkdir` itself says of a read-only
 * file system is that nothing is there.
 */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  accessSync(dirname(folder), constants.W_OK);
  unlessThere(() => mkdirSync(folder, { mode: 0o700 }));
}

function refuseOtherThanFile(file: string, store: string): void {
  const found = statSync(file);
  if (found.isDirectory()) throw unusable(store, 'it is a directory; name a file in it');
  if (!found.isFile()) throw unusable(store, 'it is not a plain file; name another one');
  if (found.nlink > 1) {
    throw unusable(
      store,
      `its file has ${found.nlink} names (hard links), but SQLite keeps a part of the store in files beside each name: two names are two stores. Remove all names but one (find them with: find / -xdev -samefile FILE), or make a copy`,
    );
  }
}

/** Exclusive, so that a file which another process made in between keeps its owner's mode. */
function createFile(file: string): void {
  unlessThere(() => closeSync(openSync(file, 'wx', 0o600)));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
  }
}

function requireAccess(file: string, store: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    throw new LeaseholdError('STORE_FORBIDDEN', `store ${store}: this user may not read its file; give access to it`, {
      cause,
    });
  }
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw readOnlyError(store, cause);
  }
}
