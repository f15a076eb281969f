import type { CommandHost } from '../ports/command-host.ts';
import { parseToken, usageError } from './options.ts';

/**
 * The token of `renew` and `release`: `--token`, else `LEASEHOLD_TOKEN`, which every command under
 * `leasehold run` has and which, unlike an argument, other users can't read in the process list.
 */
export function tokenOf(option: string | undefined, host: CommandHost): string {
  const token = option ?? host.env['LEASEHOLD_TOKEN'];
  if (token === undefined || token === '') throw usageError('a token is needed: --token T, or LEASEHOLD_TOKEN');
  return parseToken(token);
}
