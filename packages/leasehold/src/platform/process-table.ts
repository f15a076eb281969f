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
      for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
        const found = lookAround(root, groupId);
        if (found === 'somebody' || found === 'hidden') return found;
        // A group that takes signals and has no member that we see: they are hidden from us.
        if (found === 'nobody') return signals(-groupId) ? 'hidden' : 'nobody';
        if (found === 'ended') return 'nobody';
      }
      return 'hidden';
    },
  };
}

function placeOfSelf(): Omit<ProcessPlace, 'blindness'> {
  const { host, bootId, pidNamespace } = processIdentity();
  return { host, bootId, pidNamespace };
}

/**
 * Everybody, once. `moving`: somebody went between being listed and being read, and may have left a child
 * that was not listed yet. `ended`: members, all of them ended.
 */
function lookAround(root: string, groupId: number): 'nobody' | 'somebody' | 'hidden' | 'moving' | 'ended' {
  let isMoving = false;
  let areEnded = false;
  try {
    for (const name of readdirSync(root)) {
      const stat = /^\d+$/.test(name) ? readStat(root, Number(name)) : null;
      if (stat === 'hidden') return 'hidden';
      if (stat === 'gone') isMoving = true;
      if (stat === null || stat === 'gone' || (stat.group !== groupId && stat.session !== groupId)) continue;
      if (!hasEnded(stat)) return 'somebody';
      areEnded = true;
    }
  } catch {
    return 'hidden';
  }
  if (isMoving) return 'moving';
  return areEnded ? 'ended' : 'nobody';
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
