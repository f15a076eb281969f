/**
 * What a command really starts: through `cd … &&`, `env`, `nice`, `sudo`, `su -c`, `bash -c`, `timeout` and the like, down
 * to the program, and through which guards the way leads.
 */
import { parseDuration } from '../../../domain/duration.ts';
import { type Guard, guardOf } from './guards.ts';
import { isLookUp, isPing, isSmall } from './preparation.ts';
import { parseCommands, type SimpleCommand } from './shell-words.ts';

export interface Unwrapped {
  /** The program and its words, innermost; empty where there is none. */
  readonly words: readonly string[];
  /** Its own, outermost first; those of the commands inside are theirs. */
  readonly guards: readonly Guard[];
  /** The smallest bound that `timeout` sets, in ms. */
  readonly timeoutMs: number | null;
  /** True where it is sent to the background, so that whoever started it goes on at once. */
  readonly isBackground: boolean;
  readonly simple: SimpleCommand;
  /** Commands inside it, where it is a shell's. */
  readonly inner: readonly Unwrapped[];
}

/** Nobody nests deeper; a line that does is not followed further. */
const DEPTH_MAX = 6;

export function unwrapAll(text: string, shell: 'sh' | 'bash', depth = 0): Unwrapped[] {
  if (depth > DEPTH_MAX) return [];
  return parseCommands(text, shell).map((simple) => unwrap(simple, depth));
}

function unwrap(simple: SimpleCommand, depth: number): Unwrapped {
  const guards: Guard[] = [];
  let timeoutMs: number | null = null;
  let { words } = simple;
  const isBackground = simple.end === '&';
  for (let steps = 0; steps < STEPS_MAX && words.length > 0; steps++) {
    const guarded = guardOf(words, simple.assignments);
    if (guarded !== null) {
      guards.push(guarded.guard);
      if (guarded.shellText !== null) {
        return nested(guarded.shellText, { words, guards, timeoutMs, isBackground, simple }, depth);
      }
      words = guarded.words;
      continue;
    }
    const text = shellTextOf(words);
    if (text !== null) return nested(text, { words, guards, timeoutMs, isBackground, simple }, depth);
    const wrapped = withoutWrapper(words);
    if (wrapped === null) break;
    if (wrapped.timeoutMs !== null) timeoutMs = Math.min(timeoutMs ?? wrapped.timeoutMs, wrapped.timeoutMs);
    words = wrapped.words;
  }
  return { words, guards, timeoutMs, isBackground, simple, inner: [] };
}

const STEPS_MAX = 20;

/** What a shell is given as text: its words are those of the command that the text is there for. */
function nested(text: string, around: Omit<Unwrapped, 'inner'>, depth: number): Unwrapped {
  const shell = /\bbash\b/.test(around.simple.words.join(' ')) ? 'bash' : 'sh';
  const inner = unwrapAll(text, shell, depth + 1);
  return { ...around, words: mainOf(inner)?.words ?? [], inner };
}

/** The command that the line is there for: the first that is more than preparation, else the first. */
export function mainOf(commands: readonly Unwrapped[]): Unwrapped | null {
  return (
    commands.find((command) => !isSmall(command) && !isPing(command)) ??
    commands.find((command) => !isSmall(command)) ??
    commands.find(({ guards }) => guards.length > 0) ??
    commands[0] ??
    null
  );
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);

/** The text of `sh -c TEXT`, `bash -lc TEXT`, `su - user -c TEXT`, `runuser -u u -- sh -c TEXT`; null for others. */
function shellTextOf(words: readonly string[]): string | null {
  const name = baseName(words[0]);
  const isSu = name === 'su' || name === 'runuser';
  if (!isSu && !SHELLS.has(name)) return null;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-[a-zA-Z]*c$/.test(word) || (isSu && word === '--command')) return words[at + 1] ?? '';
    if (isSu && word.startsWith('--command=')) return word.slice('--command='.length);
    if (!isSu && !word.startsWith('-')) return null;
  }
  return null;
}

interface Wrapper {
  /** Options that take the next word. */
  readonly valued: readonly string[];
  /** Words of its own before the command. */
  readonly words: number;
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>(
  Object.entries<Wrapper>({
    env: { valued: ['-u', '-C', '-S', '--unset', '--chdir'], words: 0 },
    nice: { valued: ['-n', '--adjustment'], words: 0 },
    ionice: { valued: ['-c', '-n', '--class', '--classdata'], words: 0 },
    chrt: { valued: [], words: 1 },
    taskset: { valued: [], words: 1 },
    cpulimit: { valued: ['-l', '-p', '-e', '--limit'], words: 0 },
    softlimit: { valued: '-a -c -d -f -l -m -o -p -r -s -t'.split(' '), words: 0 },
    setuidgid: { valued: [], words: 1 },
    's6-setuidgid': { valued: [], words: 1 },
    envuidgid: { valued: [], words: 1 },
    envdir: { valued: [], words: 1 },
    gosu: { valued: [], words: 1 },
    'su-exec': { valued: [], words: 1 },
    busybox: { valued: [], words: 0 },
    'xvfb-run': { valued: ['-e', '-f', '-n', '-p', '-s', '-w'], words: 0 },
    'systemd-inhibit': { valued: ['--what', '--who', '--why', '--mode'], words: 0 },
    // With a name it is a guard.
    'systemd-run': { valued: ['-u', '-p', '--property', '--uid', '--gid', '--slice', '--on-active'], words: 0 },
    runalarm: { valued: ['-t'], words: 0 },
    runstat: { valued: ['-f'], words: 0 },
    nohup: { valued: [], words: 0 },
    setsid: { valued: [], words: 0 },
    time: { valued: ['-f', '-o'], words: 0 },
    exec: { valued: ['-a'], words: 0 },
    command: { valued: [], words: 0 },
    chronic: { valued: [], words: 0 },
    cronic: { valued: [], words: 0 },
    stdbuf: { valued: ['-i', '-o', '-e'], words: 0 },
    unbuffer: { valued: [], words: 0 },
    'systemd-cat': { valued: ['-t', '-p'], words: 0 },
    sudo: { valued: ['-u', '-g', '-h', '-p', '-C', '--user', '--group'], words: 0 },
    doas: { valued: ['-u', '-C'], words: 0 },
    timeout: { valued: ['-k', '-s', '--kill-after', '--signal'], words: 1 },
    gtimeout: { valued: ['-k', '-s', '--kill-after', '--signal'], words: 1 },
    chpst: { valued: ['-u', '-U', '-b', '-e', '-/', '-n', '-m', '-d', '-o', '-p', '-f', '-c', '-t'], words: 0 },
  }),
);

/** Programs that tell a service how a command ends: `cronitor exec KEY COMMAND`, `sentry-cli monitors run NAME -- COMMAND`. */
function withoutWatcher(words: readonly string[]): readonly string[] | null {
  const name = baseName(words[0]);
  const dashes = words.indexOf('--');
  if (name === 'cronitor') return words[1] === 'exec' ? words.slice(3) : null;
  if (name === 'runitor') return dashes === -1 ? null : words.slice(dashes + 1);
  if (name !== 'sentry-cli' || words[1] !== 'monitors' || words[2] !== 'run') return null;
  return words.slice(dashes === -1 ? 4 : dashes + 1);
}

function withoutWrapper(words: readonly string[]): { words: readonly string[]; timeoutMs: number | null } | null {
  const name = baseName(words[0]);
  const watched = withoutWatcher(words);
  if (watched !== null) return { words: watched, timeoutMs: null };
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined || isLookUp(words)) return null;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (name === 'env' || name === 'sudo' ? /^\w+=/.test(word) : false) continue;
    if (!word.startsWith('-')) break;
    // In `-Eu`, the last of several letters takes the next word.
    if (
      wrapper.valued.includes(word) ||
      (/^-[a-zA-Z]{2,}$/.test(word) && wrapper.valued.includes(`-${word.at(-1) ?? ''}`))
    )
      at++;
  }
  const own = words.slice(at, at + wrapper.words);
  const isTimeout = name.endsWith('timeout');
  return {
    words: words.slice(at + wrapper.words),
    timeoutMs: isTimeout ? secondsOf(own[0] ?? '') : null,
  };
}

/** `timeout 90`, `timeout 1.5m`: a plain number is seconds, and 0 is no bound. */
function secondsOf(text: string): number | null {
  const plain = /^\d+$/.test(text) ? `${text}s` : text;
  try {
    const ms = parseDuration(plain);
    return ms === 0 ? null : ms;
  } catch {
    return null;
  }
}

export const baseName = (path: string | undefined): string => (path ?? '').slice((path ?? '').lastIndexOf('/') + 1);
