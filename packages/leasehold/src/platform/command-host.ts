import { constants, homedir, hostname, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { isatty } from 'node:tty';
import type { CommandHost } from '../ports/command-host.ts';
import { CommandOutput, isStdoutClosed } from './command-output.ts';
import { isSessionAlive, signalGroup, signalSession } from './process-group.ts';
import { childGroup } from './process-identity.ts';

/**
 * The process of a command line: its streams, its signals, the signals it sends to its child's
 * session.
 */

/** Two turns: the events of the turn that is under way were gathered before it began. */
async function settleEvents(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** `HOME`, else what the system has for this user. A relative one would be another in each directory. */
function homeDirectory(): string | null {
  for (const read of [homedir, () => userInfo().homedir]) {
    try {
      const directory = read();
      if (isAbsolute(directory)) return directory;
    } catch {
      // An account without an entry; the next source may know, and null says that none did.
    }
  }
  return null;
}

/** The process that this code runs in: its `CommandHost`, the words it was given, and its end. */
export interface CommandProcess extends CommandHost {
  readonly argv: readonly string[];
  /** Resolves when what was written has gone out, or nobody took it within a bounded time. */
  finishWriting(): Promise<void>;
  /** Ends the process now. Streams must have been written out before. */
  exit(code: number): never;
}

export function createCommandProcess(): CommandProcess {
  const out = new CommandOutput(1);
  const error = new CommandOutput(2);
  return {
    env: process.env,
    hostName: hostname(),
    homeDirectory,
    pid: process.pid,
    parentPid: process.ppid,
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    workingDirectory: () => process.cwd(),
    argv: process.argv.slice(2),
    readInput: () => process.stdin as AsyncIterable<Uint8Array>,
    isTerminal: (stream: 'stdin' | 'stderr') => isatty(stream === 'stdin' ? 0 : 2),
    writeOut: (text: string) => out.write(text),
    writeError: (text: string) => error.write(text),
    writeBytes: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => (stream === 'stdout' ? out : error).write(bytes),
    isStdoutClosed,
    writeAside(): void {
      out.goAside();
      error.goAside();
    },
    async finishWriting(): Promise<void> {
      await Promise.all([out.finish(), error.finish()]);
    },
    onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): void {
      for (const signal of signals) process.on(signal, listener);
    },
    onFault(listener: (error: unknown) => void): void {
      process.removeAllListeners('uncaughtException');
      process.on('uncaughtException', listener);
    },
    signalNumber: (signal: NodeJS.Signals) => constants.signals[signal],
    signalGroup,
    signalSession,
    isSessionAlive,
    childGroup,
    settleEvents,
    exit: (code: number): never => process.exit(code),
  };
}
