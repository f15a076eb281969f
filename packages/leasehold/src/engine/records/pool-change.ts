import { checkReason } from '../../domain/limits.ts';
import { callTimeoutOfVerifier, checkPoolSettings, POOL_DEFAULTS } from '../../domain/records/pool-settings.ts';
import type { PoolSettings, PoolStatus } from '../../domain/records/record.ts';
import { LeaseholdError } from '../../errors.ts';
import type { ChangePoolRequest } from '../../ports/record-store.ts';
import { checkObject } from '../arguments.ts';
import type { PoolChange } from './api.ts';

/** Throws INVALID_ARGUMENT, also for a setting that there is not: a word that is misspelt would change nothing. */
export function checkChange(pool: string, change: PoolChange): ChangePoolRequest {
  checkObject(change, 'settings');
  const { reason, verifier, ...others } = change;
  const names = Object.keys(POOL_DEFAULTS);
  const unknown = Object.keys(others).find((name) => !names.includes(name));
  if (unknown !== undefined) refuse(`a pool has no setting "${unknown}"; it has ${names.join(', ')}`);
  const given = Object.entries({ ...others, verifier: verifierText(verifier) }).filter(
    ([, value]) => value !== undefined,
  );
  const settings = checkPoolSettings(Object.fromEntries(given) as Partial<PoolSettings>);
  return {
    pool,
    settings: { ...callTimeoutThatComes(settings), ...settings },
    reason: reason === undefined ? null : checkReason(reason, 'reason'),
  };
}

/** True where whether a repeat is ever safe in time may change: then what the pool is set to counts as well. */
export function changesRedo({ settings }: ChangePoolRequest): boolean {
  return 'redo' in settings || 'redoWindowMs' in settings || 'callTimeoutMs' in settings;
}

/** Throws INVALID_ARGUMENT where a repeat is safe for no longer than one call takes: none would ever be made. */
export function checkRedo({ pool, settings }: ChangePoolRequest, status: PoolStatus | null): void {
  const { redo, redoWindowMs, callTimeoutMs } = { ...POOL_DEFAULTS, ...status, ...settings };
  if (redo !== 'safe' || redoWindowMs === null || redoWindowMs > callTimeoutMs) return;
  refuse(
    `redoWindowMs of pool "${pool}" would be ${redoWindowMs} and its callTimeoutMs ${callTimeoutMs}: no repeat would be within it; make it longer, or say redo: 'ask'`,
  );
}

/** A verifier brings the call time-out with it, unless the same change names one. */
function callTimeoutThatComes({ verifier }: Partial<PoolSettings>): Partial<PoolSettings> {
  const callTimeoutMs = typeof verifier === 'string' ? callTimeoutOfVerifier(verifier) : null;
  return callTimeoutMs === null ? {} : { callTimeoutMs };
}

function verifierText(verifier: PoolChange['verifier']): string | null | undefined {
  if (verifier === undefined || verifier === null || typeof verifier === 'string') return verifier;
  checkObject(verifier, 'verifier');
  return JSON.stringify(verifier);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
