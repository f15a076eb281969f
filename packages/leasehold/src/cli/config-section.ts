import { LeaseholdError } from '../errors.ts';
import type { CommandHost } from '../ports/command-host.ts';
import { readSection } from './config-file.ts';
import { configurationFiles, isConfigurationAsked, type StoreOption } from './store-location.ts';

/** What a configuration file says under one key, and which file it is. */
export interface ConfigurationSection {
  readonly path: string;
  readonly value: unknown;
}

/**
 * That section of the first configuration file which has it, in the order in which a store is looked for. Also where the
 * store itself comes from an option or a variable: who is told, who is asked and what is kept does not hang on that.
 * Null where no file has it. Throws STORE_UNUSABLE for a file that can't be read or makes no sense, or that was asked for
 * and is not there.
 */
export function findSection(
  key: string,
  option: StoreOption,
  host: CommandHost,
  systemFile?: string,
): ConfigurationSection | null {
  for (const path of configurationFiles(option, host, systemFile)) {
    const section = readSection(path, key);
    if (section === null && isConfigurationAsked(option, host)) {
      throw new LeaseholdError('STORE_UNUSABLE', `configuration ${path} is not there`);
    }
    if (section !== null && section.value !== undefined) return { path, value: section.value };
  }
  return null;
}
