/**
 * The order of the words on a command line, before they are parsed: options may stand before or
 * after the subcommand, and what follows the first `--` of `run` is the guarded command, word for
 * word, whatever it looks like.
 */

/** The options that take no value. All others do, so that the word after them is never the subcommand. */
export const FLAGS: ReadonlySet<string> = new Set([
  '--again',
  '--bypass',
  '--explicit-begin',
  '--free-null',
  '--help',
  '--json',
  '--now',
  '--once',
  '--permanent',
  '--print',
  '--psql',
  '--tag-output',
  '--version',
  '-h',
  '-V',
]);

/** Commands that only gather other commands. */
export const GROUPS: ReadonlySet<string> = new Set(['alert', 'sql']);

export interface OrderedArguments {
  /** The first word that is neither an option nor an option's value; null where there is none. */
  readonly subcommand: string | null;
  /** The same words, the subcommand first; of a group its own subcommand follows. */
  readonly words: readonly string[];
}

/** Puts the subcommand first and the options that stood before it behind it. */
export function orderArguments(argv: readonly string[]): OrderedArguments {
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) {
      const others = [...argv.slice(0, at), ...argv.slice(at + 1)];
      return { subcommand: word, words: [word, ...(GROUPS.has(word) ? orderArguments(others).words : others)] };
    }
    at += FLAGS.has(word) || word.includes('=') ? 1 : 2;
  }
  return { subcommand: null, words: argv };
}

export interface SplitArguments {
  readonly own: readonly string[];
  /** What follows the first `--`; null where there is none. */
  readonly command: readonly string[] | null;
}

/** Splits the words of `run` at the first `--`. */
export function splitCommand(words: readonly string[]): SplitArguments {
  const at = words.indexOf('--');
  if (at === -1) return { own: words, command: null };
  return { own: words.slice(0, at), command: words.slice(at + 1) };
}
