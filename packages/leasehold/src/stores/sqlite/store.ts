import { resolve } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { CallOptions, Store } from '../../ports/store.ts';
import { recordsWhenAsked } from '../records-when-asked.ts';
import { acquire, acquireOrProbe } from './acquire.ts';
import { alertCounts, hasDueAlerts, settleAlert, takeAlerts } from './alerts.ts';
import { SqliteConnection } from './connection.ts';
import { unusable } from './errors.ts';
import { listEvents } from './events.ts';
import { forceRelease } from './force-release.ts';
import { pause, resume } from './pause.ts';
import { prune } from './prune.ts';
import { release } from './release.ts';
import { renew } from './renew.ts';
import { listRuns } from './runs.ts';
import { isHolder, marks, status } from './status.ts';
import { inspect } from './store-facts.ts';
import { IN_MEMORY } from './store-file.ts';
import { watch } from './watch.ts';

/**
 * The embedded store: one SQLite file, many processes of one host. Each method is one transaction;
 * what it decides is the domain's, what it throws is in errors.ts, what a crash leaves is nothing or all.
 */

/** How long a call waits for other processes unless it says so itself. */
const CALL_TIMEOUT_MS = 5_000;
/** Installing may have to wait for a whole crowd that opens the same new file. */
const OPEN_TIMEOUT_MS = 10_000;

export interface SqliteStoreOptions {
  /** The file, relative to the working directory or absolute; `:memory:` for a store of this process alone. */
  readonly path: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long SQLite itself may wait and block the event loop: 0 to 50 ms, default 10. */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens the store: makes its folders (0700) and file (0600) where they are missing and installs the
 * schema.
 *
 * Throws STORE_UNUSABLE for a directory, something other than a database, another program's database,
 * a network or shared file system; SCHEMA_NEWER; STORE_FORBIDDEN where the file may not be read;
 * STORE_UNREACHABLE where it is read-only, full, or locked by others for 10 s.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { ids } = options;
  const name = storeName(options.path);
  const connection = new SqliteConnection({ ...options, name });
  await connection.migrate(OPEN_TIMEOUT_MS);
  return {
    ...recordsWhenAsked(async () => {
      const { recordStore } = await import('./records/record-store.ts');
      return recordStore(connection, ids, CALL_TIMEOUT_MS);
    }),
    name,
    migrate: () => connection.migrate(OPEN_TIMEOUT_MS),
    acquire: (request, call) => connection.write((session, now) => acquire(session, request, ids, now), patience(call)),
    acquireOrProbe: (request, call) =>
      connection.write((session, now) => acquireOrProbe(session, request, ids, now), patience(call)),
    renew: (request, call) => connection.write((session, now) => renew(session, request, now), patience(call)),
    release: (request, call) => connection.write((session, now) => release(session, request, now), patience(call)),
    isHolder: (lock, token, call) =>
      connection.read((session, now) => isHolder(session, lock, token, now), patience(call)),
    forceRelease: (request, call) =>
      connection.write((session, now) => forceRelease(session, request, now), patience(call)),
    pause: (request, call) => connection.write((session, now) => pause(session, request, now), patience(call)),
    resume: (request, call) => connection.write((session, now) => resume(session, request, now), patience(call)),
    marks: (lock, call) => connection.read((session) => marks(session, lock), patience(call)),
    status: (query) => connection.read((session, now) => status(session, query, now), CALL_TIMEOUT_MS),
    runs: (query) => connection.read((session) => listRuns(session, query), CALL_TIMEOUT_MS),
    events: (query) => connection.read((session) => listEvents(session, query), CALL_TIMEOUT_MS),
    inspect: () => connection.read((session) => inspect(session, options.path, name), CALL_TIMEOUT_MS),
    watch: (call) => watch(connection, patience(call)),
    prune: (request, call) => prune(connection, request, patience(call)),
    async takeAlerts(request, call) {
      const isDue = await connection.read(hasDueAlerts, patience(call));
      return isDue ? await connection.write((session, now) => takeAlerts(session, request, now), patience(call)) : [];
    },
    settleAlert: (request, call) =>
      connection.write((session, now) => settleAlert(session, request, now), patience(call)),
    alertCounts: (call) => connection.read((session) => alertCounts(session), patience(call)),
    close: async () => connection.close(),
  };
}

function patience(call?: CallOptions): number {
  return call?.timeoutMs ?? CALL_TIMEOUT_MS;
}

function storeName(path: string): string {
  if (path === IN_MEMORY) return `sqlite:${IN_MEMORY}`;
  try {
    return `sqlite:${resolve(path)}`;
  } catch (error) {
    const what = 'its path begins in the working directory, which was removed; name it by an absolute path';
    throw unusable(`sqlite:${path}`, what, error);
  }
}
