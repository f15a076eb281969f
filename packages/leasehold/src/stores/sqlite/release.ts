import type { ReleaseAnswer } from '../../domain/answers.ts';
import { decideRelease } from '../../domain/give-back.ts';
import { givenUpMessage, releaseMessage } from '../../domain/messages.ts';
import type { RunStatus } from '../../domain/run.ts';
import type { ReleaseRequest } from '../../ports/store.ts';
import { appendEvent } from './events.ts';
import { findLockToWrite, freeLock, noteSuccess } from './locks.ts';
import { tellNearEnd } from './near-end.ts';
import type { SeenRun } from './rows.ts';
import { addStatus, endRun, findOwner, markLossTold, noteRenewal } from './runs.ts';
import type { Session } from './session.ts';
import { finishSlot } from './slots.ts';

/** Gives a lock back. Only its holder's token frees it; what a late holder says of its run is kept all the same. */
export function release(session: Session, request: ReleaseRequest, now: number): ReleaseAnswer {
  const { lock: name, token, status, afterMs, lost } = request;
  const lock = findLockToWrite(session, name, now);
  const owner = findOwner(session, name, token);
  const { outcome, frees, endsRun, storesStatus } = decideRelease(lock, owner, token, now);
  if (frees) {
    noteRenewal(session, name, token, lock?.renewedAt ?? null);
    freeLock(session, name, token, afterMs > 0 ? now + afterMs : null, now);
  }
  if (endsRun) endRun(session, name, token, now);
  if (storesStatus && status !== null) addMissingStatus(session, request, status, owner, now);
  const runId = owner?.runId ?? null;
  const message = releaseMessage(name, outcome, lock, now);
  // A longer lease is no advice for a run that was stopped.
  if (outcome === 'released' && frees && lock !== null && lost === null) tellNearEnd(session, lock, 'released', now);
  if (outcome === 'not_holder') {
    appendEvent(session, {
      at: now,
      kind: 'release.refused',
      // Somebody worked on after the lock was another's: proof of an overlap.
      severity: 'critical',
      lock: name,
      runId,
      holder: owner?.holder ?? null,
      message,
      data: { status },
    });
  }
  const isGivenUp = lost !== null && (frees || owner !== null);
  if ((outcome === 'expired' || isGivenUp) && owner?.isLossTold !== true) {
    appendEvent(session, {
      at: now,
      kind: 'lease.lost',
      severity: 'warning',
      lock: name,
      runId,
      holder: owner?.holder ?? null,
      // Where its holder had given it up before it ended, that is what happened.
      message: isGivenUp ? givenUpMessage(name, lost) : message,
      data: isGivenUp ? { reason: 'given_up', detail: lost } : { reason: outcome },
    });
    markLossTold(session, name, token);
  }
  return { outcome, lock: name, runId, message };
}

/** A status is added, never changed. A success counts for the lock and for its run's slot, whoever holds the lock by now. */
function addMissingStatus(
  session: Session,
  { lock, token }: ReleaseRequest,
  status: RunStatus,
  owner: SeenRun | null,
  now: number,
): void {
  if (owner === null || owner.status !== null) return;
  addStatus(session, lock, token, status);
  if (status !== 'success') return;
  noteSuccess(session, lock, now);
  finishSlot(session, lock, owner, now);
}
