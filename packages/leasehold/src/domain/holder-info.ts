import { LeaseholdError } from '../errors.ts';
import type { HolderInfo } from './lock-state.ts';

/** As JSON text. It is read by people beside the holder's name; longer things belong into a log. */
export const HOLDER_INFO_BYTES_MAX = 65_536;

/** `\u0000` or half of a surrogate pair, as JSON.stringify writes them: PostgreSQL's jsonb refuses both. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Checks what is known of a holder: an object that JSON can hold, at most 64 KiB of text. Returns
 * it as it will be read back (dates as text, functions gone), so that both engines keep the same.
 * Throws INVALID_ARGUMENT.
 */
export function checkHolderInfo(value: unknown): HolderInfo {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('holder info must be an object');
  const text = toJson(value);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > HOLDER_INFO_BYTES_MAX) {
    refuse(`holder info is ${bytes} bytes long as JSON; the limit is ${HOLDER_INFO_BYTES_MAX}`);
  }
  if (UNSTORABLE.test(text)) refuse('holder info has a NUL or is not valid Unicode text');
  const stored: unknown = JSON.parse(text);
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) refuse('holder info must be an object');
  return stored as HolderInfo;
}

function toJson(value: object): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    return refuse('holder info has something that JSON cannot hold (a cycle, a BigInt)', cause);
  }
}

function refuse(message: string, cause?: unknown): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message, cause === undefined ? undefined : { cause });
}
