import { isLeaseholdError } from '../../../errors.ts';
import { sqliteCode } from './sqlite.ts';

/**
 * Why a database can't be read, as the end of a sentence that begins with what could not be read. Never the message of
 * a driver: it may quote the address, or a row.
 */
export function failureText(error: unknown): string {
  if (isLeaseholdError(error)) return error.message;
  const sqlite = sqliteCode(error);
  if (sqlite !== null) return SQLITE[sqlite & 0xff] ?? `SQLite answers with its code ${sqlite}`;
  const code = codeOf(error);
  const known = code === null ? undefined : CODES[code];
  if (known !== undefined) return known;
  const message = error instanceof Error ? error.message : '';
  if (/client password must be a string/.test(message)) {
    return 'the server asks for a password: in the address, PGPASSWORD or .pgpass';
  }
  if (/timeout|timed out/i.test(message)) return 'the server did not answer in time';
  if (/does not support SSL/.test(message))
    return 'the server speaks no TLS; sslmode=disable in the address does without';
  if (/Connection terminated|not queryable/i.test(message)) return 'the connection to the server broke';
  if (code !== null) return `the server answers with ${code}`;
  const name = error instanceof Error && OURS.has(error.name) ? ` (${error.name})` : '';
  return `a fault of Leasehold itself came between${name}; please report it`;
}

/** Errors of a program, not of what it reads; their names tell no secret. */
const OURS = new Set(['RangeError', 'ReferenceError', 'SyntaxError', 'TypeError']);

/** Primary result codes. */
const SQLITE: Readonly<Record<number, string>> = {
  3: 'this user may not read the file',
  5: 'another process keeps it locked',
  6: 'another process keeps it locked',
  8: 'a change in it was cut off, and only a process that may write can undo that; copy it together with its -journal or -wal file to a folder that you may write',
  10: 'the disk answers with an error',
  11: 'the file is damaged',
  14: "SQLite can't open it; if a file of the same name with -wal stands beside it, copy both to a folder that you may write",
  26: 'it is no SQLite database',
};

/** Of the operating system, of TLS and of PostgreSQL. */
const CODES: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EISDIR: 'it is not a file; name the file database.sqlite in it',
  EACCES: 'this user may not read the file',
  ECONNREFUSED: 'the server refuses connections: is it up, and are host and port right?',
  ECONNRESET: 'the connection to the server broke',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host could not be looked up',
  ETIMEDOUT: 'the server did not answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the server shows a self-signed certificate; name it by sslrootcert in the address',
  SELF_SIGNED_CERT_IN_CHAIN:
    "the server's certificate is of an unknown authority; name that by sslrootcert in the address",
  '28P01': 'the server refuses the password of this role',
  '28000': 'the server refuses this role; look at its pg_hba.conf',
  '3D000': 'there is no database of this name',
  '42501': 'this role may not read it; grant it select on the tables of n8n',
  '53300': 'the server has no connection left',
  '55P03': 'somebody keeps a table locked; try again later',
  '57014': 'a statement took longer than 60 s and was stopped',
  '57P01': 'the server is shutting down',
  '57P03': 'the server is starting up or shutting down',
};

function codeOf(error: unknown): string | null {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[\w-]{1,64}$/.test(code) ? code : null;
}
