import { readFileSync } from 'node:fs';
import type { LiveClock } from '../live/settings.ts';
import type { FoundColumn, N8nDatabase } from './database.ts';
import { createPgReader } from './postgres-driver.ts';

const CLOSE_MS_MAX = 5_000;

/**
 * n8n's PostgreSQL database, read in transactions that can't write. Nothing is set for the session, so that a pooler in
 * transaction mode will do; each statement has a bound on the server, too, and waits for no lock longer than seconds.
 *
 * Throws what the driver says, and STORE_UNUSABLE where there is none.
 */
export async function openN8nPostgres(url: string, clock: LiveClock): Promise<N8nDatabase> {
  const client = await createPgReader(url);
  // A connection that breaks between two queries fails the next one; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  const [begin, columns] = ['./begin-postgres.sql', './columns-postgres.sql'].map((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8'),
  ) as [string, string];
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
      return (await client.query({ text, values, rowMode: 'array' })).rows as unknown as (readonly unknown[])[];
    },
    async atOnce(work) {
      await client.query({ text: begin });
      try {
        return await work();
      } finally {
        // A connection that is gone has rolled back by itself.
        await client.query({ text: 'rollback' }).catch(() => {});
      }
    },
    async close() {
      // A server that is gone without a word never closes its end.
      const timer = clock.schedule(CLOSE_MS_MAX, () => client.connection.stream.destroy());
      await client.end().catch(() => {});
      timer.cancel();
    },
  };
}
