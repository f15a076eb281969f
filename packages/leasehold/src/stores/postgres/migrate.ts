import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { MigrateOptions, MigrationReport } from '../../ports/store.ts';
import { CALLS } from './calls.ts';
import type { Connection } from './connection.ts';
import { installScript, latestVersion } from './install-script.ts';
import { numberOrNull, onlyRow } from './rows.ts';

export { installScript } from './install-script.ts';

/** A migration may wait for the one that another process runs, and for table locks. */
const MIGRATE_TIMEOUT_MS = 60_000;

/** What is installed: its version, and the oldest code that may use it. Both 0 where there is no schema. */
export interface InstalledSchema {
  readonly version: number;
  readonly needs: number;
}

export async function installedSchema(connection: Connection): Promise<InstalledSchema> {
  try {
    const row = onlyRow(await connection.call(CALLS.schema_version, []));
    return { version: numberOrNull(row, 'version') ?? 0, needs: numberOrNull(row, 'needs') ?? 0 };
  } catch (error) {
    if (isLeaseholdError(error, 'SCHEMA_MISSING')) return { version: 0, needs: 0 };
    throw error;
  }
}

/** Throws SCHEMA_MISSING where something must be installed first, SCHEMA_NEWER where this code is too old. */
export function checkSchema(installed: InstalledSchema, store: string): void {
  const known = latestVersion();
  if (installed.needs > known) {
    throw new LeaseholdError(
      'SCHEMA_NEWER',
      `Store ${store} has schema version ${installed.version}, which needs Leasehold of schema ${installed.needs} or later; this one knows ${known}: update leasehold`,
    );
  }
  if (installed.version < known) {
    const has = installed.version === 0 ? 'no Leasehold schema' : `schema version ${installed.version} of ${known}`;
    throw new LeaseholdError('SCHEMA_MISSING', `Store ${store} has ${has}; as the owner role run: leasehold migrate`);
  }
}

/** Installs or updates the schema: the text of `leasehold.sql` in one transaction. Repeatable, and safe at once from many processes. */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<MigrationReport> {
  const before = await installedSchema(connection);
  if (before.needs > latestVersion()) checkSchema(before, connection.name);
  await connection.script(installScript(), MIGRATE_TIMEOUT_MS);
  if (options.grantTo !== undefined) await connection.call(CALLS.grant_to, [options.grantTo]);
  const after = await installedSchema(connection);
  return { from: before.version, to: after.version };
}
