import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ProcessPlace, ProcessSight, ProcessTable } from '../ports/process-table.ts';
import { parseTimeOffsets } from './boot-clock.ts';
import { processIdentity } from './process-identity.ts';

/** What stands in one line of `/proc/PID/stat` (proc(5)); the name in brackets may itself hold brackets. */
export interface ProcessStat {
  readonly state: string;
  readonly group: number;
  readonly session: number;
  readonly threads: number;
  readonly startTicks: number;
}

/** Null where the line isn't one. */
export function parseProcessStat(line: string): ProcessStat | null {
  const nameEnd = line.lastIndexOf(')');
  const fields = nameEnd === -1 ? [] : line.slice(nameEnd + 2).split(' ');
  const [state = '', , group, session] = fields;
  const numbers = [group, session, fields[17], fields[19]].map((field) => (field === undefined ? NaN : Number(field)));
  if (!/^[A-Za-z]$/.test(state) || !numbers.every(Number.isSafeInteger)) return null;
  const [groupId = 0, sessionId = 0, threads = 0, startTicks = 0] = numbers;
  return { state, group: groupId, session: sessionId, threads, startTicks };
}

/** A leader whose other threads go on looks like a zombie, and works. */
function hasEnded({ state, threads }: ProcessStat): boolean {
  return state === 'X' || state === 'x' || (state === 'Z' && threads <= 1);
}

export interface ProcessTableOptions {
  /** Where the files are; default `/proc`. */
  readonly root?: string;
  /** True where the process, or with a negative id a member of the group, can be sent signals or may not be; default kill(2). */
  readonly signals?: (pid: number) => boolean;
}

/** Looking is repeated while processes come and go under it; where it never settles, nothing is proven. */
const LOOKS_MAX = 5;

/** The processes of this host by `/proc`; on a system without one nothing is seen, and so nothing is proven. */
export function createProcessTable({ root = '/proc', signals = takesSignals }: ProcessTableOptions = {}): ProcessTable {
  const look = (pid: number): ProcessSight => {
    const stat = readStat(root, pid);
    if (stat === 'gone') return signals(pid) ? { kind: 'hidden' } : { kind: 'none' };
    if (stat === 'hidden') return { kind: 'hidden' };
    const isStopped = stat.state === 'T' || stat.state === 't';
    return { kind: 'seen', startTicks: stat.startTicks, isStopped, hasEnded: hasEnded(stat) };
  };
  return {
    place: () => ({ ...placeOfSelf(), blindness: blindness(root) }),
    look,
    company(groupId) {
      const around = lookAtSession(groupId, root);
      if (around.isHidden) return 'hidden';
      if (around.groups.size > 0) return 'somebody';
      if (around.isMoving) return 'hidden';
      // A group that takes signals and has no member that we see: they are hidden from us.
      return around.ended.size === 0 && signals(-groupId) ? 'hidden' : 'nobody';
    },
  };
}

function placeOfSelf(): Omit<ProcessPlace, 'blindness'> {
  const { host, bootId, pidNamespace } = processIdentity();
  return { host, bootId, pidNamespace };
}

/** What is seen of the processes in the session, or in the process group, that has one id. */
export interface SessionLook {
  /** The process groups with a member that runs. */
  readonly groups: ReadonlySet<number>;
  /** Members that have ended and that nobody has reaped yet. */
  readonly ended: ReadonlySet<number>;
  /** Somebody ended between being listed and being read, and may have left a child that was not listed yet. */
  readonly isMoving: boolean;
  /** Somebody may be there who can't be read. */
  readonly isHidden: boolean;
}

/** Looks until somebody is seen to run or nobody can have been missed, a few times at most. */
export function lookAtSession(sessionId: number, root = '/proc'): SessionLook {
  let look = lookOnce(root, sessionId, new Set());
  for (let looks = 1; looks < LOOKS_MAX && look.isMoving && look.groups.size === 0; looks += 1) {
    look = lookOnce(root, sessionId, look.ended);
  }
  return look;
}

/** One that is known to have ended before everybody was listed has no child that was not. */
function lookOnce(root: string, sessionId: number, knownEnded: ReadonlySet<number>): SessionLook {
  const groups = new Set<number>();
  const ended = new Set<number>();
  let isMoving = false;
  const pids = listProcesses(root);
  let isHidden = pids === null;
  for (const pid of pids ?? []) {
    const stat = readStat(root, pid);
    if (stat === 'gone') isMoving = true;
    else if (stat === 'hidden') isHidden = true;
    else if (stat.group !== sessionId && stat.session !== sessionId) continue;
    else if (!hasEnded(stat)) groups.add(stat.group);
    else {
      ended.add(pid);
      if (!knownEnded.has(pid)) isMoving = true;
    }
  }
  return { groups, ended, isMoving, isHidden };
}

/** Null where they can't be listed. */
function listProcesses(root: string): number[] | null {
  try {
    return readdirSync(root)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return null;
  }
}

/** Whether the ids in `/proc` are those that this process signals by; not so in a PID namespace without one of its own. */
export function hasOwnProc(root = '/proc'): boolean {
  try {
    return readlinkSync(`${root}/self`) === String(process.pid);
  } catch {
    return false;
  }
}

function readStat(root: string, pid: number): ProcessStat | 'gone' | 'hidden' {
  try {
    return parseProcessStat(readFileSync(`${root}/${pid}/stat`, 'utf8')) ?? 'hidden';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'hidden';
  }
}

/** Null where every process is listed, by the id that it has here and the time that it started at. */
function blindness(root: string): string | null {
  try {
    if (readlinkSync(`${root}/self`) !== String(process.pid)) return 'the /proc here is of another PID namespace';
    if (hidesProcesses(readFileSync(`${root}/self/mountinfo`, 'utf8'))) return 'the /proc here hides processes';
    return isTimeShifted(root) ? 'start times are shifted by a time namespace here' : null;
  } catch {
    return 'this system has no /proc';
  }
}

/** Whether a `/proc` among these mounts (proc(5)) is mounted with `hidepid`. */
export function hidesProcesses(mountinfo: string): boolean {
  return mountinfo.split('\n').some((line) => {
    const [mount = '', source = ''] = line.split(' - ');
    const hidepid = /(?:^|[ ,])hidepid=([^, ]+)/.exec(source)?.[1] ?? 'off';
    return mount.split(' ')[4] === '/proc' && hidepid !== 'off' && hidepid !== '0';
  });
}

function isTimeShifted(root: string): boolean {
  try {
    return parseTimeOffsets(readFileSync(`${root}/self/timens_offsets`, 'utf8')).boottimeMs !== 0;
  } catch {
    // A kernel from before time namespaces.
    return false;
  }
}

/** Signal 0 reaches also what `/proc` hides. */
function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
