import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Store } from '../../ports/store.ts';
import { recordsWhenAsked } from '../records-when-asked.ts';
import { acquire } from './acquire.ts';
import { alertCounts, settleAlert, takeAlerts } from './alerts.ts';
import { connect } from './connection.ts';
import { acquireOrProbe } from './evidence.ts';
import { events } from './events.ts';
import { forceRelease } from './force-release.ts';
import { checkSchema, installedSchema, migrate } from './migrate.ts';
import { pause, resume } from './pause.ts';
import { prune } from './prune.ts';
import { release } from './release.ts';
import { isHolder, renew } from './renew.ts';
import { runs } from './runs.ts';
import { marks, status } from './status.ts';
import { inspect } from './store-facts.ts';
import { watch } from './watch.ts';

export interface PostgresStoreOptions {
  /** A `postgres://` URL; what it leaves out comes from `PG*` and `.pgpass`. */
  readonly url: string;
  /** The URL without credentials, for messages. */
  readonly name: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** False opens a store whose schema `migrate` is still to install. Default true. */
  readonly expectSchema?: boolean;
  /** Connections at most, default 10. */
  readonly connectionsMax?: number;
}

/**
 * Opens a store on PostgreSQL 15 or later. The protocol is the schema's SQL functions: each method
 * is one call of one, in one round trip and one commit.
 *
 * Throws STORE_UNREACHABLE, STORE_FORBIDDEN (password, rights), STORE_UNUSABLE (no such database, `pg`
 * not installed), SCHEMA_MISSING, SCHEMA_NEWER.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const connection = await connect(options);
  if (options.expectSchema !== false) {
    try {
      checkSchema(await installedSchema(connection), connection.name);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
  return {
    name: connection.name,
    ...recordsWhenAsked(async () => {
      const { recordStore } = await import('./records/record-store.ts');
      return recordStore(connection);
    }),
    workCallsAtOnce: 2,
    migrate: async (migrateOptions) => await migrate(connection, migrateOptions),
    acquire: async (request, call) => await acquire(connection, request, call),
    acquireOrProbe: async (request, call) => await acquireOrProbe(connection, request, call),
    renew: async (request, call) => await renew(connection, request, call),
    release: async (request, call) => await release(connection, request, call),
    isHolder: async (lock, token, call) => await isHolder(connection, lock, token, call),
    forceRelease: async (request, call) => await forceRelease(connection, request, call),
    pause: async (request, call) => await pause(connection, request, call),
    resume: async (request, call) => await resume(connection, request, call),
    marks: async (lock, call) => await marks(connection, lock, call),
    status: async (query) => await status(connection, query),
    runs: async (query) => await runs(connection, query),
    events: async (query) => await events(connection, query),
    inspect: async () => await inspect(connection, options.clock),
    watch: async (call) => await watch(connection, call),
    prune: async (request, call) => await prune(connection, request, call),
    takeAlerts: async (request, call) => await takeAlerts(connection, request, call),
    settleAlert: async (request, call) => await settleAlert(connection, request, call),
    alertCounts: async (call) => await alertCounts(connection, call),
    close: async () => await connection.close(),
  };
}
