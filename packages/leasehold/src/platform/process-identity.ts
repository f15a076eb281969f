import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseTimeOffsets } from './boot-clock.ts';

/**
 * Who a process is, so exactly that a probe can later prove that it has ended. A process id alone
 * proves nothing: ids are used again, after a reboot, in another PID namespace, or simply later. Host,
 * boot, namespace and start time together name one process and no other.
 *
 * Null where the system doesn't tell (anything but Linux): such a holder can't be proven ended, and
 * only its lease decides.
 */
export type ProcessIdentity = {
  readonly host: string;
  readonly pid: number;
  readonly bootId: string | null;
  /** Inode of the PID namespace in which `pid` counts. */
  readonly pidNamespace: string | null;
  /** When the process started, in clock ticks since boot. */
  readonly startTicks: number | null;
};

/** The identity of the process that this code runs in: a plain object, fit for `holderInfo`. */
export function processIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    pid: process.pid,
    bootId: readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null),
    pidNamespace: readOrNull(() => parseNamespaceInode(readlinkSync('/proc/self/ns/pid'))),
    startTicks: readStartTicks('self'),
  };
}

/** The command that a process guards, as its holder info names it. */
export type ChildGroup = {
  /** The process group, and so the id of its leader. */
  readonly pgid: number;
  /** When the leader started. */
  readonly startTicks: number;
};

/** Null where the leader can't be read any more, or the system doesn't tell. */
export function childGroup(groupId: number): ChildGroup | null {
  const startTicks = readStartTicks(groupId);
  return startTicks === null ? null : { pgid: groupId, startTicks };
}

/** In a time namespace that shifts them, start times don't compare with those that others see: null. */
function readStartTicks(pid: number | 'self'): number | null {
  const offsets = readOrNull(() => readFileSync('/proc/self/timens_offsets', 'utf8')) ?? '';
  if (parseTimeOffsets(offsets).boottimeMs !== 0) return null;
  return readOrNull(() => parseStartTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')));
}

/** The holder's name where a caller gives none: `host:pid`. */
export function defaultHolder(identity: ProcessIdentity): string {
  return `${identity.host}:${identity.pid}`;
}

/** The inode of a link such as `pid:[4026531836]`; null for anything else. */
export function parseNamespaceInode(link: string): string | null {
  return /^pid:\[(\d+)\]$/.exec(link)?.[1] ?? null;
}

/**
 * The start time in a line of `/proc/PID/stat` (proc(5), field 22). The second field is the
 * program's name in brackets and may itself hold blanks and brackets, so counting begins behind the
 * last closing one. Null where the line isn't one.
 */
export function parseStartTicks(stat: string): number | null {
  const nameEnd = stat.lastIndexOf(')');
  if (nameEnd === -1) return null;
  const ticks = stat.slice(nameEnd + 2).split(' ')[19];
  return ticks !== undefined && /^\d+$/.test(ticks) ? Number(ticks) : null;
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
