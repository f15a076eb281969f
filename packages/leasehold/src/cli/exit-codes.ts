import type { AcquireAnswer, ReleaseAnswer, RenewAnswer } from '../domain/answers.ts';
import type { LeaseholdErrorCode } from '../errors.ts';

/**
 * The exit codes of the command line (design §8, §11). Scripts and schedulers hang on them: a number
 * never changes its meaning. They follow sysexits.h where it has a word for it, and the shell's own
 * convention for a command that can't be started.
 */
export const EXIT = {
  /** Done; for `run`, the command's own 0. */
  done: 0,
  /** `demo`: something it promises did not hold. */
  promiseBroken: 1,
  /** `audit`: something was found that is as bad as `--fail-on` says, or worse. */
  found: 1,
  /** The command line itself is wrong: an unknown option, a name or a duration outside its limits. */
  usage: 64,
  /** The store can't be reached, timed out, is read-only or full. Nothing was started. */
  storeUnreachable: 69,
  /** `alert test`: the channel did not confirm it. */
  undelivered: 69,
  /** A fault of Leasehold itself. */
  internal: 70,
  /** The answer could not be written to stdout; `acquire` has given the lock back. */
  outputLost: 74,
  /** Skipped: nothing was started. */
  skipped: 75,
  /** This slot has run to success already: nothing was started. */
  alreadyRan: 76,
  /** The lease is lost, or the token doesn't hold the lock. */
  lost: 77,
  /** The configuration or the store was refused: a directory, wrong password, missing or newer schema. */
  refused: 78,
  /** `run`: the command was found and can't be executed. */
  notExecutable: 126,
  /** `run`: the command was not found. */
  notFound: 127,
} as const;

/** What a command that was ended by signal number `n` adds to it: a shell's 128 + n. */
export const SIGNAL_BASE = 128;

const EXIT_OF_ERROR: Readonly<Record<LeaseholdErrorCode, number>> = {
  INVALID_ARGUMENT: EXIT.usage,
  STORE_UNREACHABLE: EXIT.storeUnreachable,
  STORE_UNUSABLE: EXIT.refused,
  STORE_FORBIDDEN: EXIT.refused,
  SCHEMA_MISSING: EXIT.refused,
  SCHEMA_NEWER: EXIT.refused,
  IN_TRANSACTION: EXIT.refused,
  NODE_TOO_OLD: EXIT.refused,
  NOT_HOLDER: EXIT.lost,
  LEASE_LOST: EXIT.lost,
  INTERNAL: EXIT.internal,
};

/** The exit code of an error that a command ends in. */
export function exitCodeOfError(code: LeaseholdErrorCode): number {
  return EXIT_OF_ERROR[code];
}

/** `acquire`: 0 where the work may begin, else 75 or 76. */
export function exitCodeOfAcquire(answer: AcquireAnswer): number {
  if (answer.proceed) return EXIT.done;
  return answer.outcome === 'already_ran' ? EXIT.alreadyRan : EXIT.skipped;
}

/** `renew`: 0, or 77 where the lease is lost. */
export function exitCodeOfRenew(answer: RenewAnswer): number {
  return answer.outcome === 'renewed' ? EXIT.done : EXIT.lost;
}

/** `release`: 0 where the lock is free now, 77 where another holds it. */
export function exitCodeOfRelease(answer: ReleaseAnswer): number {
  return answer.outcome === 'not_holder' ? EXIT.lost : EXIT.done;
}
