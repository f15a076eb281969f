import { redact } from '../../redact.ts';
import { grouped } from '../../words.ts';

/** What is said about files as such; each kind of file has its own sentences beside its reader. */
export const SAID = {
  emptyFile: 'Empty: there is nothing to read.',
  emptyFolder: 'A folder without files.',
  unknownContent:
    'None of the kinds that can be read: a crontab, CSV, JSON or NDJSON, a SQLite database of n8n, or a ZIP archive of such files.',
  tooDeep: (depth: number): string => `Deeper than ${depth} folders: not entered.`,
  tooManyFiles: (files: number): string =>
    `More than ${grouped(files)} files: this one and those after it were not read.`,
  unrelated: (count: number, kinds: string): string =>
    count === 1
      ? `One file is not a history or a workflow (${kinds}).`
      : `${grouped(count)} files are not histories or workflows (${kinds}).`,
  missing: 'There is no such file or folder.',
  forbidden: 'This user may not read it.',
  loop: 'A link that leads back to itself.',
  damagedPacking: 'The packed file is damaged or cut short: what came before that was read.',
  stopped: (why: string): string => `Reading stopped (${why}): what came before that counts.`,
} as const;

/** Of what is said about a path: true where nobody could look at it. */
export function isOutOfReach(reason: string): boolean {
  return [SAID.missing, SAID.forbidden, SAID.loop].includes(reason as never) || reason.startsWith(STOPPED);
}

const STOPPED = 'Reading stopped';

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
