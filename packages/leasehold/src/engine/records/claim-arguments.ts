import { checkHolderInfo } from '../../domain/holder-info.ts';
import { checkId, checkLeaseMs, checkToken } from '../../domain/limits.ts';
import { checkClaimLimit } from '../../domain/records/pool-settings.ts';
import { LeaseholdError } from '../../errors.ts';
import type { ClaimNextRequest } from '../../ports/record-store.ts';
import type { Start } from '../api.ts';
import { checkChoice, checkObject, checkSignal, checkSpan } from '../arguments.ts';
import type { EngineParts } from '../parts.ts';
import type { ClaimOptions } from './claim-api.ts';
import { checkOffers } from './offers.ts';

const RETRY_FOR_MS = 15 * 60_000;
export const RETRY_FOR_MS_MAX: number = 24 * 3_600_000;

/** A claim whose arguments are known to be good; its offers are looked at one by one as they are read. */
export interface CheckedClaim {
  readonly request: ClaimNextRequest;
  /** Null: the next ones of the queue. */
  readonly offers: Iterable<unknown> | AsyncIterable<unknown> | null;
  /** True where the caller named the claim, so that this may be a repeat of one that began before. */
  readonly isNamed: boolean;
  readonly renewal: 'heartbeat' | 'touch';
  readonly retryForMs: number;
  readonly signal: AbortSignal | null;
}

/** Every option of a claim, and what it does where `undefined` stands in its place; null: nothing more than its default. */
const OPTIONS: Readonly<Record<keyof ClaimOptions, string | null>> = {
  ids: 'claim the next records of the queue',
  limit: null,
  leaseMs: null,
  holder: null,
  holderInfo: null,
  claimId: null,
  lockToken: 'claim without a lock',
  lock: 'claim without a lock',
  begin: null,
  renewal: null,
  retryForMs: null,
  signal: null,
};

/** A word misspelt, or a variable without a value, would claim what nobody named, or without the lock. */
function checkNames(options: ClaimOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      refuse(`a claim has no option "${name}"; it has ${Object.keys(OPTIONS).join(', ')}`);
    }
    const effect = OPTIONS[name as keyof ClaimOptions];
    if (value === undefined && effect !== null) refuse(`${name} is undefined; leave it out to ${effect}`);
  }
}

/** Throws INVALID_ARGUMENT. */
export function checkClaim(pool: string, options: ClaimOptions, { self, ids }: EngineParts): CheckedClaim {
  checkObject(options, 'options');
  checkNames(options);
  const { leaseMs, limit, holder, holderInfo, claimId, signal, retryForMs } = options;
  return {
    request: {
      pool,
      holder: holder === undefined ? self.holder : checkId(holder, 'holder'),
      holderInfo: holderInfo === undefined ? (self.workInfo ?? self.holderInfo) : checkHolderInfo(holderInfo),
      claimId: claimId === undefined ? ids.newId() : checkId(claimId, 'claim id'),
      leaseMs: leaseMs === undefined ? null : checkLeaseMs(leaseMs),
      limit: limit === undefined ? null : checkClaimLimit(limit),
      lockToken: lockTokenOf(options),
      explicitBegin: checkChoice(options.begin ?? 'explicit', 'begin', ['explicit', 'implied']) === 'explicit',
    },
    offers: options.ids === undefined ? null : checkOffers(options.ids, 'ids'),
    isNamed: claimId !== undefined,
    renewal: checkChoice(options.renewal ?? 'heartbeat', 'renewal', ['heartbeat', 'touch']),
    retryForMs: checkRetryFor(retryForMs ?? RETRY_FOR_MS),
    signal: signal === undefined ? null : checkSignal(signal),
  };
}

export function checkRetryFor(value: unknown): number {
  return checkSpan(value, 'retryForMs', 0, RETRY_FOR_MS_MAX);
}

function lockTokenOf({ lock, lockToken }: ClaimOptions): string | null {
  if (lock !== undefined && lockToken !== undefined) refuse('give lock or lockToken, not both');
  if (lockToken !== undefined) return checkToken(lockToken);
  return lock === undefined ? null : tokenOfStart(lock);
}

/** A start that holds nothing would claim as if no lock had been named. */
function tokenOfStart(start: Start): string | null {
  checkObject(start, 'lock');
  if (start.outcome === 'bypassed') return null;
  if (start.outcome === 'acquired' || start.outcome === 'reclaimed') return checkToken(start.token);
  return refuse(`lock is a start that did not proceed (${start.outcome}); test proceed before claiming`);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
