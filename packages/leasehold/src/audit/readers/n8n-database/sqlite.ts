import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { LiveClock } from '../live/settings.ts';
import type { FoundColumn, N8nDatabase, Row } from './database.ts';

/**
 * An n8n database file, opened so that nothing is written: neither into it nor beside it.
 *
 * A file in WAL mode has a log and an index beside it while somebody works on it; the reader then shares those. Where they
 * are not there, SQLite would make new ones even for a reader and leave them behind, perhaps owned by somebody who is not
 * n8n. So such a file is opened as one that nobody changes, which needs neither. A file in any other mode is opened
 * as it is: there, n8n may write into the file itself.
 */
export interface OpenedFile {
  readonly database: N8nDatabase;
  /** True for a file in WAL mode without its log: the newest runs are missing if it was copied from under a running n8n. */
  readonly isWithoutLog: boolean;
  /** True where its log stands beside it: somebody works on it, so that it goes on until now. */
  readonly isInUse: boolean;
}

/** It blocks; the pauses between the tries don't. */
const BUSY_TIMEOUT_MS = 10;
const COLUMNS = new URL('./columns-sqlite.sql', import.meta.url);
const BUSY_TRIES_MAX = 50;
const BUSY_PAUSE_MS = 100;
/** SQLITE_BUSY and SQLITE_LOCKED; the primary code is in the lowest byte. */
const BUSY = new Set([5, 6]);
const WAL_MODE = 2;
const MODE_AT = 18;

/** Throws what the system or SQLite says. */
export function openN8nFile(path: string, clock: LiveClock): OpenedFile {
  const file = resolve(path);
  if (!statSync(file).isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' });
  const isInUse = existsSync(`${file}-wal`);
  const isWithoutLog = journalMode(file) === WAL_MODE && !isInUse;
  const url = pathToFileURL(file);
  if (isWithoutLog) url.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return { database: databaseOf(connection, clock), isWithoutLog, isInUse };
}

function databaseOf(connection: DatabaseSync, clock: LiveClock): N8nDatabase {
  async function patiently<T>(work: () => T): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return work();
      } catch (error) {
        if (tried === BUSY_TRIES_MAX || !BUSY.has((sqliteCode(error) ?? 0) & 0xff)) throw error;
        await clock.sleep(BUSY_PAUSE_MS);
      }
    }
  }
  const pagers = new Map<string, StatementSync>();
  return {
    dialect: 'sqlite',
    async columns() {
      await patiently(() => connection.exec('pragma query_only = on'));
      const rows = await patiently(() => connection.prepare(readFileSync(COLUMNS, 'utf8')).all());
      return rows.map(
        (row): FoundColumn => ({
          schema: null,
          table: String(row['table']),
          column: String(row['column']),
          isReadable: true,
        }),
      );
    },
    async query(sql, values) {
      return await patiently(() => connection.prepare(sql).all(byName(values)) as readonly Row[]);
    },
    async values(sql, values) {
      // Once for all pages: a thousand statements would wait for the collector with all that SQLite holds for each.
      let statement = pagers.get(sql);
      if (statement === undefined) {
        statement = await patiently(() => connection.prepare(sql));
        statement.setReturnArrays(true);
        pagers.set(sql, statement);
      }
      const pager = statement;
      return await patiently(() => pager.all(byName(values)) as unknown as (readonly unknown[])[]);
    },
    async atOnce(work) {
      connection.exec('begin');
      try {
        return await work();
      } finally {
        if (connection.isTransaction) connection.exec('rollback');
      }
    },
    async close() {
      connection.close();
    },
  };
}

function byName(values: readonly (string | number)[]): Record<string, string | number> {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
}

/** Byte 18 of the header: 1 for a rollback journal, 2 for WAL. */
function journalMode(file: string): number | undefined {
  const header = Buffer.alloc(MODE_AT + 1);
  const descriptor = openSync(file, 'r');
  try {
    return readSync(descriptor, header, 0, header.length, 0) === header.length ? header[MODE_AT] : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** The extended result code of a failed call; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode : null;
}
