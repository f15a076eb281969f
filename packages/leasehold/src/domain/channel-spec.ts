import { LeaseholdError } from '../errors.ts';
import type { AlertFilter } from './alert.ts';
import { EVENT_KINDS } from './event-kinds.ts';

/** POSTs each alert as JSON. */
export interface WebhookSpec {
  readonly type: 'webhook';
  readonly name: string;
  /** May hold secrets: it goes to the request alone. */
  readonly url: string;
  /** Signs each request; null for none. */
  readonly secret: string | null;
  readonly filter: AlertFilter;
}

/** Appends each alert as one line of JSON. */
export interface LogSpec {
  readonly type: 'log';
  readonly name: string;
  /** Absolute; null for stderr. */
  readonly file: string | null;
  readonly filter: AlertFilter;
}

/** A channel as it is configured, checked. */
export type ChannelSpec = WebhookSpec | LogSpec;

/** A channel as a caller or a configuration file writes it. */
export interface ChannelOptions {
  readonly type: 'webhook' | 'log';
  /** Webhook: `https://…` or `http://…`. */
  readonly url?: string;
  /** Webhook: signs each request (HMAC-SHA256). */
  readonly secret?: string;
  /** Log: an absolute path; stderr where it is left out. */
  readonly file?: string;
  /** This and worse; default `warning`. */
  readonly minSeverity?: 'warning' | 'critical';
  /** Of these kinds only; default all that alert. */
  readonly kinds?: readonly string[];
}

const KEYS: Readonly<Record<ChannelSpec['type'], readonly string[]>> = {
  webhook: ['type', 'url', 'secret', 'minSeverity', 'kinds'],
  log: ['type', 'file', 'minSeverity', 'kinds'],
};
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const CHANNELS_MAX = 20;

/**
 * Reads channels by name: `{"ops": {"type": "webhook", "url": "https://…"}}`. Throws INVALID_ARGUMENT, naming what
 * is wrong and never a URL or a secret. An unknown key is refused: mistyped, it would silence an alert.
 */
export function parseChannels(value: unknown): ChannelSpec[] {
  const channels = Object.entries(asObject(value, 'the channels must be an object: {"NAME": {"type": "webhook", …}}'));
  if (channels.length > CHANNELS_MAX) refuse(`there are ${channels.length} channels; at most ${CHANNELS_MAX}`);
  return channels.map(([name, options]) => {
    if (!NAME.test(name)) refuse(`channel "${name}": a name has 1 to 64 letters, digits, dots, dashes and underscores`);
    return parseChannel(name, asObject(options, `channel "${name}" must be an object`));
  });
}

function parseChannel(name: string, options: Readonly<Record<string, unknown>>): ChannelSpec {
  const { type } = options;
  if (type !== 'webhook' && type !== 'log') return refuse(`channel "${name}" needs a "type": "webhook" or "log"`);
  const stray = Object.keys(options).find((key) => !KEYS[type].includes(key));
  if (stray !== undefined) {
    refuse(`channel "${name}" has an unknown key "${stray}"; a ${type} knows ${KEYS[type].join(', ')}`);
  }
  const filter = parseFilter(name, options);
  if (type === 'log') return { type, name, file: parseFile(name, options['file']), filter };
  return { type, name, url: parseUrl(name, options['url']), secret: parseSecret(name, options['secret']), filter };
}

function parseFilter(name: string, { minSeverity = 'warning', kinds }: Readonly<Record<string, unknown>>): AlertFilter {
  if (minSeverity !== 'warning' && minSeverity !== 'critical') {
    return refuse(`channel "${name}": "minSeverity" is "warning" or "critical"`);
  }
  if (kinds === undefined) return { minSeverity, kinds: null };
  if (!Array.isArray(kinds) || kinds.length === 0) {
    return refuse(`channel "${name}": "kinds" is a list of kinds of events that is not empty; leave it out for all`);
  }
  const unknown = kinds.find((kind) => !EVENT_KINDS.includes(kind as string)) as unknown;
  if (unknown !== undefined) return refuse(`channel "${name}": ${JSON.stringify(unknown)} is no kind of event`);
  return { minSeverity, kinds: kinds as string[] };
}

function parseUrl(name: string, url: unknown): string {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
    return refuse(`channel "${name}" needs a "url" that begins with https:// or http://`);
  }
  return parsed.href;
}

function parseSecret(name: string, secret: unknown): string | null {
  if (secret === undefined) return null;
  if (typeof secret === 'string' && secret !== '') return secret;
  return refuse(`channel "${name}" needs a "secret" that is text and not empty; leave it out for none`);
}

/** A relative file would be another one in each directory that a command runs in. */
function parseFile(name: string, file: unknown): string | null {
  if (file === undefined) return null;
  if (typeof file === 'string' && /^(?:\/|[A-Za-z]:[\\/])/.test(file)) return file;
  return refuse(`channel "${name}" needs a "file" with an absolute path; leave it out for stderr`);
}

function asObject(value: unknown, message: string): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : refuse(message);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
