import { type ChannelSpec, parseChannels } from '../../domain/channel-spec.ts';
import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import type { Environment } from '../config-file.ts';
import { findSection } from '../config-section.ts';
import type { StoreOption } from '../store-location.ts';

/**
 * The channels that alerts go to: `"alerts": {"channels": {NAME: {…}}}` of the first configuration file that says
 * anything of alerts, in the order in which a store is looked for. Also where the store itself comes from an option or
 * a variable: who is to be told does not hang on that.
 *
 * Secrets don't belong in files: `secret` is always `env:NAME`, and `url` is where it holds one.
 */

const SECTION = 'alerts';
const VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** Empty where no file says anything of alerts. Throws STORE_UNUSABLE for a mistake in one, naming file and channel. */
export function alertChannels(option: StoreOption, host: CommandHost, systemFile?: string): ChannelSpec[] {
  const section = findSection(SECTION, option, host, systemFile);
  return section === null ? [] : channelsIn(section.path, section.value, host.env);
}

function channelsIn(path: string, section: unknown, env: Environment): ChannelSpec[] {
  try {
    const { channels = {}, ...strange } = asObject(section, '"alerts" must be an object: {"channels": {…}}');
    const [stray] = Object.keys(strange);
    if (stray !== undefined) refuse(`"alerts" has an unknown key "${stray}"; known: channels`);
    const named = Object.entries(asObject(channels, '"channels" must be an object: {"NAME": {"type": "webhook", …}}'));
    return parseChannels(Object.fromEntries(named.map(([name, options]) => [name, withSecrets(name, options, env)])));
  } catch (error) {
    if (!isLeaseholdError(error, 'INVALID_ARGUMENT')) throw error;
    throw new LeaseholdError('STORE_UNUSABLE', `configuration ${path}: ${error.message}`, { cause: error });
  }
}

/** What is no object, or no text, is left as it is for `parseChannels` to refuse. */
function withSecrets(name: string, options: unknown, env: Environment): unknown {
  if (typeof options !== 'object' || options === null) return options;
  const { url, secret } = options as { url?: unknown; secret?: unknown };
  const read = { ...options } as Record<string, unknown>;
  if (typeof url === 'string') read['url'] = urlOf(name, url, env);
  if (typeof secret === 'string') {
    const variable = VARIABLE.exec(secret)?.[1];
    if (variable === undefined) refuse(`channel "${name}" has a secret in the file; write env:NAME in its place`);
    else read['secret'] = valueOf(name, variable, env);
  }
  return read;
}

function urlOf(name: string, url: string, env: Environment): string {
  const variable = VARIABLE.exec(url)?.[1];
  if (variable !== undefined) return valueOf(name, variable, env);
  const parsed = URL.parse(url);
  if (parsed !== null && (parsed.username !== '' || parsed.password !== '')) {
    refuse(`channel "${name}" has credentials in its URL; write the whole URL as env:NAME`);
  }
  return url;
}

function valueOf(name: string, variable: string, env: Environment): string {
  const value = env[variable]?.trim();
  if (value !== undefined && value !== '') return value;
  return refuse(`channel "${name}" needs the environment variable ${variable}, which is not set`);
}

function asObject(value: unknown, message: string): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : refuse(message);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
