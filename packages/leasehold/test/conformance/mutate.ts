/**
 * Loaded before a test file (`node --import`) by negative-controls.test.ts: makes the edits of the
 * mutation that LEASEHOLD_MUTATION names, in memory, while the engine's files are read.
 *
 * An edit whose text is not there exactly once is an error: a control that changes nothing proves nothing.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MUTATIONS } from './mutations.ts';

const SOURCE = new URL('../../src/', import.meta.url);

const name = process.env['LEASEHOLD_MUTATION'];
const mutation = MUTATIONS.find((candidate) => candidate.name === name);
if (mutation === undefined) throw new Error(`no mutation is called "${name}"`);
const pending = new Set(mutation.edits);

function edited(path: string, text: string): string {
  let result = text;
  for (const edit of mutation?.edits ?? []) {
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
