/** Databases with n8n's tables, to be read as the command line reads them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createDatabase } from '../../postgres.ts';
import type { PostgresVersion } from '../../postgres-server.ts';
import type { Engine } from '../../targets/n8n-database.ts';

export interface N8nDatabaseFixture extends AsyncDisposable {
  readonly engine: Engine;
  /** What `leasehold audit` is given. */
  readonly address: string;
  /** As messages name it. */
  readonly name: string;
  /** One statement or several. */
  execute(sql: string): Promise<void>;
}

export async function openSqliteFixture(): Promise<
  N8nDatabaseFixture & { readonly folder: string; readonly file: string }
> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-n8n-'));
  const file = join(folder, 'database.sqlite');
  const connection = new DatabaseSync(file);
  connection.exec('pragma journal_mode = wal');
  return {
    engine: 'sqlite',
    folder,
    file,
    address: `sqlite:${file}`,
    name: `sqlite:${file}`,
    execute: async (sql) => connection.exec(sql),
    async [Symbol.asyncDispose]() {
      if (connection.isOpen) connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function openPostgresFixture(
  version: PostgresVersion,
): Promise<N8nDatabaseFixture & { readonly url: string }> {
  const database = await createDatabase(version);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { host, pathname } = new URL(database.url);
  return {
    engine: 'postgres',
    url: database.url,
    address: database.url,
    name: `postgres://${host}${pathname}`,
    execute: async (sql) => void (await client.query(sql)),
    async [Symbol.asyncDispose]() {
      await client.end();
      await database.drop();
    },
  };
}
