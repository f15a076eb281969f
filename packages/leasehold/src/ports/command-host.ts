/**
 * What a command of the CLI may see and do of its own process and its child's. Only `platform/`
 * implements it, and only the CLI's main composes it.
 */
export interface CommandHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostName: string;
  readonly homeDirectory: string;
  /** This process, and the one that started it. */
  readonly pid: number;
  readonly parentPid: number;
  /** The program that runs this command line, its own options and its script: what starts it once more. */
  readonly self: readonly string[];
  readonly workingDirectory: string;
  /** Writes to stdout. Resolves when written, also where nobody reads any more. */
  writeOut(text: string): Promise<void>;
  /** Writes to stderr. Resolves when written, also where nobody reads any more. */
  writeError(text: string): Promise<void>;
  /** Calls `listener` for each of these signals instead of their default action, until the process ends. */
  onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): void;
  /** The number of a signal on this system. */
  signalNumber(signal: NodeJS.Signals): number;
  /**
   * Sends a signal to a process group; 0 only asks. False where nobody is left in it. True also
   * where its members may not be signalled by us: they exist.
   */
  signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean;
  /** Resolves once the events that have already arrived (an ended child, a signal) were handed out. */
  settleEvents(): Promise<void>;
}
