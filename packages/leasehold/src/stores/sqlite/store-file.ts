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
import { fileError, readOnlyError, unusable } from './errors.ts';
import { mountOf, sharedFileSystem } from './file-system.ts';

/** The file of a store: what must be true of it before SQLite opens it, and whether it is still the same. */

export const IN_MEMORY = ':memory:';

/** Device and inode: what a path led to when it was opened. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
}

/**
 * Makes the file ready to be opened: creates missing folders (0700) and the file (0600: tokens are
 * secrets), and refuses what SQLite would fail on later or, worse, work on wrongly.
 *
 * Throws STORE_UNUSABLE for a directory, for a network or shared file system and for a file that is
 * mounted by itself; STORE_UNREACHABLE for what may not be written or is full; STORE_FORBIDDEN for
 * what may not be read. Safe when several processes do so at once.
 */
export function prepareStoreFile(path: string, store: string): FileIdentity {
  try {
    const file = realFile(path);
    refuseSharedFileSystem(file, store);
    makeFolders(dirname(file));
    if (!existsSync(file)) createFile(file);
    refuseOtherThanFile(file, store);
    requireAccess(file, store);
    return readIdentity(file);
  } catch (error) {
    throw error instanceof LeaseholdError ? error : (fileError(error, store) ?? error);
  }
}

/** What the path leads to now; null where nothing is there any more. */
export function identifyFile(path: string): FileIdentity | null {
  try {
    return readIdentity(path);
  } catch {
    return null;
  }
}

function readIdentity(path: string): FileIdentity {
  const { dev, ino } = statSync(path);
  return { device: dev, inode: ino };
}

/** The path with all links followed; of what doesn't exist yet, as far as it does. At most as deep as the path. */
function realFile(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const folder = dirname(absolute);
  return folder === absolute ? absolute : resolve(realFile(folder), basename(absolute));
}

function refuseSharedFileSystem(file: string, store: string): void {
  const advice = 'put it on a local disk, or use PostgreSQL for several machines';
  if (file.startsWith('\\\\')) throw unusable(store, `it lies on a network share; ${advice}`);
  const mount = mountOf(file, readMountinfo());
  const shared = sharedFileSystem(statfsSync(nearestExisting(file)).type, mount?.type ?? null);
  if (shared !== null) {
    throw unusable(store, `it lies on ${shared}, where the locks of SQLite don't reach every process; ${advice}`);
  }
  if (mount?.place === file) {
    throw unusable(
      store,
      'its file is mounted by itself, but SQLite keeps a part of the store in files beside it; mount the folder instead',
    );
  }
}

function readMountinfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Asks for the right first: what `mkdir` itself says of a read-only file system is that nothing is there. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  accessSync(nearestExisting(folder), constants.W_OK);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function refuseOtherThanFile(file: string, store: string): void {
  const found = statSync(file);
  if (found.isDirectory()) throw unusable(store, 'it is a directory; name a file in it');
  if (!found.isFile()) throw unusable(store, 'it is not a plain file; name another one');
}

/** Exclusive, so that a file which another process made in between keeps its owner's mode. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
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
