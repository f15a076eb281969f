import type { SqliteDatabase, SqliteStatement, SqlParameters, SqlRow, SqlValues } from './driver.ts';

/** One opened database with its prepared statements. */
export class Session {
  readonly #database: SqliteDatabase;
  /** By their text. As many as there are named blocks, so it needs no limit. */
  readonly #statements = new Map<string, SqliteStatement>();
  /** Those whose rows come without names. */
  readonly #listing = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get(sql: string, parameters: SqlParameters = {}): SqlRow | undefined {
    return this.#prepared(sql).get(parameters);
  }

  all(sql: string, parameters: SqlParameters = {}): SqlRow[] {
    return this.#prepared(sql).all(parameters);
  }

  /** The same without names, for what is read many times a second. */
  allValues(sql: string, parameters: SqlParameters = {}): SqlValues[] {
    let statement = this.#listing.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      this.#listing.set(sql, statement);
    }
    return statement.all(parameters) as unknown as SqlValues[];
  }

  run(sql: string, parameters: SqlParameters = {}): void {
    this.#prepared(sql).run(parameters);
  }

  /** Several statements without parameters, and what can't be prepared. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * Runs `work` in a transaction and commits; on any error rolls back and throws it. `work` can't be
   * asynchronous: nothing of ours may run between its statements.
   */
  transact<T>(begin: 'begin' | 'begin immediate', work: () => T extends PromiseLike<unknown> ? never : T): T {
    this.run(begin);
    try {
      const result = work();
      this.run('commit');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#listing.clear();
    this.#database.close();
  }

  /** SQLite has rolled back by itself after some errors (full disk, I/O). Its own failure hides nothing: the connection is then given up. */
  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('rollback');
    } catch {
      // The error that led here is the one to tell; an open transaction ends with its connection.
    }
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
