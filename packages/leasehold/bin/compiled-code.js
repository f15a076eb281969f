// Keeps what Node.js compiled of this command for its next start, which then takes a third of the time.
//
// Whoever can write there decides what runs here: so only a directory that is this user's own, and that nobody else may
// write to, is used. With HOME of another user (`sudo -E`) or in a shared place there is none, and nothing is kept.
// `NODE_DISABLE_COMPILE_CACHE=1` turns it off; a full or read-only disk only costs the time.
import { mkdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, join } from 'node:path';

const OTHERS_MAY_WRITE = 0o022;

export function keepCompiledCode() {
  const { HOME, NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  if (NODE_COMPILE_CACHE !== undefined || process.geteuid === undefined) return;
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  if (!caches || !isAbsolute(caches)) return;
  const directory = join(caches, 'leasehold');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const isOurs = [caches, directory].every((path) => {
      const { uid, mode } = statSync(path);
      return uid === process.geteuid() && (mode & OTHERS_MAY_WRITE) === 0;
    });
    if (isOurs) module.enableCompileCache(directory);
  } catch {
    // Nowhere to keep it.
  }
}
