import { type Finding, problem } from '../../domain/doctor.ts';
import { isLeaseholdError } from '../../errors.ts';
import { alertChannels } from '../alerts/config.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { namespaceSetting } from '../records/namespace.ts';
import { probeSettings } from '../probe-settings.ts';

/**
 * What a configuration file says beside the store, wherever that comes from. A mistake in it refuses `run` and
 * `acquire` before they open a store, so it is said whether there is a store or not. No secret is in what is said.
 */
export interface SectionFacts {
  /** The names of the channels; null where they make no sense. */
  readonly channels: readonly string[] | null;
  readonly faults: readonly Finding[];
}

/** Throws INVALID_ARGUMENT for an empty option or variable. */
export function readSections(options: GlobalOptions, { host }: CommandContext): SectionFacts {
  const alerts = attempt(() => alertChannels(options, host).map(({ name }) => name));
  const probes = attempt(() => probeSettings(options, host));
  const namespace = attempt(() => namespaceSetting(options, host));
  if (alerts.fault !== null && alerts.fault === probes.fault)
    return { channels: null, faults: faultsOf('config', alerts) };
  return {
    channels: alerts.value,
    faults: [...faultsOf('alerts', alerts), ...faultsOf('probes', probes), ...faultsOf('namespace', namespace)],
  };
}

interface Attempt<T> {
  readonly value: T | null;
  readonly fault: string | null;
}

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read(), fault: null };
  } catch (error) {
    if (!isLeaseholdError(error, 'STORE_UNUSABLE')) throw error;
    return { value: null, fault: error.message };
  }
}

function faultsOf(check: string, { fault }: Attempt<unknown>): Finding[] {
  const what = check === 'namespace' ? 'No record can be claimed here' : 'Nothing can start here';
  return fault === null ? [] : [problem(check, `${fault}. ${what} until it is mended.`)];
}
