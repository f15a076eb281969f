import { LeaseholdError } from '../errors.ts';
import { exactDuration, formatDuration } from './duration.ts';

/**
 * How long runs and events are kept. What is counted never hangs on rows that may go: skips in a row, slots and
 * fences are the lock's own. Some rows stay however old they are: the newest 100 starts of a lock and the newest
 * 100 of it that ran, a run that has the lock, and one without an end.
 */
export interface Retention {
  /** From a run's end; 1 day to 100 years, in ms. */
  readonly runsMs: number;
  readonly eventsMs: number;
}

const DAY_MS = 86_400_000;
/** Nobody who may call the store can make it forget what is younger. */
export const RETENTION_MS_MIN: number = DAY_MS;
export const RETENTION_MS_MAX: number = 36_525 * DAY_MS;
export const RETENTION_DEFAULT: Retention = { runsMs: 90 * DAY_MS, eventsMs: 365 * DAY_MS };

/** How many starts of a lock stay, and how many that ran. */
export const RUNS_KEPT = 100;
/** Retention rests so long once it is through. */
export const PRUNE_EVERY_MS = 3_600_000;
export const PRUNE_ROWS_MAX = 10_000;

/** Checks how long to keep something: 1 day to 100 years, in ms. Throws INVALID_ARGUMENT, naming `label`. */
export function checkRetentionMs(value: unknown, label: string): number {
  const isInside = typeof value === 'number' && value >= RETENTION_MS_MIN && value <= RETENTION_MS_MAX;
  if (isInside) return Math.round(value);
  const given = typeof value === 'number' ? exactDuration(value) : String(value);
  const range = `${formatDuration(RETENTION_MS_MIN)} and ${formatDuration(RETENTION_MS_MAX)}`;
  throw new LeaseholdError('INVALID_ARGUMENT', `retention of ${label} is ${given}; it must lie between ${range}`);
}
