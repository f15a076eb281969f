import { readFileSync } from 'node:fs';
import type { Retention } from '../domain/retention.ts';
import { parseStoreUrl } from '../domain/store-url.ts';
import { LeaseholdError } from '../errors.ts';
import { readRetention } from './retention-config.ts';

/**
 * A configuration file: `{"store": "…", "alerts": {…}, "probes": {…}, "retention": {…}, "namespace": "…"}`; what a section holds is its
 * own reader's. A key that isn't known is refused by its name,
 * because a mistyped one would silently mean another store. Secrets don't belong in files: a password in
 * the URL, or the whole URL, is written `env:NAME` and read from that variable.
 */
export interface Configuration {
  /** With its secrets; null where the file names none. */
  readonly store: string | null;
  /** Null where the file says none. */
  readonly retention: Retention | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const KEYS: ReadonlySet<string> = new Set(['store', 'alerts', 'probes', 'retention', 'namespace']);
/** `scheme://user:` and what stands before the last `@` of the authority. */
const PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:)([^/?#]*)(@.*)$/is;
const SECRET_PARAMETER = /[?&](?:password|sslpassword|passfile)=/i;
const VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** Reads the file. Null where there is none; throws STORE_UNUSABLE for one that can't be read or makes no sense. */
export function readConfiguration(path: string, env: Environment): Configuration | null {
  const content = readContent(path);
  if (content === null) return null;
  const { store } = content;
  const retention = content['retention'] === undefined ? null : retentionOf(path, content['retention']);
  if (store === undefined) return { store: null, retention };
  if (typeof store !== 'string' || store.trim() === '')
    return refuse(path, 'has a "store" that is not a URL in quotes');
  return { store: withSecrets(path, store.trim(), env), retention };
}

/** One section of the file as it stands there, undefined where it has none; null where there is no file. Throws as above. */
export function readSection(path: string, key: string): { readonly value: unknown } | null {
  const content = readContent(path);
  return content === null ? null : { value: content[key] };
}

function readContent(path: string): Record<string, unknown> | null {
  const text = readText(path);
  if (text === null) return null;
  const content = parseObject(path, text);
  for (const key of Object.keys(content)) {
    if (!KEYS.has(key)) refuse(path, `has an unknown key "${key}"; known: ${[...KEYS].join(', ')}`);
  }
  return content;
}

function retentionOf(path: string, value: unknown): Retention {
  try {
    return readRetention(value);
  } catch (error) {
    return refuse(path, `is refused: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return refuse(path, `can't be read (${code})`);
  }
}

/** What the parser says is not passed on: it quotes the text, secrets and all. */
function parseObject(path: string, text: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return refuse(path, 'is not JSON; write {"store": "sqlite:/PATH"}');
  }
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return isObject ? (content as Record<string, unknown>) : refuse(path, 'must hold an object: {"store": "…"}');
}

function withSecrets(path: string, url: string, env: Environment): string {
  const whole = VARIABLE.exec(url)?.[1];
  if (whole !== undefined) return valueOf(path, whole, env);
  if (SECRET_PARAMETER.test(url))
    refuse(path, 'has a secret behind the ? of its store; write the password as env:NAME');
  const [, before = '', password = '', after = ''] = PASSWORD.exec(url) ?? [];
  if (before === '') return namable(path, url);
  const name = VARIABLE.exec(password)?.[1];
  if (name === undefined) return refuse(path, 'has a password in its store; write env:NAME in its place');
  return `${before}${encodeURIComponent(valueOf(path, name, env))}${after}`;
}

/** Refused here, because the file is at fault and not an option. */
function namable(path: string, url: string): string {
  try {
    parseStoreUrl(url);
    return url;
  } catch (error) {
    return refuse(path, `has a "store" that is none: ${error instanceof Error ? error.message : 'not a URL'}`);
  }
}

function valueOf(path: string, name: string, env: Environment): string {
  const value = env[name];
  if (value === undefined || value === '')
    return refuse(path, `needs the environment variable ${name}, which is not set`);
  return value;
}

function refuse(path: string, what: string): never {
  throw new LeaseholdError('STORE_UNUSABLE', `configuration ${path} ${what}`);
}
