import { checkName } from '../../domain/limits.ts';
import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import { findSection } from '../config-section.ts';
import type { StoreOption } from '../store-location.ts';

/**
 * What tells the effects of this installation from those of another one that speaks to the same providers: staging is not
 * production. It goes into the effectKey of records that are new. None where no configuration file says one.
 */
export function namespaceSetting(option: StoreOption, host: CommandHost): { readonly namespace?: string } {
  const section = findSection('namespace', option, host);
  if (section === null) return {};
  try {
    return { namespace: checkName(section.value, 'namespace') };
  } catch (cause) {
    if (!isLeaseholdError(cause)) throw cause;
    throw new LeaseholdError('STORE_UNUSABLE', `configuration ${section.path} is refused: ${cause.message}`, { cause });
  }
}
