import type { CommandHost } from '../../ports/command-host.ts';
import { EXIT, SIGNAL_BASE } from '../exit-codes.ts';
import type { ChildEnd } from './child.ts';

/** The exit code that a command's end becomes: its own, 128 + n for a signal, 127 or 126 where it never ran. */
export function exitCodeOfChild(end: ChildEnd, host: CommandHost): number {
  switch (end.kind) {
    case 'exited':
      return end.code;
    case 'signalled':
      return SIGNAL_BASE + host.signalNumber(end.signal);
    case 'not_started':
      return end.errorCode === 'ENOENT' ? EXIT.notFound : EXIT.notExecutable;
  }
}

/** Why a command could not be started, and what to do about the mistake behind most of them. */
export function notStartedMessage(file: string, argumentCount: number, errorCode: string): string {
  const reason = REASONS[errorCode] ?? errorCode;
  const isShellText = argumentCount === 0 && /[\s|&;<>$]/.test(file);
  const hint = isShellText ? `; a line of shell needs a shell: -- sh -c '…'` : '';
  return `can't start "${file}": ${reason}${hint}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'not found (the command, or the interpreter its first line names)',
  EACCES: 'not executable (permission denied)',
  ENOEXEC: 'not executable (unknown format)',
  EISDIR: 'not executable (a directory)',
  E2BIG: 'its arguments and environment are too long',
  EAGAIN: 'the system has no process to spare',
  ENOMEM: 'the system has no memory to spare',
};
