import { checkToken } from '../../domain/limits.ts';
import { errorText } from '../../domain/records/error-text.ts';
import type { BeginAnswer, Verdict, VerdictAnswer } from '../../domain/records/record.ts';
import { checkProviderRef, checkRecordId } from '../../domain/records/record-key.ts';
import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { BeginItem, VerdictItem } from '../../ports/record-store.ts';
import { checkFlag, checkObject } from '../arguments.ts';

/**
 * Begins and verdicts as callers give them. What is wrong with one is its own answer, `refused` and `invalid`, and stops no
 * other: it must not cost the neighbours that it would have travelled with.
 */

/** What goes with a verdict. */
export interface VerdictWords {
  readonly providerRef?: unknown;
  readonly error?: unknown;
  readonly permanent?: unknown;
  /** Of a failure: where `permanent` may stand as well. */
  readonly options?: unknown;
}

export interface GivenVerdict extends VerdictWords {
  readonly id: unknown;
  readonly token: unknown;
  readonly verdict: Verdict;
}

export function beginItem(id: unknown, token: unknown): BeginItem {
  return { id: checkRecordId(id), token: checkToken(token) };
}

export function verdictItem({ id, token, verdict, ...words }: GivenVerdict): VerdictItem {
  return verdictOn(beginItem(id, token), verdict, words);
}

/** Of a record that the store has named itself: only the words are anybody else's. */
export function verdictOn(
  { id, token }: BeginItem,
  verdict: Verdict,
  { providerRef, error, permanent, options }: VerdictWords,
): VerdictItem {
  const hasRef = verdict === 'done' && providerRef !== undefined && providerRef !== null;
  return {
    id,
    token,
    verdict,
    providerRef: hasRef ? checkProviderRef(providerRef) : null,
    error: verdict === 'done' ? null : errorText(error),
    isPermanent: isPermanent(permanent ?? permanentOf(options)) && verdict === 'failed',
  };
}

function permanentOf(options: unknown): unknown {
  if (options === undefined) return undefined;
  checkObject(options, 'options');
  const other = Object.keys(options as object).find((name) => name !== 'permanent');
  if (other !== undefined) refuse(`a failure has no option "${other}"; it has permanent`);
  return (options as { readonly permanent?: unknown }).permanent;
}

/** What is neither true nor false is not taken for false: the record would be tried again. */
function isPermanent(permanent: unknown): boolean {
  return permanent === undefined ? false : checkFlag(permanent, 'permanent');
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}

/** The item, or what is wrong with it. */
export function checkedOr<T, A>(check: () => T, invalid: (message: string) => A): { item: T } | { answer: A } {
  try {
    return { item: check() };
  } catch (error) {
    if (!isLeaseholdError(error, 'INVALID_ARGUMENT')) throw error;
    return { answer: invalid(error.message) };
  }
}

export function refusedBegin(
  pool: string,
  id: string,
  version: string | null,
  reason: NonNullable<BeginAnswer['reason']>,
  message: string,
): BeginAnswer {
  return { outcome: 'refused', pool, id, version, attempt: null, begunAt: null, remainingMs: null, reason, message };
}

export function invalidVerdict(pool: string, id: string, version: string | null, message: string): VerdictAnswer {
  return { outcome: 'refused', pool, id, version, state: null, notBefore: null, reason: 'invalid', message };
}
