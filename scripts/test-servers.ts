/** The PostgreSQL servers that all test files of a run share. */
import pg from 'pg';
import {
  POSTGRES_VERSIONS,
  type PostgresServer,
  type PostgresServerOptions,
  startPostgres,
} from '../packages/leasehold/test/postgres-server.ts';

export interface TestServers {
  /** As the servers name themselves, for example `PostgreSQL 15.18`. */
  readonly versions: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts one server of each version and puts its address into the environment of the test files. */
export async function startServers(options?: PostgresServerOptions): Promise<TestServers> {
  const servers = await Promise.all(POSTGRES_VERSIONS.map((version) => startPostgres(version, options)));
  for (const server of servers) process.env[`LEASEHOLD_TEST_POSTGRES_${server.version}`] = server.url;
  return {
    versions: await Promise.all(servers.map(versionOf)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

async function versionOf(server: PostgresServer): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>('select version()');
    const name = /^PostgreSQL \d+\.\d+/.exec(rows[0]?.version ?? '')?.[0] ?? 'PostgreSQL of no known version';
    if (!name.startsWith(`PostgreSQL ${server.version}.`))
      throw new Error(`asked for PostgreSQL ${server.version}, got ${name}`);
    return name;
  } finally {
    await client.end();
  }
}
