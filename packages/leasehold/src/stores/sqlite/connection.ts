import { resolve } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { MigrationReport } from '../../ports/store.ts';
import { BUSY_TIMEOUT_MS_DEFAULT, BUSY_TIMEOUT_MS_MAX, retryWhileBusy } from './busy-retry.ts';
import { openDatabase, sqliteCode } from './driver.ts';
import { closedError, damagedError, goneError, isBusy, noSharedMemoryError, storeError } from './errors.ts';
import {
  forgetLostLog,
  identifyFile,
  identifyStore,
  isReplaced,
  isSame,
  type StoreFiles,
  writtenAt,
} from './file-identity.ts';
import { checkSchema, installSchema } from './migrate.ts';
import { Session } from './session.ts';
import { keepStoreTime, readStoreTime } from './store-clock.ts';
import { IN_MEMORY, prepareStoreFile } from './store-file.ts';

/**
 * One store's file, opened when it is needed.
 *
 * Transactions are synchronous from begin to commit, so calls of one process never interleave; other
 * processes are waited for by busy-retry.ts. A write takes the write lock first (`begin immediate`) and
 * reads the clock then: a clock read before the wait would be old by the wait.
 *
 * Whatever goes wrong with the file, the next call opens it anew: a disk that was full, read-only or
 * away is used again once it is back. And a file that was deleted or replaced, or the log or index beside it, is
 * noticed before each transaction: SQLite would go on working on the one that nobody else can see, a second truth
 * (file-identity.ts). All connections of this process to that file are then closed first: within a process SQLite
 * shares one index among them, and one that stays open would hand the deleted one on.
 *
 * A file that is not there at all is waited for: its disk is not mounted just now, or somebody moved its folder. Who
 * has used the store makes no new one in its place: that one would know of no lease, and tell a healthy holder that
 * it lost. A process that starts then can't know that there was a store, and makes one; the command line lets only those
 * commands do so that start work or prepare for it.
 *
 * Crash: a transaction that did not commit is rolled back by the next process that opens the file.
 */

export interface ConnectionOptions {
  /** A path, relative to the working directory of the first call, or `:memory:`. */
  readonly path: string;
  /** How messages call the store. */
  readonly name: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long SQLite itself may wait and block the event loop: 0 to 50 ms, default 10. */
  readonly busyTimeoutMs?: number;
}

/** What a call does inside its transaction; `now` is the store's clock. */
export type Work<T> = (session: Session, now: number) => T extends PromiseLike<unknown> ? never : T;

interface Opened {
  readonly session: Session;
  /** Null in memory. */
  readonly files: StoreFiles | null;
  /** When the database itself was last seen written, by us or in our sight. */
  writtenAt: number | null;
}

/** Those of this process that have a file open. */
const openConnections = new Set<SqliteConnection>();

export class SqliteConnection {
  readonly #options: ConnectionOptions;
  readonly #path: string;
  readonly #busyTimeoutMs: number;
  #opened: Opened | null = null;
  /** True once the store was seen: from then on only somebody else may make its file anew. */
  #isKnown = false;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#path = options.path === IN_MEMORY ? IN_MEMORY : resolve(options.path);
    this.#busyTimeoutMs = Math.min(BUSY_TIMEOUT_MS_MAX, options.busyTimeoutMs ?? BUSY_TIMEOUT_MS_DEFAULT);
  }

  /** Runs `work` in a transaction that may write. Throws STORE_UNREACHABLE after `timeoutMs` of others' locks. */
  write<T>(work: Work<T>, timeoutMs: number): Promise<T> {
    return this.#retry(timeoutMs, () => this.#transact('begin immediate', keepStoreTime, work));
  }

  /** Runs `work` on one state of the store. Throws like `write`. */
  read<T>(work: Work<T>, timeoutMs: number): Promise<T> {
    return this.#retry(timeoutMs, () => this.#transact('begin', readStoreTime, work));
  }

  /** Installs or updates the schema, if opening has not just done so. Answers what this call found and did. */
  migrate(timeoutMs: number): Promise<MigrationReport> {
    return this.#retry(timeoutMs, () => {
      const report = this.#opened === null ? this.#open() : null;
      return report ?? installSchema(this.#session(), this.#options.name, this.#wallMs());
    });
  }

  /** Closes the file; calls after it, also those that wait, throw STORE_UNREACHABLE. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  async #retry<T>(timeoutMs: number, attempt: () => T): Promise<T> {
    const { clock, ids, name } = this.#options;
    try {
      return await retryWhileBusy(() => this.#attempt(attempt), { clock, ids, timeoutMs });
    } catch (error) {
      throw storeError(error, name);
    }
  }

  #attempt<T>(attempt: () => T): T {
    if (this.#isClosed) throw closedError(this.#options.name);
    try {
      return attempt();
    } catch (error) {
      // A connection that SQLite complained of is not used again; the memory of `:memory:` is nowhere else.
      const isSpoilt = sqliteCode(error) !== null && !isBusy(error);
      if (isSpoilt && this.#path !== IN_MEMORY) this.#drop();
      throw error;
    }
  }

  #transact<T>(begin: 'begin' | 'begin immediate', tellTime: typeof keepStoreTime, work: Work<T>): T {
    const { clock, name } = this.#options;
    const session = this.#session();
    const result = session.transact(begin, () => work(session, tellTime(session, clock, name)));
    const opened = this.#opened;
    if (opened !== null && opened.files !== null) opened.writtenAt = writtenAt(opened.files.path);
    return result;
  }

  #session(): Session {
    const files = this.#opened?.files ?? null;
    if (files === null || isReplaced(this.#path, files)) {
      if (this.#isKnown && identifyFile(this.#path) === null) throw goneError(this.#options.name);
      if (files !== null) this.#openAnew(files);
    }
    if (this.#opened === null) this.#open();
    if (this.#opened === null) throw closedError(this.#options.name);
    return this.#opened.session;
  }

  /** Of all connections of this process: they share one index. */
  #openAnew(files: StoreFiles): void {
    for (const connection of openConnections) connection.#giveUp(files);
    this.#open();
    this.#checkWhole();
  }

  /** Closes a connection to files that are no longer the store's. */
  #giveUp(lost: StoreFiles): void {
    const opened = this.#opened;
    if (opened === null || opened.files === null || !isSame(opened.files.main, lost.main)) return;
    forgetLostLog(opened.files, opened.writtenAt);
    this.#drop();
  }

  /** After somebody deleted a part of the store: what is left may not fit together. */
  #checkWhole(): void {
    const found = String(this.#opened?.session.get('pragma quick_check(1)')?.['quick_check']);
    if (found === 'ok') return;
    this.#drop();
    throw damagedError(this.#options.name, found);
  }

  #open(): MigrationReport {
    const { name } = this.#options;
    const prepared = this.#path === IN_MEMORY ? null : prepareStoreFile(this.#path, name);
    const session = new Session(openDatabase(this.#path, this.#busyTimeoutMs));
    try {
      const report = this.#prepare(session);
      const files = prepared === null ? null : identifyStore(prepared.file, prepared.main);
      this.#opened = { session, files, writtenAt: files === null ? null : writtenAt(files.path) };
      if (files !== null) {
        openConnections.add(this);
        this.#isKnown = true;
      }
      return report;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** The file is looked at before anything is set in it: it may be another program's. */
  #prepare(session: Session): MigrationReport {
    const { name } = this.#options;
    checkSchema(session, name);
    // A lease that a power cut takes back is work done twice. `fullfsync` is macOS's word for it.
    session.exec('pragma synchronous = full; pragma fullfsync = on; pragma checkpoint_fullfsync = on');
    const mode = session.get('pragma journal_mode = wal')?.['journal_mode'];
    if (mode !== 'wal' && this.#path !== IN_MEMORY) {
      throw noSharedMemoryError(name);
    }
    return installSchema(session, name, this.#wallMs());
  }

  #wallMs(): number {
    return Math.floor(this.#options.clock.read().wallMs);
  }

  #drop(): void {
    const session = this.#opened?.session;
    this.#opened = null;
    openConnections.delete(this);
    session?.close();
  }
}
