import { LeaseholdError } from '../errors.ts';

/**
 * Which store a URL means. Pure: no file is touched, no variable read.
 *
 * Secrets: `url` may carry a password or a key and goes to the driver alone. `name` is what messages,
 * logs and tables show: built from the parts that can't be secret, never by cutting secrets out of the
 * whole. Where a text can't be taken apart with certainty, the refusal quotes nothing of it.
 */
export type StoreUrl =
  | { readonly kind: 'sqlite'; readonly path: string; readonly name: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly name: string }
  | { readonly kind: 'service'; readonly url: string; readonly name: string };

const FORMS = 'sqlite:PATH, postgres://USER@HOST/DATABASE or https://HOST';

/** What stands between scheme and rest: at least two letters, so that a Windows drive is a path. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

/**
 * An `@` behind the host: part of a password with an unescaped `/`, `?`, `#` or `\` (which ends the host of
 * an http address as `/` does), so every part read before it is suspect.
 */
const LATE_AT_SIGN = /^[^:]+:[/\\]*(?![/\\])[^/?#\\]*[/?#\\].*@/s;

/** A user or database that is shown: with anything else in it, it may be more than a name. */
const PLAIN_NAME = /^[\w.-]+$/;

/** What people try that is no store. Only these are quoted: what else stands before a colon may be a secret. */
const OTHER_SCHEMES: ReadonlySet<string> = new Set([
  'file',
  'mysql',
  'mariadb',
  'mongodb',
  'mongodb+srv',
  'redis',
  'rediss',
  'libsql',
  'sqlserver',
  'mssql',
  'oracle',
  'ftp',
  'ws',
  'wss',
  'n8n',
]);

const NO_HOST = 'socket.invalid';

/**
 * Reads a store's URL: `sqlite:PATH` (`sqlite::memory:` for one process), `postgres://…` or
 * `postgresql://…`, `https://…` or `http://…` (the service).
 * Throws STORE_UNUSABLE for anything else, a bare path included, with what to write instead.
 */
export function parseStoreUrl(text: string): StoreUrl {
  const url = text.trim();
  if (url === '') refuse(`the store's URL is empty; write ${FORMS}`);
  if (/\p{Cc}/u.test(url)) refuse(`the store's URL has control characters; write ${FORMS}`);
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return refusePath(url);
    case 'sqlite':
      return parseSqlite(url.slice('sqlite:'.length));
    case 'postgres':
    case 'postgresql':
      return parsePostgres(url);
    case 'http':
    case 'https':
      return { kind: 'service', url, name: parseNetworkUrl(url).origin };
    default:
      return refuseScheme(scheme, url);
  }
}

/** The name of a store for messages, as `parseStoreUrl` gives it; never throws and never shows a secret. */
export function storeUrlName(text: string): string {
  try {
    return parseStoreUrl(text).name;
  } catch {
    return 'the store (its URL is not valid)';
  }
}

function parseSqlite(rest: string): StoreUrl {
  const path = rest.startsWith('//') ? rest.slice(2) : rest;
  if (path === '')
    refuse('sqlite: names no file; write sqlite:PATH, for example sqlite:/var/lib/leasehold/leasehold.db');
  if (path !== rest && !path.startsWith('/')) {
    refuse('sqlite:// with two slashes would name a host; write sqlite:PATH or sqlite:///ABSOLUTE/PATH');
  }
  if (path.startsWith('~')) refuse('sqlite:~… is not expanded by every shell; write the whole path');
  return { kind: 'sqlite', path, name: `sqlite:${path}` };
}

function parsePostgres(url: string): StoreUrl {
  // libpq allows an empty host after a user (the socket is then named in the query); URL doesn't.
  const parsed = parseNetworkUrl(url.replace(/^([^/]+:\/\/[^/?#]*@)(?=[/?]|$)/, `$1${NO_HOST}`));
  const host = parsed.host === NO_HOST ? '' : parsed.host;
  const user = PLAIN_NAME.test(parsed.username) ? `${parsed.username}@` : '';
  const database = PLAIN_NAME.test(parsed.pathname.slice(1)) ? parsed.pathname : '';
  return { kind: 'postgres', url, name: `postgres://${user}${host}${database}` };
}

function parseNetworkUrl(url: string): URL {
  const advice =
    'percent-encode the special characters of user and password (/ is %2F, ? is %3F, # is %23, @ is %40, \\ is %5C)';
  if (hasLateAtSign(url)) refuse(`the store's URL has an @ behind its host; ${advice}`);
  try {
    return new URL(url);
  } catch {
    // The error underneath quotes the URL, password and all, so it is no cause here.
    return refuse(`the store's URL can't be read; write ${FORMS}, and ${advice}`);
  }
}

/** True where what reads as the host of this address may be part of a password: nothing of it may be shown. */
export function hasLateAtSign(url: string): boolean {
  return LATE_AT_SIGN.test(url);
}

function refusePath(path: string): never {
  const looksLikePath = /^\.{0,2}\/[\w./ -]{1,200}$/.test(path);
  refuse(`the store is given without its kind; for a file write sqlite:${looksLikePath ? path : 'PATH'} (${FORMS})`);
}

function refuseScheme(scheme: string, url: string): never {
  // `user:password@host` begins with a name and a colon too, and a password may have `://` in it.
  const isShown = OTHER_SCHEMES.has(scheme) && url.slice(scheme.length).startsWith('://');
  refuse(`no store is known by ${isShown ? `the scheme "${scheme}:"` : 'the beginning of this URL'}; write ${FORMS}`);
}

function refuse(message: string): never {
  throw new LeaseholdError('STORE_UNUSABLE', message);
}
