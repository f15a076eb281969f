import { readFileSync } from 'node:fs';
import type { FoundColumn, N8nDatabase } from './database.ts';
import { createPgReader } from './postgres-driver.ts';

/**
 * n8n's PostgreSQL database, read in transactions that can't write. Nothing is set for the session, so that a pooler in
 * transaction mode will do; each statement has a bound on the server, too, and waits for no lock longer than seconds.
 */
const BEGIN = [
  'begin transaction isolation level repeatable read, read only',
  "set local statement_timeout = '60s'",
  "set local lock_timeout = '5s'",
  // Tables are named with their schema; nobody's own function may stand in front of one that is called.
  'set local search_path = pg_catalog',
];

/** Throws what the driver says, and STORE_UNUSABLE where there is none. */
export async function openN8nPostgres(url: string): Promise<N8nDatabase> {
  const client = await createPgReader(url);
  // A connection that breaks between two queries fails the next one; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  const columns = readFileSync(new URL('./columns.sql', import.meta.url), 'utf8');
  return {
    dialect: 'postgres',
    async columns() {
      const { rows } = await client.query({ text: columns });
      return rows as unknown as readonly FoundColumn[];
    },
    async query(text, values) {
      return (await client.query({ text, values })).rows;
    },
    async values(text, values) {
      return (await client.query({ text, values, rowMode: 'array' }))
        .rows as unknown as readonly (readonly unknown[])[];
    },
    async atOnce(work) {
      for (const text of BEGIN) await client.query({ text });
      try {
        return await work();
      } finally {
        // A connection that is gone has rolled back by itself.
        await client.query({ text: 'rollback' }).catch(() => {});
      }
    },
    async close() {
      await client.end().catch(() => {});
    },
  };
}
