/**
 * The instances that are checked: a model, what it is set to, and which kind of property. All are exhaustive.
 *
 * `play` is what a replay of their stories on a real store sets its pool to (spec/story.ts says how ticks become time).
 */
export type Kind = 'safety' | 'liveness';

/** What a story's pool is set to; counts are ticks. */
export interface Play {
  readonly redo: 'ask' | 'safe';
  readonly hasVerifier: boolean;
  readonly explicitBegin: boolean;
  readonly attempts: number;
  readonly leaseTicks: number;
  readonly callTicks: number;
  readonly commitTicks: number;
  readonly visibleTicks: number;
  /** 0: for ever. */
  readonly retentionTicks: number;
  /** 0: the provider doesn't know its keys again. */
  readonly windowTicks: number;
}

export interface Instance {
  readonly model: 'lock.pml' | 'record.pml';
  readonly kind: Kind;
  readonly flags: readonly string[];
  readonly says: string;
  /** False: without a guard the shortest story is not looked for, since that would take too long. */
  readonly isShort: boolean;
  /** Null for the lock. */
  readonly play: Play | null;
}

const PLAY: Play = {
  redo: 'ask',
  hasVerifier: true,
  explicitBegin: true,
  attempts: 3,
  leaseTicks: 2,
  callTicks: 1,
  commitTicks: 1,
  visibleTicks: 1,
  retentionTicks: 0,
  windowTicks: 0,
};

const ASK = ['VERIFIER', 'SWEEPER'];
const LIVE = ['LIVENESS', 'LEASE=1'];

function records(says: string, kind: Kind, flags: readonly string[], play: Partial<Play> = {}): Instance {
  const isShort = kind === 'safety' && !flags.includes('WINDOW=8');
  const attempts = flags.includes('ATTEMPTS=3') ? 3 : 2;
  const leaseTicks = kind === 'liveness' ? 1 : 2;
  return { model: 'record.pml', kind, flags, says, isShort, play: { ...PLAY, attempts, leaseTicks, ...play } };
}

const NO_VERIFIER = { hasVerifier: false };
const SAFE = { redo: 'safe', hasVerifier: false } as const;
const IMPLIED = { explicitBegin: false };

export const INSTANCES: Readonly<Record<string, Instance>> = {
  lock: {
    model: 'lock.pml',
    kind: 'safety',
    flags: [],
    says: 'two workers, one lock, a prober',
    isShort: true,
    play: null,
  },
  'lock-live': {
    model: 'lock.pml',
    kind: 'liveness',
    flags: ['LIVENESS'],
    says: 'two workers, one lock',
    isShort: false,
    play: null,
  },
  ask: records('begins are said; the provider is asked', 'safety', [...ASK, 'LOST_ANSWERS', 'RETURNS', 'ATTEMPTS=3']),
  'ask-at-once': records('calls take effect at once or never', 'safety', [...ASK, 'COMMIT=0', 'ATTEMPTS=3'], {
    commitTicks: 0,
  }),
  'ask-implied': records(
    'claimed is begun; the provider is asked',
    'safety',
    [...ASK, 'IMPLIED', 'ATTEMPTS=3'],
    IMPLIED,
  ),
  'two-sweeps': records('two sweeps at once', 'safety', [...ASK, 'TWO_SWEEPERS', 'QUIET', 'ATTEMPTS=3']),
  forgets: records('a provider that forgets effects', 'safety', [...ASK, 'RETENTION=4'], { retentionTicks: 4 }),
  deduplicates: records(
    'a provider that knows its keys for a while',
    'safety',
    [...ASK, 'WINDOW=7', 'EXTENDS', 'ATTEMPTS=3'],
    { windowTicks: 7 },
  ),
  'deduplicates-twice': records(
    'the same, long enough for three senders',
    'safety',
    [...ASK, 'WINDOW=8', 'QUIET', 'IDLES=0', 'ATTEMPTS=3'],
    { windowTicks: 8 },
  ),
  'deduplicates-implied': records(
    'the same, where claimed is begun',
    'safety',
    [...ASK, 'WINDOW=7', 'EXTENDS', 'IMPLIED', 'ATTEMPTS=3'],
    { windowTicks: 7, ...IMPLIED },
  ),
  'safe-window': records(
    'repeats are declared harmless for a while',
    'safety',
    ['SAFE', 'WINDOW=5', 'EXTENDS', 'ATTEMPTS=3'],
    { windowTicks: 5, ...SAFE },
  ),
  'safe-window-implied': records(
    'the same, where claimed is begun',
    'safety',
    ['SAFE', 'WINDOW=5', 'EXTENDS', 'IMPLIED', 'ATTEMPTS=3'],
    { windowTicks: 5, ...SAFE, ...IMPLIED },
  ),
  nobody: records('nobody can be asked', 'safety', ['LOST_ANSWERS', 'RETURNS'], NO_VERIFIER),
  timely: records('workers that are never paused', 'safety', ['TIMELY=true', 'CALL=2', 'LEASE=3'], {
    ...NO_VERIFIER,
    callTicks: 2,
    leaseTicks: 3,
  }),
  'live-ask': records('the provider is asked, and may say "pending"', 'liveness', [...LIVE, ...ASK, 'PENDING=1']),
  'live-crashes': records('sweeps crash again and again', 'liveness', [...LIVE, ...ASK, 'DAY=3']),
  'live-unswept': records('nobody sweeps', 'liveness', [...LIVE, 'VERIFIER', 'DAY=3']),
  'live-window': records('a provider that knows its keys for a while', 'liveness', [...LIVE, ...ASK, 'WINDOW=5'], {
    windowTicks: 5,
  }),
  'live-safe': records('repeats are harmless', 'liveness', [...LIVE, 'SAFE', 'EFFECTS_MAY_REPEAT=true'], SAFE),
  'live-nobody': records('nobody can be asked', 'liveness', LIVE, NO_VERIFIER),
};
