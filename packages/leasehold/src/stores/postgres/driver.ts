import { createRequire } from 'node:module';
import { LeaseholdError } from '../../errors.ts';

/**
 * The slice of `pg` that the store uses, as our own types: `pg` is an optional peer, loaded here and
 * nowhere else, when the first PostgreSQL store is opened.
 */
export interface PgQuery {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Ends the wait on this side after that many ms; the connection is then thrown away. */
  readonly query_timeout?: number;
}

export interface PgResult {
  readonly rows: readonly { readonly answer: unknown }[];
}

export interface PgClient {
  /** The server process that the log-in was answered for; none where the server named none. */
  readonly processID?: number | null;
  query(query: PgQuery): Promise<PgResult | PgResult[]>;
  /** Gives the connection back; `true` throws it away. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PgPool {
  connect(): Promise<PgClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect', listener: (client: PgClient) => void): unknown;
}

export interface PgPoolOptions {
  readonly connectionString: string;
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  readonly idleTimeoutMillis: number;
  readonly allowExitOnIdle: boolean;
  readonly keepAlive: boolean;
  readonly application_name: string;
}

/** Loads `pg` and makes a pool. Throws STORE_UNUSABLE where the package is not installed. */
export async function openPool(options: PgPoolOptions): Promise<PgPool> {
  let driver: typeof import('pg');
  try {
    driver = await import('pg');
  } catch (cause) {
    throw new LeaseholdError(
      'STORE_UNUSABLE',
      'A PostgreSQL store needs the package "pg", which is not installed; add it beside leasehold: npm install pg',
      { cause },
    );
  }
  const { Client, Pool } = driver.default ?? driver;
  const askFile = passwordFiles();
  const own = { ...options, connectionString: withPlainSslMode(options.connectionString) };
  return new Pool(askFile === null ? own : { ...own, Client: askingFile(Client, askFile) });
}

/** What pg takes for `verify-full`; it says so in a warning of several lines at each start, which cron would mail. */
const TAKEN_FOR_VERIFY_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

function withPlainSslMode(url: string): string {
  return /[?&]uselibpqcompat=true/.test(url) ? url : url.replace(TAKEN_FOR_VERIFY_FULL, '$1verify-full');
}

/**
 * A client without a password, neither in the URL nor in PGPASSWORD, looks for one in the file. Left to itself, pg would
 * ask the same file and warn of it on stderr at each start, which cron would mail.
 */
function askingFile(Client: typeof import('pg').Client, askFile: AskFile): typeof import('pg').Client {
  return class extends Client {
    constructor(config?: import('pg').ClientConfig) {
      super(config);
      const self = this as unknown as { password: unknown };
      self.password ??= (parameters: object) => new Promise((resolve) => askFile(parameters, resolve));
    }
  };
}

type AskFile = (parameters: object, answer: (password: string | undefined) => void) => void;

/** What pg itself asks for a password in `.pgpass` (`PGPASSFILE`): a package of its own, which it brings along; null where it does not. */
function passwordFiles(): AskFile | null {
  try {
    return createRequire(import.meta.resolve('pg'))('pgpass') as AskFile;
  } catch {
    return null;
  }
}
