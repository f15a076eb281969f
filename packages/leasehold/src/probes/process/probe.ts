import type { ProbeVerdict } from '../../domain/evidence.ts';
import type { Probe } from '../../ports/probe.ts';
import type { ProcessPlace, ProcessTable } from '../../ports/process-table.ts';
import { type HolderProcess, readHolderProcess } from './holder.ts';

/**
 * Asks this host whether the process that holds a lock is alive, with the command that it guards.
 *
 * Identity: a process id alone proves nothing, since ids are given again. Host, boot, PID namespace, id and
 * start time together name one process. Clock: none; start times are compared for being the same.
 *
 * `ended` needs both gone: a wrapper that was killed leaves its command working. The command is looked for by
 * its process group and its session, so that what it put into a group of its own (`timeout`, a shell with job
 * control) is found; what left the session has left the guard too, as with every release. A number that was
 * given again only makes a dead command look alive, and then the clock decides.
 */
export function createProcessProbe(table: ProcessTable): Probe {
  return { system: 'process', ask: async ({ holderInfo }) => judge(readHolderProcess(holderInfo), table) };
}

function judge(holder: HolderProcess | null, table: ProcessTable): ProbeVerdict {
  if (holder === null) return unknown('its holder names no process');
  const elsewhere = distance(holder, table.place());
  if (elsewhere !== null) return unknown(elsewhere);
  const sight = table.look(holder.pid);
  if (sight.kind === 'hidden') return unknown(`process ${holder.pid} can't be looked at from here`);
  if (sight.kind === 'seen' && sight.startTicks === holder.startTicks && !sight.hasEnded) {
    if (sight.isStopped) return unknown(`process ${holder.pid} is stopped`);
    return isThroughWith(holder, table)
      ? unknown(`process ${holder.pid} runs, its command has ended`)
      : { state: 'alive', detail: `process ${holder.pid} runs` };
  }
  return judgeCommand(holder, table);
}

/**
 * True where the command is known and has ended: what is left is to give the lock back, and if that can't be done, its
 * lease must end by itself and not be extended for it.
 */
function isThroughWith({ childGroup }: HolderProcess, table: ProcessTable): boolean {
  return childGroup !== null && childGroup !== 'none' && table.company(childGroup) === 'nobody';
}

/** The process itself has ended. */
function judgeCommand({ pid, childGroup }: HolderProcess, table: ProcessTable): ProbeVerdict {
  if (childGroup === 'none') return { state: 'ended', detail: `process ${pid} has ended` };
  if (childGroup === null) return unknown(`process ${pid} has ended, whether it started its command is not known`);
  switch (table.company(childGroup)) {
    case 'nobody':
      return { state: 'ended', detail: `process ${pid} and its command have ended` };
    case 'somebody':
      return unknown(`process ${pid} has ended, its child may be alive`);
    case 'hidden':
      return unknown(`process ${pid} has ended, its command can't be looked at from here`);
  }
}

/** Why the holder's process can't be told from here; null where it can. */
function distance(holder: HolderProcess, place: ProcessPlace): string | null {
  if (holder.host !== place.host) return `it runs on host ${holder.host}`;
  if (holder.bootId !== place.bootId) return 'it runs in another boot of its host';
  if (holder.pidNamespace !== place.pidNamespace) return 'it runs in another PID namespace';
  return place.blindness;
}

function unknown(detail: string): ProbeVerdict {
  return { state: 'unknown', detail };
}
