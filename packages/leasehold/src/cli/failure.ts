import { isLeaseholdError } from '../errors.ts';
import { EXIT, exitCodeOfError } from './exit-codes.ts';

/** How a command ends in an error: its one line for stderr and its exit code. */
export interface Failure {
  readonly line: string;
  readonly exitCode: number;
}

/** What was to be read on stdout could not be written there: `errorCode` is the system's, such as ENOSPC. */
export class OutputLost extends Error {
  constructor(errorCode: string) {
    super(`stdout can't be written (${errorCode})`);
    this.name = 'OutputLost';
  }
}

/**
 * An error as one line. A LeaseholdError says itself what happened and what to do; anything else is
 * a fault of Leasehold and says so, with its message but without a stack that could carry arguments.
 */
export function describeFailure(error: unknown): Failure {
  if (isLeaseholdError(error)) return { line: oneLine(error.message), exitCode: exitCodeOfError(error.code) };
  if (error instanceof OutputLost) return { line: `the answer is lost: ${error.message}`, exitCode: EXIT.outputLost };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { line: `internal fault, please report it: ${oneLine(message)}`, exitCode: EXIT.internal };
}

/** Text on one line and without control characters: a stored name must not move a terminal's cursor. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/** A message with the store it speaks of, unless it names it already or no store has a name. */
export function namingStore(message: string, storeName: string | null): string {
  return storeName === null || message.includes(storeName) ? message : `${message} [${storeName}]`;
}
