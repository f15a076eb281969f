import type { Logger } from '../../ports/logger.ts';

/**
 * What the engine says while a command runs (a renewal that failed, one that got through again), as
 * lines on stderr. Quiet until the command runs: before that every fault ends in an error of its
 * own. The loss of the lease is told by the guard, with what it does about it.
 */
export interface GuardLog extends Logger {
  /** From now on there is somebody who would not learn of it otherwise. */
  open(): void;
}

export function createGuardLog(write: (line: string) => void): GuardLog {
  let isOpen = false;
  const tell = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
    const error = fields?.['error'];
    if (isOpen) write(error instanceof Error ? `${message} (${error.message})` : message);
  };
  return {
    open() {
      isOpen = true;
    },
    debug() {},
    info: tell,
    warn: tell,
    error(message, fields) {
      if (fields?.['error'] !== undefined) tell(message, fields);
    },
  };
}
