import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import { errorText } from '../../domain/records/error-text.ts';
import { payloadText } from '../../domain/records/payload.ts';
import { checkRecordId, checkVersion } from '../../domain/records/record-key.ts';
import type { NewRecord } from '../../ports/record-store.ts';
import { checkInstant } from '../arguments.ts';
import type { InvalidRecord } from './claim-api.ts';

/** Of an id that is none, what is shown of it. */
const SHOWN_CHARACTERS_MAX = 1_024;

/** What a record may have. A version or a payload whose name is misspelt would be missing for ever: the first time counts. */
const KEYS: readonly string[] = ['id', 'version', 'payload', 'notBefore'];

/** An offer that was looked at: a record, or what is wrong with it. */
export type CheckedOffer = NewRecord | InvalidRecord;

/** Whoever offers many must not lose all of them over one: what is wrong with a record is its answer. */
export function checkOffer(offer: unknown): CheckedOffer {
  const isPlain = typeof offer !== 'object' || offer === null;
  const given: Readonly<Record<string, unknown>> = isPlain ? { id: offer } : (offer as Record<string, unknown>);
  try {
    const odd = Object.keys(given).find((key) => !KEYS.includes(key));
    if (odd !== undefined) {
      throw new LeaseholdError('INVALID_ARGUMENT', `"${shownKey(odd)}" is not known; a record has ${KEYS.join(', ')}`);
    }
    const { id, version, payload, notBefore } = given;
    return {
      id: checkRecordId(id),
      version: version === undefined || version === null ? '' : checkVersion(version),
      payload: payload === undefined ? null : payloadText(payload),
      notBefore: notBefore === undefined || notBefore === null ? null : checkInstant(notBefore, 'notBefore'),
    };
  } catch (error) {
    const isChecked = isLeaseholdError(error, 'INVALID_ARGUMENT');
    const message = isChecked ? error.message : `record can't be read: ${errorText(error) ?? 'it throws'}`;
    const [id, version] = [shown(() => given['id']), shown(() => given['version'])];
    return { id, version, why: 'invalid', by: null, since: null, message };
  }
}

export function isInvalid(offer: CheckedOffer): offer is InvalidRecord {
  return 'why' in offer;
}

/** Of a key that may be anything. */
function shownKey(key: string): string {
  return (errorText(key) ?? '').slice(0, 100);
}

/** A getter that throws shows nothing. */
function shown(read: () => unknown): string {
  let value: unknown;
  try {
    value = read();
  } catch {
    return '';
  }
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isPlain ? String(value).slice(0, SHOWN_CHARACTERS_MAX).toWellFormed() : '';
}

/** A list of offers, and not one of them: text is a list of its characters, which nobody means. */
export function checkOffers(value: unknown, label: string): Iterable<unknown> | AsyncIterable<unknown> {
  const isList =
    typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
  if (!isList) {
    throw new LeaseholdError(
      'INVALID_ARGUMENT',
      `${label} must be a list (an array, a set, a generator, a stream); of one record it is [id]`,
    );
  }
  return value as Iterable<unknown> | AsyncIterable<unknown>;
}
