/**
 * Loaded before a program or a test file (`node --import`) by negative controls: makes the edits of
 * LEASEHOLD_EDITS, in memory, while files below `src/` are read, `.sql` files as well.
 *
 * An edit whose text is not there exactly once is an error, and an edit that was never made is said:
 * a control that changes nothing proves nothing.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Edit {
  /** Below `src/`. */
  readonly file: string;
  /** Must be in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

const SOURCE = new URL('../src/', import.meta.url);
const edits = JSON.parse(process.env['LEASEHOLD_EDITS'] ?? '[]') as readonly Edit[];
const pending = new Set(edits);

function edited(path: string, text: string): string {
  let result = text;
  for (const edit of edits) {
    if (fileURLToPath(new URL(edit.file, SOURCE)) !== path) continue;
    if (result.split(edit.from).length !== 2) throw new Error(`${edit.file} does not have once: ${edit.from}`);
    result = result.replace(edit.from, () => edit.to);
    pending.delete(edit);
  }
  return result;
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(SOURCE.href) || loaded.source === undefined || loaded.source === null) return loaded;
    const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: edited(fileURLToPath(url), text) };
  },
});

const { readFileSync } = fs;
fs.readFileSync = ((path: fs.PathOrFileDescriptor, ...options: [never]) => {
  const read: unknown = readFileSync(path, ...options);
  return path instanceof URL && typeof read === 'string' ? edited(fileURLToPath(path), read) : read;
}) as typeof readFileSync;
syncBuiltinESMExports();

process.on('exit', () => {
  if (pending.size > 0) process.stdout.write('# a mutation was not made\n');
});
