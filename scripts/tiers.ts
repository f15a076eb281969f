/**
 * The three tiers of tests: which files, how many at a time, in which order, how long.
 *
 * `budgetMs` is what the tier may take on two cores, as CONTRIBUTING.md says; a run over it says so.
 * `totalMsMax` ends a tier that hangs, `fileMsMax` a file.
 */
import { globSync } from 'node:fs';

export type TierName = 'test' | 'ci' | 'long';

export interface Tier {
  readonly name: TierName;
  readonly budgetMs: number;
  readonly totalMsMax: number;
  readonly fileMsMax: number;
  /** Files at once, on two cores. */
  readonly concurrency: number;
}

const MINUTE_MS = 60_000;
const NEVER_MS = 2 ** 31 - 1;

export const TIERS: Record<TierName, Tier> = {
  // Its files wait for processes and databases for half of their time: three keep two cores busy.
  test: {
    name: 'test',
    budgetMs: 8 * MINUTE_MS,
    totalMsMax: 15 * MINUTE_MS,
    fileMsMax: 6 * MINUTE_MS,
    concurrency: 3,
  },
  // Its files that measure, kill and restart things run one at a time after the others (`phasesOf`).
  ci: {
    name: 'ci',
    budgetMs: 35 * MINUTE_MS,
    totalMsMax: 55 * MINUTE_MS,
    fileMsMax: 20 * MINUTE_MS,
    concurrency: 2,
  },
  long: { name: 'long', budgetMs: NEVER_MS, totalMsMax: NEVER_MS, fileMsMax: NEVER_MS, concurrency: 1 },
};

/** The tier's test files, relative to `root`, sorted. A file under `test/ci` or `test/long` belongs to that tier only. */
export function filesOf(tier: TierName, root: string): string[] {
  const all = globSync('packages/*/test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  return all.filter((file) => tierOf(file) === tier).toSorted();
}

/** The tier that a test file belongs to, by its folder. */
export function tierOf(file: string): TierName {
  const folder = /^packages\/[^/]+\/test\/(ci|long)\//.exec(file.replaceAll('\\', '/'))?.[1];
  return folder === 'ci' || folder === 'long' ? folder : 'test';
}

/** Files that run together, so many at once. */
export interface Phase {
  readonly files: readonly string[];
  readonly concurrency: number;
}

/**
 * What may have company in the second tier: controls, which must only see a named test fail (and pass without the fault,
 * as it does in the first tier, which has more files at once), and suites that measure nothing.
 */
const SOCIABLE =
  /[-](?:controls|guards)\.test\.ts$|\/(?:conformance-postgres-15|doctor-pooler|pooler|property|record-property)\.test\.ts$/;

/** Those that take longest, first: begun last, one of them would run on while the other core has nothing to do. */
const LONGEST: readonly string[] = [
  'ci/pooler',
  'ci/command-line-guards',
  'ci/conformance-controls',
  'race/counter',
  'conformance/postgres-18',
  'tooling/test-runner',
  'stores/postgres/records/busy-arrivals',
];

/** The files in the order in which they run, and how many at once: those of `ci` that want both cores come last, one by one. */
export function phasesOf(tier: Tier, files: readonly string[]): readonly Phase[] {
  const rank = (file: string): number => LONGEST.findIndex((name) => file.endsWith(`/test/${name}.test.ts`)) + 1;
  const ordered = files.toSorted((a, b) => (rank(a) || LONGEST.length + 1) - (rank(b) || LONGEST.length + 1));
  const together = ordered.filter((file) => tier.name !== 'ci' || SOCIABLE.test(file));
  const alone = ordered.filter((file) => !together.includes(file));
  return [
    { files: together, concurrency: tier.concurrency },
    { files: alone, concurrency: 1 },
  ].filter((phase) => phase.files.length > 0);
}
