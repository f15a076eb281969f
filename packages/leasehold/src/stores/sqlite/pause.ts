import type { PauseAnswer } from '../../domain/answers.ts';
import { pausedMessage, resumedMessage } from '../../domain/messages.ts';
import type { PauseRequest, ResumeRequest } from '../../ports/store.ts';
import { appendEvent } from './events.ts';
import { createLock, findLock, storePause } from './locks.ts';
import type { Session } from './session.ts';

/** Stops new starts of a lock. A run under way goes on, and may be renewed and released. */
export function pause(session: Session, { lock: name, reason }: PauseRequest, now: number): PauseAnswer {
  const { pausedAt } = findLock(session, name) ?? createLock(session, name);
  const message = pausedMessage(name, pausedAt !== null);
  if (pausedAt !== null) return { outcome: 'already_paused', lock: name, message };
  storePause(session, name, now);
  const told = pausedMessage(name, false, reason);
  const event = { at: now, severity: 'warning' as const, lock: name, runId: null, holder: null, message: told };
  appendEvent(session, { ...event, kind: 'lock.paused', data: { reason } });
  return { outcome: 'paused', lock: name, message };
}

/** Lets starts in again. A lock that no start has touched is not paused, and gets no row. */
export function resume(session: Session, { lock: name }: ResumeRequest, now: number): PauseAnswer {
  const pausedAt = findLock(session, name)?.pausedAt ?? null;
  const message = resumedMessage(name, pausedAt !== null);
  if (pausedAt === null) return { outcome: 'not_paused', lock: name, message };
  storePause(session, name, null);
  const event = { at: now, severity: 'info' as const, lock: name, runId: null, holder: null, message };
  appendEvent(session, { ...event, kind: 'lock.resumed', data: { pausedAt: new Date(pausedAt).toISOString() } });
  return { outcome: 'resumed', lock: name, message };
}
