import { readdirSync, readFileSync } from 'node:fs';

/**
 * The schema as one text: what `leasehold.sql` holds and what `migrate` runs, so that both can't differ.
 *
 * Each migration is a folder of `.sql` files, immutable once stores have it. Functions that hold no data are in a folder of
 * their own, as they are today: they end the newest migration, whichever that is, so that a store of any version gets them,
 * and a change of one is a new migration that drops what `create or replace` can't change. The text is repeatable: it
 * takes a lock that serialises installers, and runs a migration only if its row is missing. The row
 * is written before the migration's statements in the same transaction, so a crash leaves all or nothing.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** True where code that knows only earlier versions must not use the schema any more. */
  readonly breaking: boolean;
  readonly statements: string;
}

const FOLDER = new URL('./migrations/', import.meta.url);
const FUNCTIONS = new URL('./functions/', import.meta.url);

/** Versions whose change older code can't work with. */
const BREAKING: ReadonlySet<number> = new Set([1, 2]);

export function loadMigrations(): Migration[] {
  const folders = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted();
  return folders.map((folder) => {
    const version = Number(folder.slice(0, 4));
    const own = readFolder(new URL(`${folder}/`, FOLDER));
    const statements = folder === folders.at(-1) ? `${own}\n\n${readFolder(FUNCTIONS)}` : own;
    return { version, name: folder.slice(5), breaking: BREAKING.has(version), statements };
  });
}

function readFolder(folder: URL): string {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => readFileSync(new URL(file, folder), 'utf8').trim())
    .join('\n\n');
}

/** The newest version this code knows. */
export function latestVersion(): number {
  return Math.max(...loadMigrations().map((migration) => migration.version));
}

const PREAMBLE = readFileSync(new URL('./preamble.sql', import.meta.url), 'utf8').trim();

/** The text of `leasehold.sql`: pasteable into any SQL console of a role that may create schemas, and repeatable. */
export function installScript(migrations: readonly Migration[] = loadMigrations()): string {
  return `${[PREAMBLE, ...migrations.map(guarded)].join('\n\n')}\n`;
}

function guarded(migration: Migration): string {
  const { version, name, breaking, statements } = migration;
  const tag = `$leasehold_${String(version).padStart(4, '0')}$`;
  return [
    `do $guard$`,
    `begin`,
    `  perform pg_advisory_xact_lock(7236814, 1);`,
    `  if exists (select from leasehold.migrations m where m.version = ${version}) then`,
    `    return;`,
    `  end if;`,
    `  insert into leasehold.migrations (version, name, breaking) values (${version}, '${name}', ${breaking});`,
    `  execute ${tag}`,
    statements,
    `${tag};`,
    `end $guard$;`,
  ].join('\n');
}
