import { constants, homedir, hostname } from 'node:os';
import type { CommandHost } from '../ports/command-host.ts';
import { isGroupAlive, signalGroup } from './process-group.ts';

/**
 * The process of a command line: its streams, its signals, the signals it sends to its child's
 * group. A reader that went away (EPIPE) never ends a command: a guard that died of a closed pipe
 * would leave its lock behind and its child unguarded.
 */

type Stream = NodeJS.WriteStream;

function ignoreLostReader(stream: Stream): void {
  stream.on('error', () => {});
}

function write(stream: Stream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write(text, () => resolve());
  });
}

/** Two turns: the events of the turn that is under way were gathered before it began. */
async function settleEvents(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

function homeDirectory(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}

/** The process that this code runs in: its `CommandHost`, the words it was given, and its end. */
export interface CommandProcess extends CommandHost {
  readonly argv: readonly string[];
  /** Ends the process now. Streams must have been written out before. */
  exit(code: number): never;
}

export function createCommandProcess(): CommandProcess {
  ignoreLostReader(process.stdout);
  ignoreLostReader(process.stderr);
  return {
    env: process.env,
    hostName: hostname(),
    homeDirectory,
    pid: process.pid,
    parentPid: process.ppid,
    self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    workingDirectory: () => process.cwd(),
    argv: process.argv.slice(2),
    writeOut: (text: string) => write(process.stdout, text),
    writeError: (text: string) => write(process.stderr, text),
    writeBytes: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => write(process[stream], bytes),
    onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): void {
      for (const signal of signals) process.on(signal, listener);
    },
    onFault(listener: (error: unknown) => void): void {
      process.removeAllListeners('uncaughtException');
      process.on('uncaughtException', listener);
    },
    signalNumber: (signal: NodeJS.Signals) => constants.signals[signal],
    signalGroup,
    isGroupAlive,
    settleEvents,
    exit: (code: number): never => process.exit(code),
  };
}
