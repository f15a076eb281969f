import { redact } from '../../redact.ts';
import { grouped } from './grouped.ts';

/** What is said about files as such; each kind of file has its own sentences beside its reader. */
export const SAID = {
  emptyFile: 'is empty',
  emptyFolder: 'holds no files',
  unknownContent:
    'is none of the kinds that can be read: a crontab, CSV, JSON or NDJSON, a SQLite database of n8n, or a ZIP of them',
  stdinTwice: 'standard input was named twice, or there is none',
  tooDeep: (depth: number): string => `lies deeper than ${depth} folders and was not entered`,
  tooManyFiles: (files: number): string =>
    `is file ${grouped(files + 1)} of this folder: it and the rest were not read`,
  unrelated: (count: number, kinds: string): string =>
    count === 1
      ? `one file is not a history or a workflow (${kinds})`
      : `${grouped(count)} files are not histories or workflows (${kinds})`,
  missing: 'does not exist',
  forbidden: 'may not be read by this user',
  loop: 'is a link that leads back to itself',
  damagedPacking: 'is packed, and the packing is damaged or cut short: what came before that was read',
  stopped: (why: string): string => `could not be read to its end (${why}): what came before that was read`,
} as const;

/** Why a path can't be opened. */
export function faultOfFile(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return SAID.missing;
  if (code === 'EACCES' || code === 'EPERM') return SAID.forbidden;
  if (code === 'ELOOP') return SAID.loop;
  return SAID.stopped(reasonOf(error));
}

/** Why a file that was opened can't be read on. */
export function faultOfReading(error: unknown): string {
  const code = codeOf(error);
  if (/^Z_(DATA|BUF)_ERROR$/.test(code)) return SAID.damagedPacking;
  return faultOfFile(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A system's own words, without the paths in them. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return redact(text.replaceAll(/'[^']*'/g, '…').slice(0, 200));
}
