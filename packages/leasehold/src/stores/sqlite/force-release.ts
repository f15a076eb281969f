import type { ForceReleaseAnswer } from '../../domain/answers.ts';
import { decideForceRelease } from '../../domain/give-back.ts';
import { forceReleaseMessage, withReason } from '../../domain/messages.ts';
import type { ForceReleaseRequest } from '../../ports/store.ts';
import { appendEvent } from './events.ts';
import { findLockToWrite, forceLock } from './locks.ts';
import type { Session } from './session.ts';

/** Takes a lock from its holder, who is told at its next renewal, or ends the pause after a release; the next start is `reclaimed`. */
export function forceRelease(session: Session, request: ForceReleaseRequest, now: number): ForceReleaseAnswer {
  const { lock: name, reason, atOnce } = request;
  const lock = findLockToWrite(session, name, now);
  const { outcome, drainUntil } = decideForceRelease(lock, atOnce, now);
  const message = forceReleaseMessage(name, outcome, lock, drainUntil);
  if (lock === null || drainUntil === null) {
    return { outcome, lock: name, runId: null, holder: null, freeAt: null, message };
  }
  const { runId, holder } = lock;
  forceLock(session, name, drainUntil);
  appendEvent(session, {
    at: now,
    kind: 'lock.force_released',
    severity: 'warning',
    lock: name,
    runId,
    holder,
    message: withReason(message, reason),
    data: { reason, atOnce, holder, runId },
  });
  return { outcome, lock: name, runId, holder, freeAt: new Date(drainUntil), message };
}
