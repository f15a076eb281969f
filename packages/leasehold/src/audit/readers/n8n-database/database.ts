/**
 * A database of n8n, opened for reading only. Both engines answer the same queries (n8n.sql); what differs is in
 * sqlite.ts and postgres.ts.
 */
export interface N8nDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  /** Tables that look like n8n's, each with the columns that may be read. */
  columns(): Promise<readonly FoundColumn[]>;
  /** Rejects with the driver's error. */
  query(sql: string, values: readonly (string | number)[]): Promise<readonly Row[]>;
  /** The same, each row as its values in the order of the query: there may be a million of them. */
  values(sql: string, values: readonly (string | number)[]): Promise<(readonly unknown[])[]>;
  /** Everything read in `work` is of one instant. A failure ends this one and leaves the next as good. */
  atOnce<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

export interface FoundColumn {
  /** Null in SQLite. */
  readonly schema: string | null;
  readonly table: string;
  readonly column: string;
  readonly isReadable: boolean;
}
