import { checkName } from '../../domain/limits.ts';
import { LeaseholdError } from '../../errors.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import { findSection } from '../config-section.ts';
import type { StoreOption } from '../store-location.ts';

/**
 * What tells the effects of this installation from those of another one that speaks to the same providers: staging is not
 * production. It goes into the effectKey of records that are new; empty where no configuration file says one.
 */
export function namespaceSetting(option: StoreOption, host: CommandHost): string {
  const section = findSection('namespace', option, host);
  if (section === null) return '';
  try {
    return checkName(section.value, 'namespace');
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : 'namespace is refused';
    throw new LeaseholdError('STORE_UNUSABLE', `configuration ${section.path} is refused: ${what}`, { cause });
  }
}
