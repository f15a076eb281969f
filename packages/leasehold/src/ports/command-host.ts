/**
 * What a command of the CLI may see and do of its own process and its child's. Only `platform/`
 * implements it, and only the CLI's main composes it.
 */
export interface CommandHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostName: string;
  /** Always absolute. Null where the system knows none: an account without an entry, and no such HOME. */
  homeDirectory(): string | null;
  /** This process, and the one that started it. */
  readonly pid: number;
  readonly parentPid: number;
  /** The program that runs this command line, its own options and its script: what starts it once more. */
  readonly self: readonly string[];
  /** Throws where it has been deleted. */
  workingDirectory(): string;
  /** What comes on stdin, to its end. Throws the system's error. */
  readInput(): AsyncIterable<Uint8Array>;
  /** True where a person is at the other end. */
  isTerminal(stream: 'stdin' | 'stderr'): boolean;
  /** Writes to stdout. Resolves with null when written, else with the error's code: EPIPE where nobody reads any more. */
  writeOut(text: string): Promise<string | null>;
  /** Writes to stderr. Resolves as `writeOut` does. */
  writeError(text: string): Promise<string | null>;
  /** Writes to stdout or stderr, byte for byte. Resolves as `writeOut` does. */
  writeBytes(stream: 'stdout' | 'stderr', bytes: Uint8Array): Promise<string | null>;
  /** True where stdout was closed when this process began, so that what is written there is nowhere. */
  isStdoutClosed(): boolean;
  /**
   * From now on a reader that has stalled never holds this process up: a text counts as written once it
   * is handed over, and is dropped and counted where too many wait.
   */
  writeAside(): void;
  /** Calls `listener` for each of these signals instead of their default action, until the process ends. */
  onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): void;
  /** Calls `listener`, and no earlier one, for what nobody caught, instead of ending the process. */
  onFault(listener: (error: unknown) => void): void;
  /** The number of a signal on this system. */
  signalNumber(signal: NodeJS.Signals): number;
  /** Sends a signal to a process group. False where nobody is in it; true also where we may not signal them. */
  signalGroup(groupId: number, signal: NodeJS.Signals): boolean;
  /**
   * Sends a signal to every process group of the session that has this id; where this system doesn't tell
   * which those are, to the one that has it too.
   */
  signalSession(sessionId: number, signal: NodeJS.Signals): void;
  /** True while a process of these groups runs; one that has ended and was not reaped doesn't count. */
  isSessionAlive(sessionId: number): boolean;
  /** What a probe can later know a child's process group by; null where this system doesn't tell. */
  childGroup(groupId: number): Readonly<Record<string, number>> | null;
  /** Resolves once the events that have already arrived (an ended child, a signal) were handed out. */
  settleEvents(): Promise<void>;
}
