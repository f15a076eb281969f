/**
 * Whether a line is more than one program with its words. A program that is put before such a line gets only its first
 * command: `run cd / && run-parts …` starts `cd`, which is none, and leaves the rest alone.
 */
import { parseCommands } from './shell-words.ts';

export interface ShellNeed {
  /** Who has to read the command: what cron itself would start. */
  readonly shell: 'sh' | 'bash';
  /** It has a quote of the kind that would stand around it. */
  readonly hasQuote: boolean;
  /** It sends something to the background, so that its shell ends before the work does. */
  readonly isLeftBehind: boolean;
}

/** Known to the shell alone: no file of that name can be started, or it would change nothing. */
const BUILTINS: ReadonlySet<string> = new Set([
  '.',
  ':',
  '[[',
  'cd',
  'command',
  'eval',
  'exec',
  'exit',
  'export',
  'read',
  'set',
  'source',
  'trap',
  'type',
  'ulimit',
  'umask',
  'unset',
  'wait',
]);

/** Null where the command is one program, its words and where its output goes. */
export function shellNeedOf(command: string, shell: 'sh' | 'bash'): ShellNeed | null {
  // `&>` is told apart by a sentence of its own, and is a redirection once that is mended.
  const commands = parseCommands(command, 'bash');
  const [first, ...others] = commands;
  if (first === undefined) return null;
  const isPlain =
    others.length === 0 &&
    first.end === '' &&
    first.assignments.length === 0 &&
    !first.isNegated &&
    !first.isCondition &&
    !BUILTINS.has(first.words[0] ?? '');
  if (isPlain) return null;
  return { shell, hasQuote: command.includes("'"), isLeftBehind: commands.some(({ end }) => end === '&') };
}
