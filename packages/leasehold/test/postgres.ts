/**
 * A database of its own for each test that asks, on the servers that the test runner started.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { POSTGRES_VERSIONS, type PostgresVersion } from './postgres-server.ts';

export { POSTGRES_VERSIONS, type PostgresVersion };

export interface TestDatabase {
  /** Of the superuser, with its password. */
  readonly url: string;
  /** Deletes the database, cutting whoever is still connected. */
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes an empty database on the server of the given version. `template` names a database to copy
 * instead, to which nobody may be connected.
 */
export async function createDatabase(version: PostgresVersion, template = 'template0'): Promise<TestDatabase> {
  const admin = adminUrl(version);
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await execute(admin, `create database ${name} template ${pg.escapeIdentifier(template)}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  const drop = (): Promise<void> => execute(admin, `drop database if exists ${name} with (force)`);
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}

/**
 * Address of the superuser on the server of the given version. Roles belong to the whole server: a test
 * that creates one gives it a random name and drops it. Throws outside the test runner.
 */
export function adminUrl(version: PostgresVersion): string {
  const name = `LEASEHOLD_TEST_POSTGRES_${version}`;
  const url = process.env[name];
  if (url === undefined)
    throw new Error(`${name} is not set: run this through "npm test -- FILE", which starts PostgreSQL`);
  return url;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
