import { LeaseholdError } from '../../errors.ts';
import { checkId, checkReason } from '../limits.ts';

/**
 * Ids, versions and references as people and programs write them. An id is text, compared byte by byte. A whole number is
 * its decimal text, so that 42 from a driver and '42' from a sheet are one record; of any other number nobody knows which
 * text it would be elsewhere (1e21, 0.1, a bigint cut to a double), so that it must come as text.
 */

/** Checks a record's id: 1 to 1,024 bytes without control characters, or a safe integer. Throws INVALID_ARGUMENT. */
export function checkRecordId(value: unknown): string {
  return checkId(plainText(value, 'record id'), 'record id');
}

/** Checks a version: as an id, or empty. Throws INVALID_ARGUMENT. */
export function checkVersion(value: unknown): string {
  return value === '' ? '' : checkId(plainText(value, 'version'), 'version');
}

/** Checks the provider's reference: 1 to 4,096 bytes without control characters, or a safe integer. Throws INVALID_ARGUMENT. */
export function checkProviderRef(value: unknown): string {
  return checkReason(plainText(value, 'provider reference'), 'provider reference');
}

function plainText(value: unknown, label: string): unknown {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  if (Number.isSafeInteger(value)) return String(value);
  throw new LeaseholdError(
    'INVALID_ARGUMENT',
    `${label} is the number ${value}, which is not written the same everywhere; give it as text, "${value}"`,
  );
}
