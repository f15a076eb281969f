import { readFileSync } from 'node:fs';
import { LeaseholdError } from '../../errors.ts';
import type { MigrationReport } from '../../ports/store.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import { readInteger } from './columns.ts';
import { unusable } from './errors.ts';
import type { Session } from './session.ts';

/**
 * The embedded store installs its schema by itself, whoever opens it first.
 *
 * Processes that open at once take turns by the write lock; whoever comes second finds the work done.
 * A migration's row is written first, in the transaction of its statements: a crash leaves all of it
 * or nothing, and two can't both run it. Migrations are immutable once released.
 */

interface Migration {
  readonly version: number;
  readonly name: string;
  /** True where code that knows only earlier versions must not use the schema any more. */
  readonly breaking: boolean;
}

const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'lock', breaking: true },
  { version: 2, name: 'records', breaking: true },
  { version: 3, name: 'room', breaking: false },
];

/** The newest version this code knows. */
export const LATEST_VERSION: number = Math.max(...MIGRATIONS.map((migration) => migration.version));

const sql = loadSqlBlocks(new URL('./sql/schema.sql', import.meta.url), [
  'file_contents',
  'schema_version',
  'create_migrations',
  'insert_migration',
]);

/**
 * The version that is installed, 0 in an empty file. Writes nothing.
 * Throws STORE_UNUSABLE for the database of another program, SCHEMA_NEWER for a schema that this
 * code is too old for.
 */
export function checkSchema(session: Session, store: string): number {
  const contents = session.get(sql.file_contents) ?? {};
  if (readInteger(contents, 'tables') === 0) return 0;
  if (readInteger(contents, 'ours') < 4) {
    throw unusable(store, 'its file is the database of another program; name a file of its own');
  }
  const { version, needs } = session.get(sql.schema_version) ?? {};
  if (Number(needs) > LATEST_VERSION) {
    throw new LeaseholdError(
      'SCHEMA_NEWER',
      `store ${store} was made by a newer Leasehold: its schema has version ${Number(version)}, this one knows ${LATEST_VERSION}. Nothing was changed; update Leasehold here`,
    );
  }
  return Number(version);
}

/**
 * Brings the schema to the newest version. Answers the version before and after; where nothing was to
 * be done it reads and no more. `now` is for the record alone. Throws what `checkSchema` throws.
 */
export function installSchema(session: Session, store: string, now: number): MigrationReport {
  const found = checkSchema(session, store);
  if (found >= LATEST_VERSION) return { from: found, to: found };
  return session.transact('begin immediate', () => {
    const from = checkSchema(session, store);
    if (from === 0) session.run(sql.create_migrations);
    for (const migration of MIGRATIONS) {
      if (migration.version > from) apply(session, migration, now);
    }
    return { from, to: Math.max(from, LATEST_VERSION) };
  });
}

function apply(session: Session, { version, name, breaking }: Migration, now: number): void {
  session.run(sql.insert_migration, { version, name, breaking: breaking ? 1 : 0, applied_at: now });
  session.exec(readStatements(version, name));
}

function readStatements(version: number, name: string): string {
  const file = `./migrations/${String(version).padStart(4, '0')}-${name}.sql`;
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
