import { hasOwnProc, lookAtSession } from './process-table.ts';

/**
 * Process groups, and sessions: all that a command has started and that did not leave it by setsid(2).
 *
 * Identity: a session has the id of the process that began it, as has that process's own group. A group is
 * of one session as a whole, so that its members are reached by one signal. No id is given again while
 * anybody, in whatever group, is of the session.
 *
 * Members in groups of their own (`timeout`, a shell with job control) are found by `/proc`. Where there is
 * none, or only one that counts ids as another PID namespace does, they are not, and the group that has
 * the session's id stands for all.
 */

/** Sends a signal to every member. False where there was none; true also where ours may not signal them. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends a signal to every group of a session, once. One that is made at this very moment may be missed. */
export function signalSession(sessionId: number, signal: NodeJS.Signals): void {
  // Looked for before anybody gets it: what they start because of it is not meant.
  const groups = hasOwnProc() ? lookAtSession(sessionId).groups : new Set<number>();
  for (const groupId of new Set([sessionId, ...groups])) signalGroup(groupId, signal);
}

/**
 * True while a member runs. One that has ended and waits to be reaped (a zombie) still takes
 * signals, so asking by signal 0 is not enough: in a container whose first process reaps nobody, an orphan
 * of the command would seem to live for ever.
 */
export function isSessionAlive(sessionId: number): boolean {
  if (!hasOwnProc()) return signalGroup(sessionId, 0);
  // Where processes of others never cease to come and go, several looks that found nobody must do.
  const { groups, ended } = lookAtSession(sessionId);
  // A group that takes signals and has no member that we see: they are hidden from us.
  return groups.size > 0 || (ended.size === 0 && signalGroup(sessionId, 0));
}
