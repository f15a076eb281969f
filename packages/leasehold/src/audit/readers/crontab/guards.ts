/** What people put before a command so that it doesn't start twice, and what each of them is worth. */
import {
  chpst,
  dotlockfile,
  flock,
  lckdo,
  lockf,
  lockfile,
  lockrun,
  runlock,
  s6Setlock,
  setlock,
  shlock,
  withLock,
} from './file-locks.ts';
import { options } from './guard-options.ts';
import { consul, cronlock, etcdctl, leasehold } from './store-locks.ts';

export type Guard =
  | {
      readonly kind: 'flock';
      /** What a start does that meets the lock. */
      readonly busy: 'skip' | 'wait' | 'wait-bounded';
      readonly file: string;
      readonly isShared: boolean;
      /** `-o`: the command doesn't inherit the lock. */
      readonly isClosed: boolean;
    }
  | { readonly kind: 'leasehold'; readonly name: string; readonly lease: string | null }
  | {
      readonly kind: FileLock;
      readonly busy: 'skip' | 'wait' | 'wait-bounded';
      /** What is locked: a file, or a name in a store; empty where the program names it itself. */
      readonly file: string;
      /** The option that makes it a lock that any number may hold; null where it is for one. */
      readonly shared: string | null;
    }
  | {
      readonly kind: 'cronlock';
      /** Null where it is the command's own. */
      readonly key: string | null;
      /** How long it stays after a crash; null where that can't be read. */
      readonly releaseMs: number | null;
    }
  /** Makes a file that a kill leaves behind. */
  | {
      readonly kind: 'lockfile';
      readonly program: string;
      readonly file: string;
      /** It looks whether the process that made the file is alive. */
      readonly looksAlive: boolean;
      /** A file of this age counts as left behind; null where none does. */
      readonly staleMs: number | null;
    }
  /** One per user and command, or a port: nothing to leave behind. */
  | { readonly kind: 'run-one' | 'solo' | 'systemd'; readonly replaces: boolean };

export type FileLock =
  | 'lockrun'
  | 'setlock'
  | 'chpst'
  | 'lckdo'
  | 'with-lock-ex'
  | 'lockf'
  | 's6-setlock'
  | 'runlock'
  | 'consul'
  | 'etcdctl';

export interface Guarded {
  readonly guard: Guard;
  /** The command that it guards, in words … */
  readonly words: readonly string[];
  /** … or as text for a shell. */
  readonly shellText: string | null;
}

/** The guard that these words begin with, after `A=1` where there are such; null where they begin with none. */
export function guardOf(words: readonly string[], assignments: readonly string[] = []): Guarded | null {
  const program = words[0] ?? '';
  const name = program.slice(program.lastIndexOf('/') + 1);
  return READERS.get(name)?.(words, name, assignments) ?? null;
}

export type Reader = (words: readonly string[], name: string, assignments: readonly string[]) => Guarded | null;

const runOne: Reader = (words, name) => ({
  guard: { kind: 'run-one', replaces: name === 'run-this-one' },
  words: words.slice(1),
  shellText: null,
});

const solo: Reader = (words) => ({
  guard: { kind: 'solo', replaces: false },
  words: options(words, []).rest,
  shellText: null,
});

/** A unit of a fixed name runs once at a time; one without a name is a new one each time. */
const systemd: Reader = (words, name) => {
  const { flags, values, rest } = options(words, [
    '--unit',
    '-u',
    '-p',
    '--property',
    '--uid',
    '--gid',
    '--slice',
    '--on-active',
  ]);
  const guard: Guard = { kind: 'systemd', replaces: false };
  if (name === 'systemd-run') {
    const isNamed =
      values.some(([option]) => option === '--unit' || option === '-u') ||
      flags.some((flag) => flag.startsWith('--unit='));
    return isNamed ? { guard, words: rest, shellText: null } : null;
  }
  return rest[0] === 'start' && rest[1] !== undefined ? { guard, words: rest, shellText: null } : null;
};

/** A map, because a command may be called `constructor`. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>(
  Object.entries<Reader>({
    flock,
    leasehold,
    npx: (words) => (words[1] === 'leasehold' ? leasehold(words.slice(1), 'leasehold', []) : null),
    lockrun,
    setlock,
    chpst,
    lckdo,
    'with-lock-ex': withLock,
    'with-lock': withLock,
    lockf,
    's6-setlock': s6Setlock,
    runlock,
    cronlock,
    consul,
    etcdctl,
    'run-one': runOne,
    'run-this-one': runOne,
    'run-one-constantly': runOne,
    'run-one-until-success': runOne,
    'run-one-until-failure': runOne,
    'keep-one-running': runOne,
    solo,
    'systemd-run': systemd,
    systemctl: systemd,
    lockfile,
    'lockfile-create': lockfile,
    dotlockfile,
    shlock,
  }),
);
