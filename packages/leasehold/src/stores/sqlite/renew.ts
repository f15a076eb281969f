import type { RenewAnswer } from '../../domain/answers.ts';
import { renewedLeaseMs } from '../../domain/clock-fault.ts';
import { decideRenew } from '../../domain/give-back.ts';
import type { LockState } from '../../domain/lock-state.ts';
import { lostMessage, renewedMessage } from '../../domain/messages.ts';
import type { RenewRequest } from '../../ports/store.ts';
import { appendEvent } from './events.ts';
import { findLockToWrite, renewLock, storeDrain } from './locks.ts';
import { findOwner, markLossTold, noteHolderInfo } from './runs.ts';
import type { Session } from './session.ts';
import { tellNearEnd } from './near-end.ts';

/** Extends a live lease, or tells its former holder that it is lost: an event each time, because each is a run that must stop. */
export function renew(session: Session, request: RenewRequest, now: number): RenewAnswer {
  const { lock: name, token } = request;
  const lock = findLockToWrite(session, name, now);
  const owner = findOwner(session, name, token);
  const decision = decideRenew(lock, owner, token, now);
  if (decision.kind === 'renew' && lock !== null) return extend(session, request, lock, now);
  const reason = decision.kind === 'lost' ? decision.reason : 'unknown_token';
  if (decision.kind === 'lost' && decision.drainUntil !== null) storeDrain(session, name, decision.drainUntil);
  const runId = owner?.runId ?? null;
  const message = lostMessage(name, reason, lock, now);
  appendEvent(session, {
    at: now,
    kind: 'lease.lost',
    severity: 'warning',
    lock: name,
    runId,
    holder: owner?.holder ?? null,
    message,
    data: { reason },
  });
  markLossTold(session, name, token);
  return { outcome: 'lost', lock: name, runId, reason, message };
}

function extend(session: Session, request: RenewRequest, lock: LockState, now: number): RenewAnswer {
  const leaseMs = request.leaseMs ?? renewedLeaseMs(lock, now);
  const leaseUntil = now + leaseMs;
  tellNearEnd(session, lock, 'renewed', now);
  const { token, progress, holderInfo } = request;
  renewLock(session, lock.name, { leaseMs, leaseUntil, progress, holderInfo }, now);
  if (holderInfo !== null) noteHolderInfo(session, lock.name, token, holderInfo);
  return {
    outcome: 'renewed',
    lock: lock.name,
    runId: lock.runId,
    leaseUntil: new Date(leaseUntil),
    remainingMs: leaseMs,
    message: renewedMessage(lock.name, leaseUntil),
  };
}
