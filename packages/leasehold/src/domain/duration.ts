import { LeaseholdError } from '../errors.ts';

const MS_PER_UNIT: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** One number with one unit: `500ms`, `60s`, `40m`, `2h`, `31d`. No sign, no fraction, no months. */
const DURATION = /^(\d{1,15})(ms|s|m|h|d)$/;

/**
 * Reads a duration as people write it: `500ms`, `60s`, `40m`, `2h`, `1d` (a day is 24 hours).
 * Returns milliseconds. Throws INVALID_ARGUMENT, naming `label`, for anything else, months included.
 */
export function parseDuration(text: string, label = 'duration'): number {
  const match = DURATION.exec(text.trim());
  if (match === null) {
    throw new LeaseholdError(
      'INVALID_ARGUMENT',
      `${label}: "${text}" is not a duration; write a whole number and a unit, for example 500ms, 60s, 40m, 2h or 1d`,
    );
  }
  const [, digits = '', unit = ''] = match;
  return Number(digits) * (MS_PER_UNIT[unit] ?? 0);
}

/**
 * Writes a duration for people, with at most two units: `350ms`, `45s`, `1m 10s`, `2h 5m`, `3d 4h`.
 * Rounds down, so that an age is never overstated. The SQL function `leasehold._duration` writes
 * the same words.
 */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.floor(ms)}ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return pair(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  if (seconds < 86_400) return pair(Math.floor(seconds / 3_600), 'h', Math.floor((seconds % 3_600) / 60), 'm');
  return pair(Math.floor(seconds / 86_400), 'd', Math.floor((seconds % 86_400) / 3_600), 'h');
}

/**
 * Writes a number of milliseconds as it was meant: `32d`, `1m 10s`; `1500 ms` where those units can't say it
 * without rounding.
 */
export function exactDuration(ms: number): string {
  const text = `${ms} ms`;
  if (!Number.isSafeInteger(ms) || ms < 0) return text;
  const short = formatDuration(ms);
  const said = short.split(' ').reduce((sum, part) => sum + parseDuration(part), 0);
  return said === ms ? short : text;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;
}
