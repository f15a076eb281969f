import { LeaseholdError } from '../errors.ts';
import { exactDuration, formatDuration } from './duration.ts';

/** The limits of design §11. Every number a caller may send is checked here, before any store sees it. */
export const LEASE_MS_MIN = 1_000;
export const LEASE_MS_MAX: number = 31 * 86_400_000;
export const NAME_BYTES_MAX = 255;
export const ID_BYTES_MAX = 1_024;
export const GRACE_MS_MAX = 3_600_000;
/** Free text that people write: reasons and progress. Longer text belongs into a log. */
export const TEXT_BYTES_MAX = 4_096;
export const PAGE_SIZE_DEFAULT = 100;
export const PAGE_SIZE_MAX = 1_000;

/** C0, DEL and C1: they break logs, terminals and copy-paste, and hide names that look alike. */
const CONTROL_CHARACTERS = /\p{Cc}/u;
/** Half of a surrogate pair: it has no UTF-8 form, so two engines would store different bytes. */
const LONE_SURROGATE = /\p{Cs}/u;

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}

function checkText(value: unknown, label: string, bytesMax: number): string {
  if (typeof value !== 'string') refuse(`${label} must be text, got ${value === null ? 'null' : typeof value}`);
  // A unit of UTF-16 is three bytes at most: most texts are short enough whatever is in them.
  const bytes = value.length * 3 <= bytesMax ? value.length : new TextEncoder().encode(value).length;
  if (bytes === 0) refuse(`${label} is empty; give it 1 to ${bytesMax} bytes`);
  if (bytes > bytesMax) refuse(`${label} is ${bytes} bytes long; the limit is ${bytesMax}`);
  if (LONE_SURROGATE.test(value)) refuse(`${label} is not valid Unicode text`);
  if (CONTROL_CHARACTERS.test(value)) {
    refuse(`${label} ${JSON.stringify(value)} has control characters (a newline, a NUL, a tab); remove them`);
  }
  return value;
}

/** Checks the name of a lock or pool: 1 to 255 bytes of UTF-8, no control characters. Throws INVALID_ARGUMENT. */
export function checkName(value: unknown, label = 'lock name'): string {
  return checkText(value, label, NAME_BYTES_MAX);
}

/** Checks an id (holder, run id, record id): 1 to 1,024 bytes of UTF-8, no control characters. Throws INVALID_ARGUMENT. */
export function checkId(value: unknown, label: string): string {
  return checkText(value, label, ID_BYTES_MAX);
}

/** Checks a token: as an id, but what is wrong with it is said without showing it. Throws INVALID_ARGUMENT. */
export function checkToken(value: unknown): string {
  if (typeof value === 'string' && CONTROL_CHARACTERS.test(value)) {
    refuse('token has control characters (a newline, a NUL, a tab); remove them');
  }
  return checkText(value, 'token', ID_BYTES_MAX);
}

/** Checks a reason or a progress note: 1 to 4,096 bytes, no control characters. Throws INVALID_ARGUMENT. */
export function checkReason(value: unknown, label: string): string {
  return checkText(value, label, TEXT_BYTES_MAX);
}

function checkMs(value: unknown, label: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) refuse(`${label} must be a number of milliseconds`);
  const ms = Math.round(value);
  if (ms < min || ms > max) {
    refuse(
      `${label} is ${exactDuration(value)}; it must lie between ${formatDuration(min)} and ${formatDuration(max)}`,
    );
  }
  return ms;
}

/** Checks a lease: 1 s to 31 days, in milliseconds. A shorter one is refused, never rounded to 0. Throws INVALID_ARGUMENT. */
export function checkLeaseMs(value: unknown): number {
  return checkMs(value, 'lease', LEASE_MS_MIN, LEASE_MS_MAX);
}

/** Checks a grace: 0 to 1 h, in milliseconds. Throws INVALID_ARGUMENT. */
export function checkGraceMs(value: unknown): number {
  return checkMs(value, 'grace', 0, GRACE_MS_MAX);
}

/** Checks the `after` of a release: 0 to 31 days, in milliseconds. Throws INVALID_ARGUMENT. */
export function checkAfterMs(value: unknown): number {
  return checkMs(value, 'after', 0, LEASE_MS_MAX);
}

/** Checks how long a start may wait for the lock: 0 to 31 days, in milliseconds. Throws INVALID_ARGUMENT. */
export function checkWaitMs(value: unknown): number {
  return checkMs(value, 'wait', 0, LEASE_MS_MAX);
}

/** Checks a page size: 1 to 1,000. Throws INVALID_ARGUMENT. */
export function checkPageSize(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > PAGE_SIZE_MAX) {
    refuse(`limit must be a whole number from 1 to ${PAGE_SIZE_MAX}`);
  }
  return value as number;
}
