import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import type { Readable } from 'node:stream';

/**
 * The guarded command as a process of its own session and group.
 *
 * Identity: the id of both is the leader's pid; a signal to every group of the session reaches all that
 * the command started and that did not leave it by setsid(2). Being in another session the command has
 * no controlling terminal, as under cron: it still reads and writes the terminal it inherited (job control
 * does not apply to a terminal that isn't one's own), but `/dev/tty` is not there.
 *
 * End: the leader's exit, never the end of its output. A daemon that inherited stdout keeps the
 * stream open for ever and must not keep the lock.
 *
 * Crash: if the wrapper is killed, the command goes on; its lease ends by itself, and the next start
 * is told that the previous run may still be running.
 */
export type ChildEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly errorCode: string };

export interface Child {
  /** Its stdout and stderr where they come through this process; null where it has ours, or was not started. */
  readonly output: ChildOutput | null;
  /** Of its group and of its session. Null where the command could not be started. */
  readonly groupId: number | null;
  /** How it ended; null while it runs. */
  readonly end: ChildEnd | null;
  /** Resolves with how it ended; never rejects. */
  readonly ended: Promise<ChildEnd>;
}

export interface ChildOutput {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export interface ChildOptions {
  /** False: the command writes to the stdout and stderr of this process itself. */
  readonly isPiped: boolean;
}

/** Starts `command` with stdin of this process. Never throws. */
export function startChild(
  command: readonly string[],
  env: Record<string, string | undefined>,
  { isPiped }: ChildOptions,
): Child {
  const [file = '', ...args] = command;
  let end: ChildEnd | null = null;
  let child: ChildProcess;
  try {
    const stdio: StdioOptions = isPiped ? ['inherit', 'pipe', 'pipe'] : 'inherit';
    child = spawn(file, args, { stdio, detached: true, env });
  } catch (error) {
    const failed = notStarted(error);
    return { output: null, groupId: null, end: failed, ended: Promise.resolve(failed) };
  }
  const ended = new Promise<ChildEnd>((resolve) => {
    const settle = (how: ChildEnd): void => {
      end ??= how;
      resolve(end);
    };
    child.once('error', (error) => settle(notStarted(error)));
    child.once('exit', (code, signal) =>
      settle(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }),
    );
  });
  const { stdout, stderr } = child;
  return {
    output: stdout === null || stderr === null ? null : { stdout, stderr },
    groupId: child.pid ?? null,
    get end() {
      return end;
    },
    ended,
  };
}

function notStarted(error: unknown): ChildEnd {
  return { kind: 'not_started', errorCode: (error as NodeJS.ErrnoException).code ?? 'unknown error' };
}
