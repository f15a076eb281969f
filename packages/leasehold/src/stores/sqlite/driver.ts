import { DatabaseSync } from 'node:sqlite';

/**
 * The slice of a SQLite driver that this store uses, and the only file that imports one: another
 * driver (or a renamed `node:sqlite`) changes this file and no other.
 *
 * Everything is synchronous. A call may block the event loop, but never longer than `busyTimeoutMs`
 * waiting for another process: the patience beyond it is busy-retry.ts, which waits asynchronously.
 */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
  /** True between `begin` and its end; SQLite itself ends a transaction on some errors. */
  readonly isTransaction: boolean;
}

export interface SqliteStatement {
  get(parameters: SqlParameters): SqlRow | undefined;
  all(parameters: SqlParameters): SqlRow[];
  run(parameters: SqlParameters): unknown;
  /** From then on rows come as lists of their values: half the price of one with names. */
  setReturnArrays(isOn: boolean): void;
}

export type SqlValue = string | number | null;
/** By the names that the statement has, without their colon; one too many is an error. */
export type SqlParameters = Readonly<Record<string, SqlValue>>;
export type SqlRow = Readonly<Record<string, unknown>>;
/** The values of a row, in the order of the statement's columns. */
export type SqlValues = readonly unknown[];

/** Opens the database, which must exist unless it is `:memory:`. Throws what SQLite says; see errors.ts. */
export function openDatabase(path: string, busyTimeoutMs: number): SqliteDatabase {
  return new DatabaseSync(path, { timeout: busyTimeoutMs }) satisfies SqliteDatabase;
}

/** The result code of a failed SQLite call, primary code in its lowest byte; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode : null;
}
