/**
 * The three tiers of tests: which files, how many at a time, how long.
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
  /** Files at once. Two cores; tests that wait for processes and databases leave room for one another. */
  readonly concurrency: number;
}

const MINUTE_MS = 60_000;
const NEVER_MS = 2 ** 31 - 1;

export const TIERS: Record<TierName, Tier> = {
  test: {
    name: 'test',
    budgetMs: 8 * MINUTE_MS,
    totalMsMax: 15 * MINUTE_MS,
    fileMsMax: 4 * MINUTE_MS,
    concurrency: 2,
  },
  // One at a time: its tests measure, kill and restart things.
  ci: {
    name: 'ci',
    budgetMs: 35 * MINUTE_MS,
    totalMsMax: 55 * MINUTE_MS,
    fileMsMax: 20 * MINUTE_MS,
    concurrency: 1,
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
