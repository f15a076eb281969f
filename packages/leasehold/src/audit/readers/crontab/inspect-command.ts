/**
 * What a line of a crontab starts, and what keeps it from starting twice. Guards are followed as far as the line shows
 * them: what a script does inside can't be seen, and the findings say so.
 */
import type { Guard } from './guards.ts';
import { type ShellNeed, shellNeedOf } from './shell-needed.ts';
import type { SimpleCommand } from './shell-words.ts';
import { secretWords } from './secret-words.ts';
import { isSmall } from './preparation.ts';
import { baseName, mainOf, type Unwrapped, unwrapAll } from './unwrap.ts';

/** A command that does work, with all that stands around it. */
export interface Work {
  readonly words: readonly string[];
  /** Guards around it, outermost first. */
  readonly guards: readonly Guard[];
  readonly timeoutMs: number | null;
  /** Sent to the background inside its guard: it outlives it, or keeps its lock. */
  readonly outlives: boolean;
}

/** A look whether something runs, before it is started: two looks at once both see nothing. */
export interface Check {
  readonly kind: 'process' | 'file' | 'directory';
  /** The program that looks. */
  readonly program: string;
  /** What it looks for. */
  readonly subject: string;
  /** `pgrep -f`: it sees the shell of this very line, too. */
  readonly seesItself: boolean;
}

export interface Inspected {
  /** The command that the line is there for; null where there is none. */
  readonly main: Work | null;
  readonly works: readonly Work[];
  readonly checks: readonly Check[];
  /** Locks that guard nothing: let go before the work begins, or not asked whether they were got. */
  readonly emptyGuards: readonly Guard[];
  readonly ignoredGuards: readonly Guard[];
  /** `&>` or `&>>` in a line that sh runs: the command goes to the background, and its output elsewhere. */
  readonly hasBashRedirect: boolean;
  /** Set where a guard put before the line would guard only its first command. */
  readonly needsShell: ShellNeed | null;
}

export function inspectCommand(command: string, shell: 'sh' | 'bash'): Inspected {
  const commands = unwrapAll(command, shell);
  const found: Collected = { works: [], checks: [], emptyGuards: [], ignoredGuards: [] };
  collect(commands, [], null, found);
  const mainWords = innermost(commands);
  const main =
    found.works.find(({ words }) => words === mainWords) ??
    found.works.find((work) => !isSmall(work)) ??
    found.works[0];
  return {
    ...found,
    main: main ?? null,
    works: found.works.filter((work) => !isSmall(work)),
    hasBashRedirect: shell === 'sh' && /(?<![&>\d])&>/.test(command),
    needsShell: shellNeedOf(command, shell),
  };
}

interface Collected {
  readonly works: Work[];
  readonly checks: Check[];
  readonly emptyGuards: Guard[];
  readonly ignoredGuards: Guard[];
}

function innermost(commands: readonly Unwrapped[]): readonly string[] | null {
  const main = mainOf(commands);
  return main === null ? null : main.inner.length > 0 ? innermost(main.inner) : main.words;
}

function collect(
  commands: readonly Unwrapped[],
  around: readonly Guard[],
  timeoutMs: number | null,
  found: Collected,
): void {
  let held = around;
  for (const [index, command] of commands.entries()) {
    const guards = [...held, ...command.guards];
    const bound = smallest(timeoutMs, command.timeoutMs);
    const own = command.guards.at(-1);
    if (own?.kind === 'flock' && /^\d+$/.test(own.file)) {
      const guard: Guard = { ...own, file: fileOf(own.file, commands) };
      if (isAsked(commands, index)) held = [...held, guard];
      else found.ignoredGuards.push(guard);
      continue;
    }
    if (own?.kind === 'lockfile' && isNothing(command)) {
      if (isAsked(commands, index)) held = [...held, own];
      else found.ignoredGuards.push(own);
      continue;
    }
    const check = checkOf(command, commands);
    if (check !== null) found.checks.push(check);
    if (command.inner.length > 0) {
      collect(command.inner, guards, bound, found);
    } else {
      const outlives = around.length > 0 && command.isBackground;
      found.works.push({ words: command.words, guards, timeoutMs: bound, outlives });
    }
    if (own !== undefined && own.kind !== 'systemd' && isNothing(command)) found.emptyGuards.push(own);
  }
}

/** A guard around nothing, or around a word that only prepares. */
function isNothing(command: Unwrapped): boolean {
  return command.inner.length > 0 ? command.inner.every(isNothing) : isSmall(command);
}

const smallest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other);

/** `flock -n 9 || exit`, or `flock -n 9 && …`; a plain one that waits has its answer by waiting. */
function isAsked(commands: readonly Unwrapped[], index: number): boolean {
  const command = commands[index];
  const guard = command?.guards.at(-1);
  if (guard?.kind === 'flock' && guard.busy === 'wait') return true;
  const end = command?.simple.end;
  return end === '&&' || (end === '||' && ['exit', 'return', '{'].includes(commands[index + 1]?.words[0] ?? ''));
}

/** The file that a descriptor of the line stands for: `( … ) 9>lock`. */
function fileOf(fd: string, commands: readonly Unwrapped[]): string {
  const redirect = commands.flatMap(({ simple }) => simple.redirects).find(([each]) => each === fd);
  return redirect?.[1] ?? `descriptor ${fd}`;
}

/** What follows is done where nothing was found: `pgrep x || start`. The other way round it is a sign of life. */
const startsOnFailure = ({ end, isNegated, isCondition }: SimpleCommand): boolean =>
  isNegated ? end === '&&' || isCondition : end === '||';

const LOCK_NAME = /lock|pid|running|busy|semaphore/i;

/** What is looked for is quoted in what is said: not where it may be a secret. */
function checkOf(command: Unwrapped, commands: readonly Unwrapped[]): Check | null {
  const check = wholeCheckOf(command, commands);
  if (check === null || !secretWords(command.words)(check.subject)) return check;
  return { ...check, subject: '***' };
}

function wholeCheckOf(command: Unwrapped, commands: readonly Unwrapped[]): Check | null {
  const { words, simple } = command;
  const name = baseName(words[0]);
  const text = words.join(' ');
  const inside = /\b(pgrep|pidof)\b(.*)/.exec(text);
  if (inside !== null && (name === '[' || name === 'test' || startsOnFailure(simple))) {
    const options = inside[2] ?? '';
    const subject = /([^\s)`"']+)[)`"'\]\s]*$/.exec(options)?.[1] ?? '';
    const seesItself = inside[1] === 'pgrep' && /\s-\w*f/.test(options) && !subject.includes('[');
    return { kind: 'process', program: inside[1] ?? '', subject, seesItself };
  }
  const isOfPs = commands.some(({ words: [first] }) => baseName(first) === 'ps');
  if (name === 'grep' && isOfPs && startsOnFailure(simple)) {
    return { kind: 'process', program: 'ps', subject: words.at(-1) ?? '', seesItself: !text.includes('[') };
  }
  if (simple.end !== '&&' && simple.end !== '||' && simple.end !== ';') return null;
  if (name === '[' || name === 'test') return fileCheck(words, name, commands);
  if (name === 'mkdir' && simple.end !== ';' && LOCK_NAME.test(words.at(-1) ?? '')) {
    return { kind: 'directory', program: 'mkdir', subject: words.at(-1) ?? '', seesItself: false };
  }
  return null;
}

/** Only a file that the line makes itself, or that is named for it: `[ -x /usr/bin/x ]` asks something else. */
function fileCheck(words: readonly string[], program: string, commands: readonly Unwrapped[]): Check | null {
  const at = words.findIndex((word) => word === '-f' || word === '-e' || word === '-d');
  const file = words[at + 1];
  if (at === -1 || file === undefined) return null;
  const isMade = commands.some(
    (each) =>
      (baseName(each.words[0]) === 'touch' && each.words.includes(file)) ||
      each.simple.redirects.some(([, target]) => target === file),
  );
  return isMade || LOCK_NAME.test(baseName(file)) ? { kind: 'file', program, subject: file, seesItself: false } : null;
}
