import { createRequire } from 'node:module';
import { LeaseholdError } from '../../../errors.ts';

/** The slice of `pg` that is used here, as our own types: it is an optional peer. */
export interface PgReader {
  connect(): Promise<unknown>;
  query(query: { readonly text: string; readonly values?: readonly unknown[]; readonly rowMode?: 'array' }): Promise<{
    readonly rows: readonly Readonly<Record<string, unknown>>[];
  }>;
  end(): Promise<void>;
  readonly connection: { readonly stream: { destroy(): unknown } };
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than the server gives a statement (postgres.ts): only a server that is gone is given up by this. */
const QUERY_TIMEOUT_MS = 90_000;

/** Loads `pg` and makes a client, without connecting. Throws STORE_UNUSABLE where the package is not installed. */
export async function createPgReader(url: string): Promise<PgReader> {
  let driver: typeof import('pg');
  try {
    driver = await import('pg');
  } catch (cause) {
    throw new LeaseholdError(
      'STORE_UNUSABLE',
      'a PostgreSQL database needs the package "pg", which is not installed; add it beside leasehold: npm install pg',
      { cause },
    );
  }
  const { Client } = driver.default ?? driver;
  const client = new Client({
    connectionString: withPlainSslMode(url),
    application_name: 'leasehold audit',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  const askFile = passwordFiles();
  // Left to itself, pg would ask the same file and warn of it on stderr.
  if (askFile !== null) {
    const open = client as unknown as { password: unknown };
    open.password ??= (parameters: object) => new Promise((answer) => askFile(parameters, answer));
  }
  return client;
}

/** What pg takes for `verify-full`, with a warning of several lines. */
const TAKEN_FOR_VERIFY_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

function withPlainSslMode(url: string): string {
  return /[?&]uselibpqcompat=true/.test(url) ? url : url.replace(TAKEN_FOR_VERIFY_FULL, '$1verify-full');
}

type AskFile = (parameters: object, answer: (password: string | undefined) => void) => void;

/** What pg itself asks for a password in `.pgpass`: a package that it brings along; null where it does not. */
function passwordFiles(): AskFile | null {
  try {
    return createRequire(import.meta.resolve('pg'))('pgpass') as AskFile;
  } catch {
    return null;
  }
}
