import { existsSync, realpathSync, statSync } from 'node:fs';
import type { Account } from '../../domain/doctor-host.ts';
import type { ConfigurationFile, OtherStore, PlaceFacts, StorePlace } from '../../domain/doctor-places.ts';
import { parseStoreUrl } from '../../domain/store-url.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import { type Environment, readConfiguration } from '../config-file.ts';
import { absolutePath, defaultStoreFile, type StoreOption, SYSTEM_FILE, userFile } from '../store-location.ts';

/**
 * Every place that may name a store, in the order of `storeUrl`, and what other users of this host would get.
 * Nothing is made, and no store is opened. What is named is named without credentials.
 */

export interface PlaceQuestion {
  readonly option: StoreOption;
  readonly host: CommandHost;
  readonly userId: number | null;
  readonly accounts: readonly Account[];
  readonly systemFile?: string;
}

/** A place that makes no sense is a fact. */
export function placeFacts({ option, host, userId, accounts, systemFile = SYSTEM_FILE }: PlaceQuestion): PlaceFacts {
  const asked = option.config ?? host.env['LEASEHOLD_CONFIG'] ?? null;
  const askedPlaces = asked === null ? [] : ofAskedFile(asked, host);
  const ownFile = userFile(host);
  const files = [...askedPlaces.map(({ place }) => place), systemFile, ...(ownFile === null ? [] : [ownFile])];
  const places = [
    ...named('--store', option.store, host),
    ...named('LEASEHOLD_STORE', host.env['LEASEHOLD_STORE'], host),
    ...askedPlaces,
    ...ofFile(systemFile, host, true),
    ...(ownFile === null ? [] : ofFile(ownFile, host, true)),
    ...ofDefault(host),
  ];
  const isOneForAll = places.some(({ place, store }) => place === systemFile && store !== null);
  const strangers = isOneForAll ? [] : accounts.filter(({ id }) => id !== userId);
  const found = strangers.map((account) => ({ account, store: storeOfUser(account, host) }));
  return {
    places,
    files: files.flatMap(onDisk),
    others: found.flatMap(({ account, store }): OtherStore[] =>
      typeof store === 'string' ? [{ user: account.name, store }] : [],
    ),
    hiddenUsers: found.filter(({ store }) => store === HIDDEN).map(({ account }) => account.name),
    userId,
  };
}

function named(place: string, url: string | undefined, host: CommandHost): StorePlace[] {
  return url === undefined ? [] : [toPlace(place, url, host, false)];
}

/** One that was asked for must be there and name a store. */
function ofAskedFile(asked: string, host: CommandHost): StorePlace[] {
  let file: string;
  try {
    file = absolutePath(asked, host);
  } catch (error) {
    return [{ place: asked, store: null, fault: messageOf(error), isAmbient: false, exists: true }];
  }
  const [place] = ofFile(file, host, false);
  if (place !== undefined) return [place];
  const fault = `configuration ${file} ${existsSync(file) ? 'names no store' : 'is not there'}`;
  return [{ place: file, store: null, fault, isAmbient: false, exists: true }];
}

/** None for a file that isn't there or names no store. */
function ofFile(file: string, host: CommandHost, isAmbient: boolean): StorePlace[] {
  try {
    const url = readConfiguration(file, host.env)?.store ?? null;
    return url === null ? [] : [toPlace(file, url, host, isAmbient)];
  } catch (error) {
    return [{ place: file, store: null, fault: messageOf(error), isAmbient, exists: true }];
  }
}

function ofDefault(host: CommandHost): StorePlace[] {
  const file = defaultStoreFile(host);
  if (file === null) return [];
  return [{ ...toPlace('the default', `sqlite:${file}`, host, true), exists: existsSync(file) }];
}

function toPlace(place: string, url: string, host: CommandHost, isAmbient: boolean): StorePlace {
  try {
    return { place, store: storeId(url, host), fault: null, isAmbient, exists: true };
  } catch (error) {
    return { place, store: null, fault: `${place}: ${messageOf(error)}`, isAmbient, exists: true };
  }
}

/** The store's name; of a file by its real path, so that two ways to one file are one store. */
function storeId(url: string, host: CommandHost): string {
  const store = parseStoreUrl(url);
  if (store.kind !== 'sqlite' || store.path === ':memory:') return store.name;
  return `sqlite:${realPath(absolutePath(store.path, host))}`;
}

/** What isn't there, or can't be followed, is named as it is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function onDisk(path: string): ConfigurationFile[] {
  try {
    const { mode, uid } = statSync(path);
    return [{ path, mode, ownerId: uid }];
  } catch {
    return [];
  }
}

const HIDDEN: unique symbol = Symbol('hidden');
/** The variables of another user's jobs are not known. */
const NO_VARIABLES: Environment = {};

/** What this user's configuration names, else the default store if there is one; null for neither. */
function storeOfUser({ home }: Account, host: CommandHost): string | typeof HIDDEN | null {
  const elsewhere: CommandHost = { ...host, env: NO_VARIABLES, homeDirectory: () => home };
  const file = userFile(elsewhere);
  const store = defaultStoreFile(elsewhere);
  if (file === null || store === null) return null;
  if (isHidden(file) || isHidden(store)) return HIDDEN;
  const [place] = ofFile(file, elsewhere, true);
  if (place !== undefined) return place.store ?? HIDDEN;
  return existsSync(store) ? storeId(`sqlite:${store}`, host) : null;
}

/** True where not even that it is there may be known. */
function isHidden(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM';
  }
}

/** Of one whose message is ours: another one could quote what was read, and is a fault of Leasehold itself. */
function messageOf(error: unknown): string {
  if (isLeaseholdError(error)) return error.message;
  throw error;
}
