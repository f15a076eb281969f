import { hasLateAtSign, parseStoreUrl } from '../../../domain/store-url.ts';
import { LeaseholdError } from '../../../errors.ts';
import { redact } from '../../redact.ts';

/**
 * A system that is asked while it runs, as `leasehold audit` names it. Pure: nothing is opened.
 *
 * Secrets: `base`, `key`, `authorization` and `url` go to the driver alone. `name` is what reports and messages show; it
 * is built from parts that can't be secret. Where an address can't be taken apart, nothing of it is quoted.
 */
export type LiveSource =
  | {
      readonly kind: 'n8n-api';
      /** Without user, query and fragment. */
      readonly base: URL;
      readonly key: string;
      /** What a proxy before n8n asks for; null where the address names no user. */
      readonly authorization: string | null;
      readonly name: string;
      /** What to tell before asking; null where all is well. */
      readonly warning: string | null;
    }
  | { readonly kind: 'n8n-sqlite'; readonly path: string; readonly name: string }
  | { readonly kind: 'n8n-postgres'; readonly url: string; readonly name: string };

const FORMS = 'a path, n8n:https://HOST, sqlite:PATH or postgres://USER@HOST/DATABASE';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads `n8n:https://HOST[/PATH]`, `sqlite:PATH` and `postgres://…`; null for anything else that may be a path.
 * `key` is the value of LEASEHOLD_N8N_KEY. Throws INVALID_ARGUMENT for an address that makes no sense or of a kind that
 * is not read, and STORE_UNUSABLE for an n8n without a key.
 */
export function parseLiveSource(argument: string, key: string | undefined): LiveSource | null {
  const text = argument.trim();
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'n8n':
      return n8nSource(text.slice('n8n:'.length), key);
    case 'sqlite':
      return sqliteSource(text.slice('sqlite:'.length));
    case 'postgres':
    case 'postgresql':
      return postgresSource(text);
    case undefined:
      return null;
    default:
      return text.slice(scheme.length).startsWith('://') ? refuseScheme(scheme) : null;
  }
}

function n8nSource(address: string, key: string | undefined): LiveSource {
  if (!/^https?:\/\//i.test(address)) refuse('n8n: needs the whole address of the n8n; write n8n:https://HOST');
  const base = readUrl(address, 'n8n');
  const authorization = basicAuthorization(base);
  for (const part of ['username', 'password', 'search', 'hash'] as const) base[part] = '';
  const name = `n8n:${base.origin}${base.pathname.replace(/\/+$/, '')}`;
  if (key === undefined || key.trim() === '') {
    throw new LeaseholdError(
      'STORE_UNUSABLE',
      `${redact(name)} is read with an API key: make one in n8n (Settings, n8n API) with the scopes workflow:list and execution:list, and put it into LEASEHOLD_N8N_KEY`,
    );
  }
  if (/[^\x21-\x7e]/.test(key.trim())) {
    throw new LeaseholdError('STORE_UNUSABLE', 'LEASEHOLD_N8N_KEY has characters that no API key has');
  }
  const isOpen = base.protocol === 'http:' && !LOOPBACK.test(base.hostname);
  const warning = isOpen ? `${name} is asked without TLS: whoever is on the way can read the API key` : null;
  return { kind: 'n8n-api', base, key: key.trim(), authorization, name, warning };
}

function basicAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const plain = [username, password].map((part) => decodeURIComponent(part)).join(':');
  return `Basic ${Buffer.from(plain, 'utf8').toString('base64')}`;
}

function sqliteSource(rest: string): LiveSource {
  const path = rest.startsWith('//') ? rest.slice(2) : rest;
  const isHost = path !== rest && !path.startsWith('/');
  if (path === '' || path === ':memory:' || isHost || path.startsWith('~')) {
    refuse('sqlite: needs the path of a file; write sqlite:PATH, for example sqlite:/var/lib/n8n/.n8n/database.sqlite');
  }
  return { kind: 'n8n-sqlite', path, name: `sqlite:${path}` };
}

function postgresSource(url: string): LiveSource {
  try {
    const { name } = parseStoreUrl(url);
    return { kind: 'n8n-postgres', url, name: name.replace(/\/\/[^/]*@/, '//') };
  } catch {
    return refuseAddress('PostgreSQL');
  }
}

function readUrl(address: string, what: string): URL {
  if (hasLateAtSign(address)) refuseAddress(what);
  try {
    const url = new URL(address);
    // What was no valid escape in user or password would fail later, with the password in its message.
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return refuseAddress(what);
  }
}

function refuseAddress(what: string): never {
  return refuse(
    `the ${what} address can't be read; percent-encode the special characters of user and password (/ is %2F, ? is %3F, # is %23, @ is %40, \\ is %5C)`,
  );
}

function refuseScheme(scheme: string): never {
  if (scheme === 'http' || scheme === 'https') {
    refuse('of addresses on the web only those of an n8n are read; write n8n:https://HOST');
  }
  if (scheme === 'mysql' || scheme === 'mariadb') {
    refuse("n8n's MySQL databases are not read; read that n8n by its API: n8n:https://HOST");
  }
  refuse(`no source is known by "${scheme}:"; write ${FORMS}`);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
