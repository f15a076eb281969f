import type { HolderInfo } from '../../domain/lock-state.ts';

/** A process as its holder info names it. */
export interface HolderProcess {
  readonly host: string;
  readonly pid: number;
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly startTicks: number;
  /**
   * `none`: the process does its work itself. A number: the process group of the command that it guards.
   * Null: there may be a command that nobody has written down yet.
   */
  readonly childGroup: 'none' | number | null;
}

/** Null where something of it is missing or odd: then it names no process. The first process of a container may well be one. */
export function readHolderProcess(info: HolderInfo): HolderProcess | null {
  const { host, pid, bootId, pidNamespace, startTicks, childGroup } = info;
  if (!isText(host) || !isText(bootId) || !isText(pidNamespace)) return null;
  if (!isCount(pid) || pid < 1 || !isCount(startTicks)) return null;
  return { host, pid, bootId, pidNamespace, startTicks, childGroup: readChildGroup(childGroup) };
}

function readChildGroup(value: unknown): HolderProcess['childGroup'] {
  if (value === 'none') return 'none';
  if (typeof value !== 'object' || value === null) return null;
  const { pgid, startTicks } = value as { pgid?: unknown; startTicks?: unknown };
  return isGroupId(pgid) && isCount(startTicks) ? pgid : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** 0 and 1 mean other things where a group is named, and no command that was started is the first process. */
function isGroupId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 1;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
