/** Programs that lock a file, or make one, and run a command meanwhile: what each of them does by which option. */
import { has, options } from './guard-options.ts';
import type { Guard, Reader } from './guards.ts';

export const flock: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-w', '--wait', '--timeout', '-E', '--conflict-exit-code']);
  const [file = '', ...command] = rest;
  // Only there: a later one is the command's own.
  const isText = command[0] === '-c' || command[0] === '--command';
  const busy = has(flags, 'n', '--nonblock', '--nb')
    ? 'skip'
    : values.some(([name]) => name === '-w' || name === '--wait' || name === '--timeout')
      ? 'wait-bounded'
      : 'wait';
  const guard: Guard = {
    kind: 'flock',
    busy,
    file,
    isShared: has(flags, 's', '--shared'),
    isClosed: has(flags, 'o', '--close'),
  };
  return { guard, words: isText ? [] : command, shellText: isText ? (command[1] ?? '') : null };
};

export const lockrun: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-L', '-M', '--lockfile', '--maxtime']);
  const joined = flags.find((flag) => flag.startsWith('--lockfile='))?.slice('--lockfile='.length);
  const file = values.find(([name]) => name === '-L' || name === '--lockfile')?.[1] ?? joined ?? '';
  return {
    guard: { kind: 'lockrun', busy: has(flags, 'W', '--wait') ? 'wait' : 'skip', file, shared: null },
    words: rest,
    shellText: null,
  };
};

export const setlock: Reader = (words) => {
  const { flags, rest } = options(words, []);
  const [file = '', ...command] = rest;
  const guard: Guard = { kind: 'setlock', busy: has(flags, 'n') ? 'skip' : 'wait', file, shared: null };
  return { guard, words: command, shellText: null };
};

export const chpst: Reader = (words) => {
  const { values, rest } = options(words, '-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -t'.split(' '));
  const lock = values.find(([name]) => name === '-l' || name === '-L');
  if (lock === undefined) return null;
  return {
    guard: { kind: 'chpst', busy: lock[0] === '-L' ? 'skip' : 'wait', file: lock[1], shared: null },
    words: rest,
    shellText: null,
  };
};

/**
 * moreutils' lckdo(1): it fails at once where the lock is held; `-w` waits, `-W SECONDS` for so long. `-s` is a shared lock,
 * and `-t` only looks.
 */
export const lckdo: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-W', '-E']);
  if (has(flags, 't')) return null;
  const [file = '', ...command] = rest;
  const isBounded = values.some(([name]) => name === '-W');
  const busy = isBounded ? 'wait-bounded' : has(flags, 'w') ? 'wait' : 'skip';
  const guard: Guard = { kind: 'lckdo', busy, file, shared: has(flags, 's') ? '-s' : null };
  return { guard, words: command, shellText: null };
};

/** chiark-utils: `-w` waits, `-f` and `-q` don't, except for the seconds of `-t`; `with-lock` is `-f`; `-l` only looks. */
export const withLock: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-t']);
  if (has(flags, 'l')) return null;
  const [file = '', ...command] = rest;
  const busy = values.length > 0 ? 'wait-bounded' : has(flags, 'w') ? 'wait' : 'skip';
  return { guard: { kind: 'with-lock-ex', busy, file, shared: null }, words: command, shellText: null };
};

/** FreeBSD's lockf(1) waits; `-t SECONDS` bounds that, and `-t 0` doesn't wait. */
export const lockf: Reader = (words) => {
  const { values, rest } = options(words, ['-t']);
  const [file = '', ...command] = rest;
  const bound = values.find(([name]) => name === '-t')?.[1];
  const busy = bound === undefined ? 'wait' : bound === '0' ? 'skip' : 'wait-bounded';
  return { guard: { kind: 'lockf', busy, file, shared: null }, words: command, shellText: null };
};

/** s6-setlock waits, unless `-n` or `-t MILLISECONDS` says otherwise; `-r` is a shared lock. */
export const s6Setlock: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-t', '-d']);
  const [file = '', ...command] = rest;
  const isBounded = values.some(([name]) => name === '-t');
  const busy = isBounded ? 'wait-bounded' : has(flags, 'n') ? 'skip' : 'wait';
  const guard: Guard = { kind: 's6-setlock', busy, file, shared: has(flags, 'r') ? '-r' : null };
  return { guard, words: command, shellText: null };
};

/** cronutils' runlock(1) waits five seconds; without `-f` its file is named after the command, for each user. */
export const runlock: Reader = (words) => {
  const { values, rest } = options(words, ['-f', '-t']);
  const file = values.find(([name]) => name === '-f')?.[1] ?? '';
  return { guard: { kind: 'runlock', busy: 'wait-bounded', file, shared: null }, words: rest, shellText: null };
};

const STALE_MS = 5 * 60_000;

/** procmail's lockfile(1) and lockfile-create(1) make a file; the former takes it by force after `-l SECONDS`. */
export const lockfile: Reader = (words, program) => {
  const { values, rest } = options(words, ['-r', '-l', '-s', '-p', '-f']);
  const age = program === 'lockfile' ? values.find(([name]) => name === '-l')?.[1] : undefined;
  const staleMs = program === 'lockfile-create' ? STALE_MS : age === undefined ? null : Number(age) * 1_000;
  const guard: Guard = { kind: 'lockfile', program, file: rest[0] ?? '', looksAlive: false, staleMs };
  return { guard, words: [], shellText: null };
};

/** It looks whether the process in its file is alive, so that nothing stays behind. */
export const shlock: Reader = (words, program) => {
  const { values } = options(words, ['-f', '-p']);
  const file = values.find(([name]) => name === '-f')?.[1] ?? '';
  const guard: Guard = { kind: 'lockfile', program, file, looksAlive: true, staleMs: null };
  return { guard, words: [], shellText: null };
};

/**
 * dotlockfile(1) of liblockfile: with `-p` it looks whether the process in the file is alive; without, a file that is older
 * than five minutes is none. `-u` and `-t` only give back and touch. A command behind the file runs while it is there.
 */
export const dotlockfile: Reader = (words, program) => {
  const { flags, rest } = options(words, ['-r', '-i']);
  if (has(flags, 'u') || has(flags, 't') || has(flags, 'c')) return null;
  const file = has(flags, 'm') ? '' : (rest[0] ?? '');
  const [first = '', ...more] = has(flags, 'm') ? rest : rest.slice(1);
  const looksAlive = has(flags, 'p') || first === '-P';
  const guard: Guard = { kind: 'lockfile', program, file, looksAlive, staleMs: looksAlive ? null : STALE_MS };
  return { guard, words: first === '-P' ? more : first === '' ? [] : [first, ...more], shellText: null };
};
