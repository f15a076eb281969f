/** What people put before a command so that it doesn't start twice, and what each of them is worth. */
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
      readonly kind: 'lockrun' | 'setlock' | 'chpst' | 'lckdo' | 'with-lock-ex';
      readonly busy: 'skip' | 'wait' | 'wait-bounded';
      readonly file: string;
    }
  /** In Redis, for all hosts that ask there: a day at most, unless CRONLOCK_RELEASE says otherwise (its README). */
  | { readonly kind: 'cronlock' }
  /** Makes a file that a kill leaves behind. */
  | { readonly kind: 'lockfile'; readonly program: string; readonly file: string }
  /** One per user and command, or a port: nothing to leave behind. */
  | { readonly kind: 'run-one' | 'solo' | 'systemd'; readonly replaces: boolean };

export interface Guarded {
  readonly guard: Guard;
  /** The command that it guards, in words … */
  readonly words: readonly string[];
  /** … or as text for a shell. */
  readonly shellText: string | null;
}

/** The guard that these words begin with; null where they begin with none. */
export function guardOf(words: readonly string[]): Guarded | null {
  const program = words[0] ?? '';
  const name = program.slice(program.lastIndexOf('/') + 1);
  return READERS.get(name)?.(words, name) ?? null;
}

type Reader = (words: readonly string[], name: string) => Guarded | null;

const flock: Reader = (words) => {
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

const leasehold: Reader = (words) => {
  const at = words.indexOf('run');
  const dashes = words.indexOf('--');
  if (at === -1) return null;
  const own = words.slice(at + 1, dashes === -1 ? undefined : dashes);
  const lease = own.indexOf('--lease');
  const joined = own.find((word) => word.startsWith('--lease='));
  const guard: Guard = {
    kind: 'leasehold',
    name: own.find((word) => !word.startsWith('-')) ?? '',
    lease: joined?.slice('--lease='.length) ?? (lease === -1 ? null : (own[lease + 1] ?? '')),
  };
  return { guard, words: dashes === -1 ? [] : words.slice(dashes + 1), shellText: null };
};

const lockrun: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-L', '-M', '--lockfile', '--maxtime']);
  const joined = flags.find((flag) => flag.startsWith('--lockfile='))?.slice('--lockfile='.length);
  const file = values.find(([name]) => name === '-L' || name === '--lockfile')?.[1] ?? joined ?? '';
  return {
    guard: { kind: 'lockrun', busy: has(flags, 'W', '--wait') ? 'wait' : 'skip', file },
    words: rest,
    shellText: null,
  };
};

const setlock: Reader = (words) => {
  const { flags, rest } = options(words, []);
  const [file = '', ...command] = rest;
  return { guard: { kind: 'setlock', busy: has(flags, 'n') ? 'skip' : 'wait', file }, words: command, shellText: null };
};

const chpst: Reader = (words) => {
  const { values, rest } = options(words, '-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -t'.split(' '));
  const lock = values.find(([name]) => name === '-l' || name === '-L');
  if (lock === undefined) return null;
  return {
    guard: { kind: 'chpst', busy: lock[0] === '-L' ? 'skip' : 'wait', file: lock[1] },
    words: rest,
    shellText: null,
  };
};

/** Of moreutils: ends at once unless told to wait, `-W` for so many seconds. A shared lock keeps nobody out. */
const lckdo: Reader = (words) => {
  const { flags, values, rest } = options(words, ['-W', '-E']);
  const [file = '', ...command] = rest;
  if (has(flags, 's')) return { guard: { ...SHARED, file }, words: command, shellText: null };
  const isBounded = values.some(([name]) => name === '-W');
  const busy = isBounded ? 'wait-bounded' : has(flags, 'w') ? 'wait' : 'skip';
  return { guard: { kind: 'lckdo', busy, file }, words: command, shellText: null };
};

const SHARED = { kind: 'flock', busy: 'skip', isShared: true, isClosed: false } as const;

/** Of chiark-utils: `-w` waits, `-f` and `-q` end. */
const withLockEx: Reader = (words) => {
  const { flags, rest } = options(words, []);
  const [file = '', ...command] = rest;
  const busy = has(flags, 'w') ? 'wait' : 'skip';
  return { guard: { kind: 'with-lock-ex', busy, file }, words: command, shellText: null };
};

const cronlock: Reader = (words) => ({ guard: { kind: 'cronlock' }, words: words.slice(1), shellText: null });

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

const lockfile: Reader = (words, program) => {
  const { rest } = options(words, ['-r', '-l', '-s', '-p', '-f']);
  return { guard: { kind: 'lockfile', program, file: rest[0] ?? '' }, words: [], shellText: null };
};

/** A map, because a command may be called `constructor`. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>(
  Object.entries<Reader>({
    flock,
    leasehold,
    npx: (words) => (words[1] === 'leasehold' ? leasehold(words.slice(1), 'leasehold') : null),
    lockrun,
    setlock,
    chpst,
    lckdo,
    'with-lock-ex': withLockEx,
    cronlock,
    's6-setlock': setlock,
    'run-one': runOne,
    'run-this-one': runOne,
    'run-one-constantly': runOne,
    solo,
    'systemd-run': systemd,
    systemctl: systemd,
    lockfile,
    'lockfile-create': lockfile,
    dotlockfile: lockfile,
    // It looks whether the process in its file is alive, so that nothing stays behind.
    shlock: lockfile,
  }),
);

interface Options {
  readonly flags: readonly string[];
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly rest: readonly string[];
}

/** Options up to the first word that is none; those in `valued` take the next word, or what hangs on them (`-w10`). */
function options(words: readonly string[], valued: readonly string[]): Options {
  const flags: string[] = [];
  const values: [string, string][] = [];
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const short = word.startsWith('--') ? '' : word.slice(0, 2);
    const cluster = /^-[a-zA-Z]+$/.test(word) ? `-${word.at(-1) ?? ''}` : '';
    if (valued.includes(word)) values.push([word, words[++at] ?? '']);
    else if (valued.includes(short)) values.push([short, word.slice(2)]);
    else if (cluster !== '' && valued.includes(cluster)) {
      flags.push(word.slice(0, -1));
      values.push([cluster, words[++at] ?? '']);
    } else if (word.includes('=')) {
      const [name = '', value = ''] = word.split(/=(.*)/s);
      values.push([name, value]);
      flags.push(word);
    } else flags.push(word);
  }
  return { flags, values, rest: words.slice(at) };
}

/** `-n`, also within `-xn`, or one of its long names. */
function has(flags: readonly string[], letter: string, ...long: readonly string[]): boolean {
  return flags.some((flag) => long.includes(flag) || (/^-[a-zA-Z]+$/.test(flag) && flag.includes(letter)));
}
