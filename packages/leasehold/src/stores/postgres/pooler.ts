import type { PoolerFacts } from '../../domain/store-facts.ts';
import type { Borrowed, Connection } from './connection.ts';

/**
 * Whether a pooler stands between us and the server, and after what it gives a server process to another client.
 *
 * A server names its process at log-in; a pooler answers log-ins itself and names something of its own. So where
 * `pg_backend_pid()` is not what the log-in said, something is in between.
 *
 * Sharing shows when others want a server process while ours is idle: each of up to three others opens a
 * transaction, which pins a process to it. One that was ours a moment ago, or an idle connection of ours that is
 * answered by another process from then on, was shared. A pooler in statement mode refuses the transaction.
 * Reads only, and every wait is bounded; a pool that is too small for two clients ends in "not seen".
 */

const OTHERS_MAX = 3;
/** For the whole look, with what all others may take inside it. */
const LOOK_MS_MAX = 5_000;
const OTHER_MS_MAX = 1_000;
/** What PgBouncer answers to `begin` in statement mode. */
const NO_TRANSACTIONS = /statement pooling/i;

/** The statements that it takes, of `store-facts.sql`. */
export interface PoolerStatements {
  readonly begin: string;
  readonly backend: string;
  readonly rollback: string;
}

/** Throws STORE_UNREACHABLE where the first statement gets no answer. */
export async function poolerFacts(connection: Connection, sql: PoolerStatements): Promise<PoolerFacts> {
  return await connection.lend(async (client) => {
    const [backend] = await client.ask(sql.backend);
    if (client.processId === null) return { isBetween: null, sharing: null };
    if (client.processId === backend) return { isBetween: false, sharing: null };
    return { isBetween: true, sharing: await sharingOf(connection, client, { sql, backend, others: OTHERS_MAX }) };
  }, LOOK_MS_MAX);
}

interface Look {
  readonly sql: PoolerStatements;
  /** The process that answered our idle connection at first. */
  readonly backend: unknown;
  readonly others: number;
}

/** Pins one more process to another client, looks, and lets go of it. */
async function sharingOf(connection: Connection, client: Borrowed, look: Look): Promise<PoolerFacts['sharing']> {
  const { sql, backend, others } = look;
  if (others === 0) return 'session';
  try {
    return await connection.lend(async (other) => {
      await other.ask(sql.begin);
      const [taken] = await other.ask(sql.backend);
      const isShared = taken === backend || (await client.ask(sql.backend))[0] !== backend;
      const sharing = isShared ? 'transaction' : await sharingOf(connection, client, { ...look, others: others - 1 });
      await other.ask(sql.rollback);
      return sharing;
    }, OTHER_MS_MAX * others);
  } catch (error) {
    return error instanceof Error && NO_TRANSACTIONS.test(error.message) ? 'statement' : null;
  }
}
