/**
 * The schema of a store as one text, to be compared and read. Run by itself it prints the one of a new
 * store, which is how `schema.dump.sql` is renewed after a new migration:
 * `node packages/leasehold/test/stores/sqlite/schema-dump.ts > packages/leasehold/test/stores/sqlite/schema.dump.sql`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { rowsIn } from './stage.ts';

/** What `sqlite_schema` holds of a file, in the order of the names; what SQLite made by itself is left out. */
export function dumpSchema(path: string): string {
  const objects = rowsIn(
    path,
    'select type, name, sql from sqlite_schema where sql is not null order by type desc, name',
  );
  const migrations = rowsIn(
    path,
    "select format('-- migration %d %s, breaking %d', version, name, breaking) as line from migrations order by version",
  );
  return [
    ...migrations.map(({ line }) => String(line)),
    ...objects.filter(({ name }) => !String(name).startsWith('sqlite_')).map(({ sql }) => `${String(sql)};`),
    '',
  ].join('\n');
}

/** The schema of a store as it is made today. */
export async function dumpNewSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-sqlite-'));
  try {
    const path = join(folder, 'store.db');
    const store = await openSqliteStore({ path, clock: systemClock, ids: systemIds });
    await store.close();
    return dumpSchema(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) process.stdout.write(await dumpNewSchema());
