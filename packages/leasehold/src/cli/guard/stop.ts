import { killGraceMs, storeTimeoutMs } from '../../domain/timing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommandHost } from '../../ports/command-host.ts';

/** How often to look whether the group is gone. */
const LOOK_EVERY_MS = 20;
/** After KILL only a process inside the kernel (a dead network disk) stays; nobody can wait for that. */
const AFTER_KILL_MS = 2_000;

/**
 * How long a force-release has to wait for the command's end, counted by the store from the renewal it
 * refuses: the answer's way, the grace, KILL and its effect. The store ends it with the lease at the latest.
 */
export function drainGraceMs(leaseMs: number): number {
  return storeTimeoutMs(leaseMs) + killGraceMs(leaseMs) + AFTER_KILL_MS;
}

/**
 * Ends a process group: TERM, then KILL for what is left after the grace. Its leader may be gone
 * already; then the rest of the group is stopped all the same. CONT follows TERM, since a stopped
 * process would sleep through it.
 *
 * Returns true once nobody is left, false where even KILL did not help within 2 s. Bounded by
 * `graceMs` plus that.
 *
 * A group id can't be given to another group while a member lives; once the group was seen empty no
 * signal is sent to it any more.
 */
export async function stopGroup(host: CommandHost, groupId: number, graceMs: number, clock: Clock): Promise<boolean> {
  if (!host.signalGroup(groupId, 'SIGTERM')) return true;
  host.signalGroup(groupId, 'SIGCONT');
  if (await isGoneWithin(host, groupId, graceMs, clock)) return true;
  if (!host.signalGroup(groupId, 'SIGKILL')) return true;
  return isGoneWithin(host, groupId, AFTER_KILL_MS, clock);
}

export function stuckGroupMessage(groupId: number): string {
  return `process group ${groupId} is still there after KILL; look at it by hand`;
}

async function isGoneWithin(host: CommandHost, groupId: number, ms: number, clock: Clock): Promise<boolean> {
  const deadline = clock.read().monotonicMs + ms;
  while (host.isGroupAlive(groupId)) {
    const left = deadline - clock.read().monotonicMs;
    if (left <= 0) return false;
    await clock.sleep(Math.min(LOOK_EVERY_MS, left));
  }
  return true;
}
