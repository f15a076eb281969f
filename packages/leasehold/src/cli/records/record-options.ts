import type { Command } from 'commander';
import { checkName, checkToken } from '../../domain/limits.ts';
import { CLAIM_LIMIT_MAX } from '../../domain/records/pool-settings.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import { parseWhole, usageError } from '../options.ts';
import { type StoreOption, storeUrl } from '../store-location.ts';

/** How the options and arguments of records are read, each before a store is opened. */

export const parsePool = (text: string): string => checkName(text, 'pool name');
export const parseClaimLimit: (text: string) => number = parseWhole('limit', 1, CLAIM_LIMIT_MAX);

/** Adds the pool that a command works on. */
export function withPool(command: Command): Command {
  return command.argument('<pool>', 'the pool', parsePool);
}

/**
 * The token of `begin`, `verdict`, `extend` and `return`: `--token`, else `LEASEHOLD_CLAIM_TOKEN`, which other users can't
 * read in the process list. Not `LEASEHOLD_TOKEN`: that is the lock's, of the run that the command may be part of.
 */
export function claimTokenOf(option: string | undefined, host: CommandHost): string {
  const token = option ?? host.env['LEASEHOLD_CLAIM_TOKEN'];
  if (token === undefined || token === '') {
    throw usageError("the claim's token is needed: --token T, or LEASEHOLD_CLAIM_TOKEN");
  }
  return checkToken(token);
}

/**
 * The lock that a claim names: `--lock-token`, else the one of the run that it is part of, so that a run which has lost its
 * lock claims nothing more. Only where the claim goes to the run's own store: another one doesn't know the lock.
 */
export function lockTokenOf(options: StoreOption & { readonly lockToken?: string }, host: CommandHost): string | null {
  if (options.lockToken !== undefined) return options.lockToken;
  const { LEASEHOLD_TOKEN: token, LEASEHOLD_LOCK: lock, LEASEHOLD_STORE: store } = host.env;
  const isOfRun = token !== undefined && token !== '' && lock !== undefined && lock !== '';
  return isOfRun && store !== undefined && storeUrl(options, host) === store ? checkToken(token) : null;
}

/** What a command for either is about. Throws INVALID_ARGUMENT for both and for neither. */
export function lockOrPool(
  lock: string | undefined,
  pool: string | undefined,
): { readonly lock: string } | { readonly pool: string } {
  if (lock !== undefined && pool !== undefined) throw usageError('name a lock or --pool POOL, not both');
  if (pool !== undefined) return { pool };
  if (lock !== undefined) return { lock };
  throw usageError('name a lock, or --pool POOL');
}
