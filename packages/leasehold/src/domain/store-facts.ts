/**
 * What a store says of itself, for `doctor`: facts as they were read, without any judgement. What may not be
 * read, or was not looked at, is null.
 *
 * Secrets: none. No URL, no password, no token and no text of anybody's statement is a fact.
 */
export type StoreFacts = PostgresFacts | SqliteFacts;

/** Which schema the store has, and which one this code knows. */
export interface SchemaFacts {
  /** 0 where there is none; null where this role may not ask. */
  readonly installed: number | null;
  /** The oldest schema whose code may use what is installed; null where this role may not ask. */
  readonly needs: number | null;
  readonly known: number;
}

/** One look at the server's clock between two at ours: the quickest of some round trips. Instants in ms since 1970. */
export interface ClockFacts {
  readonly askedAt: number;
  readonly serverAt: number;
  readonly answeredAt: number;
}

/** What stands between this process and the server. */
export interface PoolerFacts {
  /** True where the process that we logged in at is not the one that answers; null where that can't be told. */
  readonly isBetween: boolean | null;
  /** After what a server process may be given to another client; null where that was not seen. */
  readonly sharing: 'session' | 'transaction' | 'statement' | null;
}

/** What the role that we log in as may do. */
export interface RightsFacts {
  readonly role: string;
  readonly isSuperuser: boolean;
  /** True for the role that owns the schema, or a member of it. */
  readonly isOwner: boolean;
  readonly maySee: boolean;
  /** Functions of the schema that it may not execute. */
  readonly missing: readonly string[];
}

/** Standbys that are connected now. */
export interface StandbyFacts {
  readonly count: number;
  readonly synchronousCount: number;
  /** Those of which this role may not see what they are. */
  readonly hiddenCount: number;
}

/** What holds the clean-up of old rows back. Ages in ms; null for none seen. */
export interface OldTransactionFacts {
  readonly transactionMs: number | null;
  readonly preparedMs: number | null;
  /** Sessions of which this role may not see since when they are in a transaction. */
  readonly hiddenCount: number;
}

/** The server's settings that matter here, as `pg_settings` has them for this session. */
export type PostgresSetting =
  | 'default_transaction_isolation'
  | 'fsync'
  | 'full_page_writes'
  | 'lock_timeout'
  | 'statement_timeout'
  | 'synchronous_commit'
  | 'synchronous_standby_names'
  | 'transaction_timeout';

/** A store on a PostgreSQL server. */
export interface PostgresFacts {
  readonly kind: 'postgres';
  /** As the server writes it, for example `18.1`. */
  readonly version: string;
  /** 180001 for 18.1. */
  readonly versionNumber: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly schema: SchemaFacts;
  readonly clock: ClockFacts;
  readonly pooler: PoolerFacts;
  readonly settings: Readonly<Partial<Record<PostgresSetting, string>>>;
  readonly standbys: StandbyFacts;
  readonly rights: RightsFacts;
  readonly old: OldTransactionFacts;
}

/** The file of an embedded store. Sizes in bytes. */
export interface StoreFileFacts {
  readonly path: string;
  /** By its name in the mount table, for example `ext4`; null where there is none. */
  readonly fileSystem: string | null;
  readonly mode: number;
  readonly ownerId: number;
  readonly size: number;
  readonly freeBytes: number;
  /** The one it lies in. */
  readonly folder: string;
  readonly folderMode: number;
}

/** A store in a SQLite file, or in memory. */
export interface SqliteFacts {
  readonly kind: 'sqlite';
  /** Of SQLite itself. */
  readonly version: string;
  /** Null in memory. */
  readonly file: StoreFileFacts | null;
  readonly schema: SchemaFacts;
  readonly journalMode: string;
  /** 0 off, 1 normal, 2 full, 3 extra. */
  readonly synchronous: number;
  /** `ok`, or the first fault that SQLite's quick check found; null where the file is too large to be read as a whole. */
  readonly integrity: string | null;
}
