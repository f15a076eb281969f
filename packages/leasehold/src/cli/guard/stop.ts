import { killGraceMs, storeTimeoutMs } from '../../domain/timing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import type { Child } from './child.ts';
import type { Guard } from './guard.ts';

/** How soon, and then how often, to look whether all are gone. A look reads about every process of the host. */
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 100;
/** Looking takes a tenth of the time at most. */
const LOOK_COST = 10;
/** After KILL only a process inside the kernel (a dead network disk) stays; nobody can wait for that. */
const AFTER_KILL_MS = 2_000;

/**
 * How long a force-release has to wait for the command's end, counted by the store from the renewal it
 * refuses: the answer's way, the grace, KILL and its effect. The store ends it with the lease at the latest.
 */
export function drainGraceMs(leaseMs: number): number {
  return storeTimeoutMs(leaseMs) + killGraceMs(leaseMs) + AFTER_KILL_MS;
}

/** Stops a command that has lost its lease, with all of its session. */
export async function stopLost(guard: Guard, child: Child): Promise<void> {
  await stopSession(guard, child.groupId, true);
}

/**
 * Stops what a command that was told to end has left behind: its leader is gone, but what it put into a
 * group of its own, or what takes longer, would work beside the next start. After an end that nobody asked
 * for there is nothing to stop: what the command leaves then (a daemon) it means to leave.
 */
export async function stopRest(guard: Guard, child: Child): Promise<void> {
  const { passedOn } = guard.relay;
  // Who has had TERM is about to end, and may take a second one for an order to drop everything.
  if (passedOn.size > 0) await stopSession(guard, child.groupId, !passedOn.has('SIGTERM'));
}

/**
 * Ends a session: TERM, then KILL for what is left after the grace. Its leader may be gone already; then
 * the rest is stopped all the same. CONT follows TERM, since a stopped process would sleep through it.
 * KILL is repeated: a group that was made while it was sent has not had it.
 *
 * Bounded by the grace and 2 s; says where even KILL did not help within them.
 *
 * A session's id can't be given again while a member lives; once nobody was seen no signal is sent to it.
 */
async function stopSession({ context, session, plan }: Guard, id: number | null, asks: boolean): Promise<void> {
  const { host, clock } = context;
  if (id === null || !host.isSessionAlive(id)) return;
  if (asks) {
    host.signalSession(id, 'SIGTERM');
    host.signalSession(id, 'SIGCONT');
  }
  const isGone =
    (await isGoneWithin(host, id, killGraceMs(plan.start.leaseMs), clock)) ||
    (await isGoneWithin(host, id, AFTER_KILL_MS, clock, () => host.signalSession(id, 'SIGKILL')));
  await host.settleEvents();
  if (!isGone) await session.say(stuckSessionMessage(id));
}

export function stuckSessionMessage(sessionId: number): string {
  return `something of session ${sessionId} is still there after KILL; look at it by hand (ps -s ${sessionId})`;
}

/** Does `meanwhile` after each look that saw somebody. */
async function isGoneWithin(
  host: CommandHost,
  sessionId: number,
  ms: number,
  clock: Clock,
  meanwhile: () => void = () => {},
): Promise<boolean> {
  const deadline = clock.read().monotonicMs + ms;
  for (let pauseMs = LOOK_MS_MIN; ; pauseMs = Math.min(LOOK_MS_MAX, pauseMs * 2)) {
    const before = clock.read().monotonicMs;
    if (!host.isSessionAlive(sessionId)) return true;
    const now = clock.read().monotonicMs;
    if (now >= deadline) return false;
    meanwhile();
    await clock.sleep(Math.min(Math.max(pauseMs, (now - before) * LOOK_COST), deadline - now));
  }
}
