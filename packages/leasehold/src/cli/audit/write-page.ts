import { mkdtemp, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { usageError } from '../options.ts';

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
