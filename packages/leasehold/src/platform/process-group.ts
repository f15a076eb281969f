import { readdirSync, readFileSync } from 'node:fs';

/** Process groups: all that a command has started and that did not leave it. */

/** Sends a signal to every member. False where there was none; true also where ours may not signal them. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * True while a member runs. One that has ended and waits to be reaped (a zombie) still takes signals,
 * so asking by signal 0 is not enough: in a container whose first process reaps nobody, an orphan of
 * the group would seem to live for ever. Where there is no `/proc`, the answer to the signal must do.
 */
export function isGroupAlive(groupId: number): boolean {
  if (!signalGroup(groupId, 0)) return false;
  const stats = readProcessStats();
  return stats === null || stats.some((stat) => isLiveMember(stat, groupId));
}

/** Whether a line of `/proc/PID/stat` (proc(5)) is of a live member: state and group stand behind the name. */
export function isLiveMember(stat: string, groupId: number): boolean {
  const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(group) === groupId && state !== 'Z' && state !== 'X';
}

/** Every process's line; null where the system has no such files. */
function readProcessStats(): string[] | null {
  try {
    readFileSync('/proc/self/stat');
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readOrEmpty(`/proc/${pid}/stat`));
  } catch {
    return null;
  }
}

/** A process may end between the listing and the reading. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
