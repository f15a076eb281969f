/**
 * Broken promises: what Leasehold throws. An expected refusal (a skip, a lost lease, a verdict
 * that came too late) is a value and never one of these.
 *
 * Codes never change once released; callers and the exit codes of the CLI hang on them.
 */
export type LeaseholdErrorCode =
  /** A name, duration, option or other argument is outside its limits. CLI exit 64, SQLSTATE LH002. */
  | 'INVALID_ARGUMENT'
  /** The store could not be reached, timed out, is read-only or full. CLI exit 69. */
  | 'STORE_UNREACHABLE'
  /** The store is not one we can use: a directory, not a database, unknown scheme, missing driver. CLI exit 78. */
  | 'STORE_UNUSABLE'
  /** The store has no Leasehold schema yet; `leasehold migrate` installs it. CLI exit 78. */
  | 'SCHEMA_MISSING'
  /** The schema was made by a newer Leasehold than this one understands. CLI exit 78. */
  | 'SCHEMA_NEWER'
  /** Wrong password, or the role lacks a right. CLI exit 78. */
  | 'STORE_FORBIDDEN'
  /** Called inside a transaction that could roll the lease back. SQLSTATE LH003. */
  | 'IN_TRANSACTION'
  /** `assertHolder` found that the token does not hold the lock. CLI exit 77, SQLSTATE LH001. */
  | 'NOT_HOLDER'
  /** The work was stopped because its lease was lost. CLI exit 77. */
  | 'LEASE_LOST'
  /** This Node.js is older than Leasehold needs. CLI exit 78. */
  | 'NODE_TOO_OLD'
  /** A fault of Leasehold itself; please report it. */
  | 'INTERNAL';

/**
 * The one exception class of Leasehold. `code` tells the kind, `message` says what happened, to
 * which lock or record, and what to do; `cause` keeps the error underneath. No message carries a
 * password, a key or a token.
 */
export class LeaseholdError extends Error {
  readonly code: LeaseholdErrorCode;
  /** True where this process itself has closed the store: no later try can get through. */
  readonly isClosed: boolean;

  constructor(code: LeaseholdErrorCode, message: string, options?: { cause?: unknown; isClosed?: boolean }) {
    super(message, options);
    this.name = 'LeaseholdError';
    this.code = code;
    this.isClosed = options?.isClosed ?? false;
  }
}

/** True where `error` is a LeaseholdError, of the given code if one is named. */
export function isLeaseholdError(error: unknown, code?: LeaseholdErrorCode): error is LeaseholdError {
  return error instanceof LeaseholdError && (code === undefined || error.code === code);
}
