import { RETENTION_DEFAULT, type Retention } from '../domain/retention.ts';
import type { Leasehold } from '../engine/api.ts';
import type { CommandHost } from '../ports/command-host.ts';
import { readConfiguration } from './config-file.ts';
import { configurationFiles, type StoreOption } from './store-location.ts';

const UPKEEP_MS = 1_000;

/** So much of a lease that was just handed out may pass before its holder gets to work. */
export function upkeepMsWithin(leaseMs: number): number {
  return Math.min(UPKEEP_MS, Math.floor(leaseMs / 20));
}

/**
 * The duties that every command does for its store once its own work is done, because on many hosts nothing else
 * would: it looks for runs that don't come and leases that are nearly over, and at most once an hour takes rows that
 * are older than anybody wants. What expired claims left in `pool` is settled before. Each takes at most `upkeepMs`; a
 * failure is nobody's, since the next command does it again, and a store that can't be reached is what the command itself
 * has told of.
 */
export async function keepUp(
  leasehold: Leasehold,
  option: StoreOption,
  host: CommandHost,
  { pool, upkeepMs: timeoutMs = UPKEEP_MS }: { readonly pool?: string; readonly upkeepMs?: number } = {},
): Promise<void> {
  // Its failure keeps nobody from the rest.
  if (pool !== undefined)
    await leasehold
      .pool(pool)
      .sweep({ timeoutMs })
      .catch(() => {});
  try {
    await leasehold.watch({ timeoutMs });
    const retention = retentionSetting(option, host);
    if (retention !== null) await leasehold.prune({ ...retention, timeoutMs });
  } catch {
    // Done again by the next command.
  }
}

/**
 * That of the first configuration file which names one, also where the store is named elsewhere; else the default. Null
 * where a file can't be read: nothing is deleted by a setting that nobody knows.
 */
export function retentionSetting(option: StoreOption, host: CommandHost): Retention | null {
  try {
    for (const path of configurationFiles(option, host)) {
      const retention = readConfiguration(path, host.env)?.retention ?? null;
      if (retention !== null) return retention;
    }
    return RETENTION_DEFAULT;
  } catch {
    return null;
  }
}
