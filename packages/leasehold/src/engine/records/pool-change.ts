import { checkReason } from '../../domain/limits.ts';
import { callTimeoutOfVerifier, checkPoolSettings, POOL_DEFAULTS } from '../../domain/records/pool-settings.ts';
import type { PoolSettings } from '../../domain/records/record.ts';
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
