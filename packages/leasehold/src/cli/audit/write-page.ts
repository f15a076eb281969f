import { mkdtemp, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { usageError } from '../options.ts';

/** What a page begins with: ours, and anybody's. */
const PAGE = /^\s*(?:<!doctype html|<html)/i;
const HEAD_BYTES = 256;

/**
 * Refuses a file that is there and is no page: who forgets its name would else lose the history that stands in its place. To be
 * asked before anything is read. Throws INVALID_ARGUMENT.
 */
export async function checkPagePath(path: string): Promise<void> {
  const known = await stat(path).catch(() => null);
  if (known === null || !known.isFile() || known.size === 0) return;
  const file = await open(path, 'r').catch(() => null);
  // One that can't be read may be written all the same; that is told when it is.
  if (file === null) return;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (PAGE.test(buffer.toString('utf8', 0, bytesRead))) return;
  } finally {
    await file.close();
  }
  throw usageError(`html: "${path}" is there and is no page; name another file, or delete it first`);
}

/**
 * Writes a page to a file, whole or not at all: who looks meanwhile, or after a crash, finds the old one. A device or a
 * pipe is written as it is. Throws INVALID_ARGUMENT where it can't be written; a crash may leave a folder
 * `.leasehold-page-…` beside it.
 */
export async function writePage(path: string, page: string): Promise<void> {
  try {
    const known = await stat(path).catch(() => null);
    if (known !== null && !known.isFile()) return await writeFile(path, page);
    // Through a link to what it links to.
    await replace(known === null ? path : await realpath(path), page, known?.mode);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw usageError(`html: "${path}" can't be written (${code})`);
  }
}

async function replace(path: string, page: string, mode: number | undefined): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), '.leasehold-page-'));
  try {
    const part = join(folder, 'page.html');
    await writeFile(part, page, { flush: true, ...(mode === undefined ? {} : { mode: mode & 0o777 }) });
    await rename(part, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
