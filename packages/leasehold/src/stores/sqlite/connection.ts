import { resolve } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { MigrationReport } from '../../ports/store.ts';
import { BUSY_TIMEOUT_MS_DEFAULT, BUSY_TIMEOUT_MS_MAX, retryWhileBusy } from './busy-retry.ts';
import { openDatabase, sqliteCode } from './driver.ts';
import { closedError, isBusy, storeError, unusable } from './errors.ts';
import { checkSchema, installSchema } from './migrate.ts';
import { Session } from './session.ts';
import { keepStoreTime, readStoreTime } from './store-clock.ts';
import { type FileIdentity, IN_MEMORY, identifyFile, prepareStoreFile } from './store-file.ts';

/**
 * One store's file, opened when it is needed.
 *
 * Transactions are synchronous from begin to commit, so calls of one process never interleave; other
 * processes are waited for by busy-retry.ts. A write takes the write lock first (`begin immediate`) and
 * reads the clock then: a clock read before the wait would be old by the wait.
 *
 * Whatever goes wrong with the file, the next call opens it anew: a disk that was full, read-only or
 * away is used again once it is back. And a file that was deleted or replaced is noticed: SQLite
 * would go on working on the one that nobody else can see, a second truth.
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

export class SqliteConnection {
  readonly #options: ConnectionOptions;
  readonly #path: string;
  readonly #busyTimeoutMs: number;
  #opened: { readonly session: Session; readonly file: FileIdentity | null } | null = null;
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
    const session = this.#session();
    return session.transact(begin, () => work(session, tellTime(session, this.#options.clock)));
  }

  #session(): Session {
    if (this.#opened !== null && this.#isReplaced(this.#opened.file)) this.#drop();
    if (this.#opened === null) this.#open();
    if (this.#opened === null) throw closedError(this.#options.name);
    return this.#opened.session;
  }

  #isReplaced(file: FileIdentity | null): boolean {
    if (file === null) return false;
    const current = identifyFile(this.#path);
    return current?.device !== file.device || current.inode !== file.inode;
  }

  #open(): MigrationReport {
    const { name } = this.#options;
    const file = this.#path === IN_MEMORY ? null : prepareStoreFile(this.#path, name);
    const session = new Session(openDatabase(this.#path, this.#busyTimeoutMs));
    try {
      const report = this.#prepare(session);
      this.#opened = { session, file };
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
      throw unusable(name, 'its file system offers no shared memory to SQLite (WAL mode); put it on a local disk');
    }
    return installSchema(session, name, this.#wallMs());
  }

  #wallMs(): number {
    return Math.floor(this.#options.clock.read().wallMs);
  }

  #drop(): void {
    const session = this.#opened?.session;
    this.#opened = null;
    session?.close();
  }
}
