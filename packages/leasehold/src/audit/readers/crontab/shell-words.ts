/**
 * Enough of a shell's grammar to see what a line of a crontab starts: simple commands with their words, what joins them,
 * and what is nested by `sh -c`. It expands nothing; words keep `$X` and `*` as they stand.
 */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** `A=1` before the command. */
  readonly assignments: readonly string[];
  /** What stands behind it: `&` starts it in the background. */
  readonly end: '' | ';' | '&' | '&&' | '||' | '|' | ')';
  /** Files it reads or writes, by descriptor: `9>lock` is `['9', 'lock']`. */
  readonly redirects: readonly (readonly [fd: string, target: string])[];
  /** `!` before it, or `if`: what follows is done where it fails, or by how it ends. */
  readonly isNegated: boolean;
  readonly isCondition: boolean;
}

/** Words of the shell's own that stand before a command. */
const RESERVED: ReadonlySet<string> = new Set([
  '{',
  '}',
  '!',
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'while',
  'until',
  'do',
  'done',
]);
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'elif', 'while', 'until']);

type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'redirect'; readonly fd: string };

/** A longer command is cut: what guards it stands at its beginning. */
const LENGTH_MAX = 16_384;

/** `&>>` is bash's; in sh it is `&`, then `>>`: the command goes to the background. */
export function parseCommands(text: string, shell: 'sh' | 'bash'): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let redirects: [string, string][] = [];
  let pendingFd: string | null = null;
  const close = (end: SimpleCommand['end']): void => {
    const own = words.findIndex((word) => !RESERVED.has(word));
    const before = words.slice(0, own === -1 ? words.length : own);
    const rest = words.slice(before.length);
    const from = rest.findIndex((word) => !/^\w+=/.test(word));
    const first = from === -1 ? rest.length : from;
    if (rest.length > 0 || redirects.length > 0) {
      commands.push({
        words: rest.slice(first),
        assignments: rest.slice(0, first),
        end,
        redirects,
        isNegated: before.includes('!'),
        isCondition: before.some((word) => CONDITIONS.has(word)),
      });
    }
    words = [];
    redirects = [];
  };
  for (const token of tokensOf(text.slice(0, LENGTH_MAX), shell)) {
    if (token.kind === 'redirect') {
      pendingFd = token.fd;
    } else if (token.kind === 'word') {
      if (pendingFd === null) words.push(token.text);
      else redirects.push([pendingFd, token.text]);
      pendingFd = null;
    } else if (token.text === '(') {
      close('');
    } else {
      close(token.text as SimpleCommand['end']);
    }
  }
  close('');
  return commands;
}

const OPERATOR = /^(?:&&|\|\||;;|;|\|&|\||&|\(|\))/;
const REDIRECT = /^(\d*)(?:>>|>\||<<<|<<|<>|>|<)/;
const BOTH = /^&>>?/;
const DUPLICATE = /^(\d*)[<>]&(?:\d+|-)/;

function* tokensOf(text: string, shell: 'sh' | 'bash'): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const space = /^\s+/.exec(rest);
    const duplicate = DUPLICATE.exec(rest);
    const redirect = REDIRECT.exec(rest);
    if (space !== null) {
      at += space[0].length;
    } else if (rest.startsWith('#')) {
      return;
    } else if (shell === 'bash' && BOTH.test(rest)) {
      at += (BOTH.exec(rest)?.[0] ?? '').length;
      yield { kind: 'redirect', fd: '1' };
    } else if (duplicate !== null) {
      at += duplicate[0].length;
    } else if (redirect !== null) {
      at += redirect[0].length;
      yield {
        kind: 'redirect',
        fd: redirect[1] === '' ? (redirect[0].includes('<') ? '0' : '1') : (redirect[1] ?? ''),
      };
    } else if (OPERATOR.test(rest)) {
      const operator = OPERATOR.exec(rest)?.[0] ?? ';';
      at += operator.length;
      yield { kind: 'operator', text: operator === ';;' ? ';' : operator === '|&' ? '|' : operator };
    } else {
      const { word, length } = readWord(rest);
      at += length;
      yield { kind: 'word', text: word };
    }
  }
}

/** One word with its quotes taken off; `$(…)` and backquotes stay in one piece. */
function readWord(text: string): { word: string; length: number } {
  let word = '';
  let at = 0;
  while (at < text.length) {
    const here = text[at] ?? '';
    if (/[\s;&|()<>]/.test(here)) break;
    const piece = readPiece(text, at, here);
    word += piece.word;
    at += piece.length;
  }
  return { word, length: Math.max(1, at) };
}

function readPiece(text: string, at: number, here: string): { word: string; length: number } {
  if (here === '\\') return { word: text[at + 1] ?? '', length: 2 };
  if (here === "'") {
    const end = endOf(text, "'", at + 1);
    return { word: text.slice(at + 1, end), length: end + 1 - at };
  }
  if (here === '"') {
    const end = endOfDouble(text, at + 1);
    return { word: text.slice(at + 1, end).replaceAll(/\\(["\\$`])/g, '$1'), length: end + 1 - at };
  }
  if (here === '`') {
    const end = endOf(text, '`', at + 1);
    return { word: text.slice(at, end + 1), length: end + 1 - at };
  }
  if (here === '$' && text[at + 1] === '(') {
    const end = endOfParenthesis(text, at + 2);
    return { word: text.slice(at, end + 1), length: end + 1 - at };
  }
  return { word: here, length: 1 };
}

function endOf(text: string, quote: string, from: number): number {
  const end = text.indexOf(quote, from);
  return end === -1 ? text.length : end;
}

function endOfDouble(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function endOfParenthesis(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}
