import { checkHttpProbe, checkN8nProbe, type ProbeSettings } from '../domain/probe-spec.ts';
import { isLeaseholdError, LeaseholdError } from '../errors.ts';
import type { CommandHost } from '../ports/command-host.ts';
import type { Environment } from './config-file.ts';
import { findSection } from './config-section.ts';
import type { StoreOption } from './store-location.ts';

/**
 * The systems that may be asked after holders: `"probes": {"n8n": {…}, "http": {…}}` of the first configuration
 * file that says anything of probes, in the order in which a store is looked for. Also where the store itself
 * comes from an option or a variable.
 *
 * Secrets don't belong in files: n8n's `apiKey` is always `env:NAME`, and so is each header.
 */

const SECTION = 'probes';
const VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;
const KEYS: Readonly<Record<string, readonly string[]>> = {
  n8n: ['url', 'apiKey'],
  http: ['url', 'headers', 'state', 'alive', 'ended'],
};

/** Empty where no file says anything of probes. Throws STORE_UNUSABLE for a mistake in one, naming the file. */
export function probeSettings(option: StoreOption, host: CommandHost): ProbeSettings {
  const section = findSection(SECTION, option, host);
  return section === null ? {} : settingsIn(section.path, section.value, host.env);
}

function settingsIn(path: string, section: unknown, env: Environment): ProbeSettings {
  const settings = asObject(path, section, '"probes"');
  for (const [system, given] of Object.entries(settings)) {
    const known = Object.hasOwn(KEYS, system) ? KEYS[system] : undefined;
    if (known === undefined)
      return refuse(path, `has an unknown probe "${system}"; known: ${Object.keys(KEYS).join(', ')}`);
    for (const key of Object.keys(asObject(path, given, `"${system}" of "probes"`))) {
      if (!known.includes(key))
        refuse(path, `has an unknown key "${key}" in its ${system} probe; known: ${known.join(', ')}`);
    }
  }
  const { n8n, http } = settings as { n8n?: { apiKey?: unknown }; http?: { headers?: unknown } };
  return checked(path, {
    ...(n8n === undefined ? {} : { n8n: { ...n8n, apiKey: secretOf(path, n8n.apiKey, 'apiKey', env) } }),
    ...(http === undefined ? {} : { http: { ...http, headers: headersOf(path, http.headers ?? {}, env) } }),
  } as ProbeSettings);
}

function checked(path: string, settings: ProbeSettings): ProbeSettings {
  try {
    if (settings.n8n !== undefined) checkN8nProbe(settings.n8n);
    if (settings.http !== undefined) checkHttpProbe(settings.http);
    return settings;
  } catch (error) {
    if (!isLeaseholdError(error, 'INVALID_ARGUMENT')) throw error;
    throw new LeaseholdError('STORE_UNUSABLE', `configuration ${path}: ${error.message}`, { cause: error });
  }
}

function headersOf(path: string, headers: unknown, env: Environment): Record<string, string> {
  const named = Object.entries(asObject(path, headers, '"headers" of its http probe'));
  return Object.fromEntries(named.map(([name, value]) => [name, secretOf(path, value, `header ${name}`, env)]));
}

function secretOf(path: string, value: unknown, label: string, env: Environment): string {
  const variable = typeof value === 'string' ? VARIABLE.exec(value)?.[1] : undefined;
  if (variable === undefined) return refuse(path, `needs the ${label} of its probe written as env:NAME`);
  const found = env[variable]?.trim();
  if (found !== undefined && found !== '') return found;
  return refuse(path, `needs the environment variable ${variable}, which is not set`);
}

function asObject(path: string, value: unknown, label: string): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : refuse(path, `has ${label} that is no object`);
}

function refuse(path: string, what: string): never {
  throw new LeaseholdError('STORE_UNUSABLE', `configuration ${path} ${what}`);
}
