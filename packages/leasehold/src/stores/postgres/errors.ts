import { LeaseholdError, type LeaseholdErrorCode } from '../../errors.ts';

/**
 * Server and network errors as Leasehold's codes. Messages name the store without credentials, say
 * what happened and what to do; the driver's own error stays as the cause.
 */
interface Rule {
  readonly code: LeaseholdErrorCode;
  readonly advice: string;
}

const UNREACHABLE = (advice: string): Rule => ({ code: 'STORE_UNREACHABLE', advice });

const TOO_LATE = UNREACHABLE('it did not answer in time; what became of the call is not known');

/** By SQLSTATE or by the operating system's code. */
const RULES: Readonly<Record<string, Rule>> = {
  LH001: { code: 'NOT_HOLDER', advice: '' },
  LH002: { code: 'INVALID_ARGUMENT', advice: '' },
  LH003: { code: 'IN_TRANSACTION', advice: '' },
  LH004: { code: 'STORE_UNUSABLE', advice: 'nothing was installed' },
  // The installer met objects that are not its own.
  '42P07': { code: 'STORE_UNUSABLE', advice: 'something else has this name in the schema leasehold' },
  '42710': { code: 'STORE_UNUSABLE', advice: 'something else has this name in the schema leasehold' },
  '42723': { code: 'STORE_UNUSABLE', advice: 'something else has this name in the schema leasehold' },
  // `migrate --grant`: no such role.
  '42704': { code: 'INVALID_ARGUMENT', advice: '' },
  // A NUL, or text that is no valid UTF-8: no value of PostgreSQL can hold it.
  '22021': { code: 'INVALID_ARGUMENT', advice: '' },
  '22P05': { code: 'INVALID_ARGUMENT', advice: '' },
  '28P01': { code: 'STORE_FORBIDDEN', advice: 'check the password of this role' },
  '28000': { code: 'STORE_FORBIDDEN', advice: 'check the role and the server’s pg_hba.conf' },
  '42501': { code: 'STORE_FORBIDDEN', advice: "as the schema's owner: select leasehold.grant_to('ROLE')" },
  '3D000': { code: 'STORE_UNUSABLE', advice: 'create the database or correct its name' },
  '3F000': { code: 'SCHEMA_MISSING', advice: 'install it as the owner role: leasehold migrate' },
  '42883': { code: 'SCHEMA_MISSING', advice: 'install or update it as the owner role: leasehold migrate' },
  '42P01': { code: 'SCHEMA_MISSING', advice: 'install it as the owner role: leasehold migrate' },
  '25006': UNREACHABLE('the server is read-only; name the primary'),
  '40001': UNREACHABLE('other calls got in the way each time; try again'),
  '40P01': UNREACHABLE('other calls got in the way each time; try again'),
  '55P03': UNREACHABLE('another transaction keeps the row locked; look at pg_stat_activity'),
  '25P03': UNREACHABLE('the server ended an idle transaction'),
  '25P04': UNREACHABLE('the server ended a transaction that took too long'),
  '57014': UNREACHABLE('the statement was cancelled or timed out'),
  '53100': UNREACHABLE('the disk of the server is full'),
  '53300': UNREACHABLE('the server has no connection left'),
  '57P01': UNREACHABLE('the server is shutting down'),
  '57P02': UNREACHABLE('the server is restarting after a crash'),
  '57P03': UNREACHABLE('the server is starting up or shutting down'),
  '57P05': UNREACHABLE('the server ended an idle connection'),
  ECONNREFUSED: UNREACHABLE('is the server up, and are host and port right?'),
  ENOTFOUND: UNREACHABLE('its host name is not known'),
  EAI_AGAIN: UNREACHABLE('its host name could not be looked up'),
  ENOENT: UNREACHABLE('a file that it needs is not there: its socket, or a certificate'),
  ETIMEDOUT: TOO_LATE,
};

/** What pg says where a server asks for a password and none was given: it has no code. */
const NO_PASSWORD = /client password must be a string/;
const FORBIDDEN_WITHOUT_PASSWORD: Rule = {
  code: 'STORE_FORBIDDEN',
  advice: 'it asks for a password: in the URL, PGPASSWORD or .pgpass',
};

/** Broken by the way, not by the request: the same call may well succeed on another connection. */
const REPEATABLE = new Set(['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '57P05', 'ECONNRESET', 'EPIPE']);

/**
 * Refusals that hang on the connection: of a backend that is ending, and of a server that was the primary until now. That
 * one goes on to refuse, while the same address may lead to the new primary already.
 */
const BOUND_TO_CONNECTION = /^(08|25006|57P|58)/;

const CLOSED = /after calling end on the pool/;
/** What the driver says where it has no code. */
const CONNECTION_LOST = /Connection terminated|Client has encountered a connection error|not queryable|server closed/i;
const TIMED_OUT = /timeout|timed out/i;

export function isRepeatable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== null) return REPEATABLE.has(code);
  return CONNECTION_LOST.test(messageOf(error)) && !TIMED_OUT.test(messageOf(error));
}

/** True where the server itself refused the statement: the connection is as good as before. */
export function isAnswer(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && /^[0-9A-Z]{5}$/.test(code) && !BOUND_TO_CONNECTION.test(code);
}

/** The error to throw for one of the driver's or the server's. */
export function toLeaseholdError(error: unknown, store: string): LeaseholdError {
  if (error instanceof LeaseholdError) return error;
  const rule = ruleOf(error);
  const said = messageOf(error);
  if (rule.advice === '') return new LeaseholdError(rule.code, said, { cause: error });
  const what = rule.code === 'SCHEMA_MISSING' ? 'has no Leasehold schema, or an older one' : `can't be used (${said})`;
  const subject =
    rule.code === 'STORE_UNREACHABLE' ? `Store ${store} can't be reached (${said})` : `Store ${store} ${what}`;
  return new LeaseholdError(rule.code, `${subject}; ${rule.advice}`, { cause: error, isClosed: isClosed(error) });
}

function ruleOf(error: unknown): Rule {
  const code = codeOf(error);
  if (code !== null && Object.hasOwn(RULES, code)) return RULES[code] as Rule;
  if (code === null && NO_PASSWORD.test(messageOf(error))) return FORBIDDEN_WITHOUT_PASSWORD;
  if (isClosed(error)) return UNREACHABLE('this store has been closed');
  if (code === null && TIMED_OUT.test(messageOf(error))) return TOO_LATE;
  // Class 08: connection exceptions. Class 53: out of a resource. 58: the server's own disk.
  if (code !== null && /^(08|53|58)...$/.test(code)) return UNREACHABLE('the server is in trouble; see its log');
  if (code === null || !/^[0-9A-Z]{5}$/.test(code)) return UNREACHABLE('is the server up, and is the network between?');
  return { code: 'INTERNAL', advice: 'please report this' };
}

/** True where this process itself has closed the store. */
function isClosed(error: unknown): boolean {
  return codeOf(error) === null && CLOSED.test(messageOf(error));
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map((each: unknown) => messageOf(each)).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
