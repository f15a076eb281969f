import { isAbsolute, join, resolve } from 'node:path';
import { parseStoreUrl } from '../domain/store-url.ts';
import { LeaseholdError } from '../errors.ts';
import type { CommandHost } from '../ports/command-host.ts';

/**
 * Which store a command talks to, in order: `--store`, `LEASEHOLD_STORE`, else a SQLite file in the
 * user's state directory. An empty value counts as not given, so that `LEASEHOLD_STORE=` in a
 * crontab means the default and not a store without a name.
 */
export function storeUrl(option: string | undefined, host: CommandHost): string {
  const given = [option, host.env['LEASEHOLD_STORE']].find((url) => url !== undefined && url !== '');
  if (given !== undefined) return given;
  return `sqlite:${join(stateDirectory(host), 'leasehold', 'leasehold.db')}`;
}

/** `$XDG_STATE_HOME` if absolute (the specification has relative ones ignored), else `~/.local/state`. */
function stateDirectory(host: CommandHost): string {
  const configured = host.env['XDG_STATE_HOME'];
  if (configured !== undefined && isAbsolute(configured)) return configured;
  const home = host.homeDirectory();
  if (home !== null) return join(home, '.local', 'state');
  throw new LeaseholdError('STORE_UNUSABLE', 'no store is named and this user has no home directory; give --store URL');
}

/**
 * The URL with which a child reaches the same store although it may change its directory: a file by
 * its absolute path, anything else as it was given, credentials included.
 */
export function storeUrlForChild(url: string, host: CommandHost): string {
  const store = parseStoreUrl(url);
  if (store.kind !== 'sqlite' || store.path.startsWith(':')) return url;
  return `sqlite:${resolve(host.workingDirectory(), store.path)}`;
}
