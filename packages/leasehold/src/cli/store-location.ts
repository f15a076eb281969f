import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { parseStoreUrl } from '../domain/store-url.ts';
import { LeaseholdError } from '../errors.ts';
import type { CommandHost } from '../ports/command-host.ts';
import { readConfiguration } from './config-file.ts';

/** What the command line says of its store. */
export interface StoreOption {
  readonly store?: string;
  readonly config?: string;
}

/** Counts for every user of the host. */
export const SYSTEM_FILE = '/etc/leasehold.json';

/**
 * Which store a command talks to, in order: `--store`, `LEASEHOLD_STORE`, the file of `--config`, that
 * of `LEASEHOLD_CONFIG`, `/etc/leasehold.json`, `leasehold.json` in the user's configuration directory,
 * else a SQLite file in the user's state directory. The first file that names a store counts; one that
 * was asked for must be there. An empty value is refused and not passed by: where a variable is unset in
 * one of two crontabs, both would run, each with its own store.
 */
export function storeUrl(option: StoreOption, host: CommandHost, systemFile: string = SYSTEM_FILE): string {
  const named = namedStoreUrl(option, host, systemFile);
  if (named !== null) return named;
  const file = defaultStoreFile(host);
  if (file !== null) return `sqlite:${file}`;
  throw new LeaseholdError(
    'STORE_UNUSABLE',
    'no store is named and this user has no home directory; give --store URL, or an absolute HOME',
  );
}

/** The same without the last of these: null where nobody has named a store. */
export function namedStoreUrl(option: StoreOption, host: CommandHost, systemFile: string = SYSTEM_FILE): string | null {
  const given = givenOrRefused('store', option.store, 'LEASEHOLD_STORE', host);
  if (given !== null) return given;
  const asked = givenOrRefused('config', option.config, 'LEASEHOLD_CONFIG', host);
  if (asked !== null) return storeOfAskedFile(asked, host);
  for (const file of [systemFile, userFile(host)]) {
    const store = file === null ? null : (readConfiguration(file, host.env)?.store ?? null);
    if (store !== null) return store;
  }
  return null;
}

/** Where a path leads from the working directory. Throws STORE_UNUSABLE where it needs that and it was removed. */
export function absolutePath(path: string, host: CommandHost): string {
  if (isAbsolute(path)) return resolve(path);
  try {
    return resolve(host.workingDirectory(), path);
  } catch (cause) {
    const what = `${path} begins in the working directory, which was removed; name it by an absolute path`;
    throw new LeaseholdError('STORE_UNUSABLE', what, { cause });
  }
}

/** The configuration files that count, in order: the one that was asked for, or those that may be there. */
export function configurationFiles(option: StoreOption, host: CommandHost, systemFile: string = SYSTEM_FILE): string[] {
  const asked = givenOrRefused('config', option.config, 'LEASEHOLD_CONFIG', host);
  if (asked !== null) return [absolutePath(asked, host)];
  return [systemFile, userFile(host)].filter((file) => file !== null);
}

/** True where one file was asked for, so that it must be there. */
export function isConfigurationAsked(option: StoreOption, host: CommandHost): boolean {
  return (option.config ?? host.env['LEASEHOLD_CONFIG']) !== undefined;
}

/** The option, else the variable; null where neither is given. Throws INVALID_ARGUMENT for an empty one. */
function givenOrRefused(option: string, value: string | undefined, variable: string, host: CommandHost): string | null {
  const [given, where] = value === undefined ? [host.env[variable], variable] : [value, `--${option}`];
  if (given !== undefined && given.trim() === '') {
    throw new LeaseholdError('INVALID_ARGUMENT', `${where} is empty; give it a value or leave it out`);
  }
  return given ?? null;
}

function storeOfAskedFile(file: string, host: CommandHost): string {
  const configuration = readConfiguration(absolutePath(file, host), host.env);
  if (configuration === null) throw new LeaseholdError('STORE_UNUSABLE', `configuration ${file} is not there`);
  if (configuration.store !== null) return configuration.store;
  throw new LeaseholdError('STORE_UNUSABLE', `configuration ${file} names no store; write {"store": "sqlite:/PATH"}`);
}

/** In `$XDG_CONFIG_HOME` if absolute, else in `~/.config`; null for a user without a home. */
export function userFile(host: CommandHost): string | null {
  const directory = userDirectory('XDG_CONFIG_HOME', ['.config'], host);
  return directory === null ? null : join(directory, 'leasehold.json');
}

/** `leasehold/leasehold.db` in `$XDG_STATE_HOME` if absolute, else in `~/.local/state`; null for a user without a home. */
export function defaultStoreFile(host: CommandHost): string | null {
  const directory = userDirectory('XDG_STATE_HOME', ['.local', 'state'], host);
  return directory === null ? null : join(directory, 'leasehold', 'leasehold.db');
}

/** The specification has relative values ignored. */
function userDirectory(variable: string, below: readonly string[], host: CommandHost): string | null {
  const configured = host.env[variable];
  if (configured !== undefined && isAbsolute(configured)) return configured;
  const home = host.homeDirectory();
  return home === null ? null : join(home, ...below);
}

/**
 * The name of an embedded store whose file is not there; null for any other, also one of which that can't be told.
 * Throws STORE_UNUSABLE for a URL that makes no sense, and as `absolutePath` does.
 */
export function missingStore(url: string, host: CommandHost): string | null {
  const store = parseStoreUrl(url);
  if (store.kind !== 'sqlite' || isInMemory(url)) return null;
  const path = absolutePath(store.path, host);
  try {
    statSync(path);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? `sqlite:${path}` : null;
  }
}

/** True for the store that ends with its process, and so guards nothing on a command line. */
export function isInMemory(url: string): boolean {
  const store = parseStoreUrl(url);
  return store.kind === 'sqlite' && store.path === ':memory:';
}

/**
 * The URL with which a child reaches the same store although it may change its directory: a file by
 * its absolute path, anything else as it was given, credentials included.
 */
export function storeUrlForChild(url: string, host: CommandHost): string {
  const store = parseStoreUrl(url);
  if (store.kind !== 'sqlite' || isInMemory(url)) return url;
  return `sqlite:${absolutePath(store.path, host)}`;
}
