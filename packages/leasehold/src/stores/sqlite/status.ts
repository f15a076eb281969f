import type { LockStateName } from '../../domain/answers.ts';
import { drawInLease } from '../../domain/clock-fault.ts';
import { ageMs, isExpired, isHeldBy, type LockState } from '../../domain/lock-state.ts';
import type { LockMarks, StatusQuery, StoredStatus } from '../../ports/store.ts';
import { findLock, listLocks } from './locks.ts';
import { usualMs } from './runs.ts';
import type { Session } from './session.ts';

/** One lock or all by name, as they are at `now`. Nothing here writes. */
export function status(session: Session, { lock, limit }: StatusQuery, now: number): StoredStatus[] {
  if (lock === null) return listLocks(session, limit).map((state) => toStatus(session, drawInLease(state, now), now));
  const found = findLock(session, lock);
  return found === null ? [] : [toStatus(session, drawInLease(found, now), now)];
}

/** What a lock remembers from one run to the next. */
export function marks(session: Session, lock: string): LockMarks {
  const found = findLock(session, lock);
  const slotAt = found?.lastSuccessSlotAt ?? null;
  return { lastSuccessSlotAt: slotAt === null ? null : new Date(slotAt), progress: found?.progress ?? null };
}

/** True while the token holds a live lease that nobody has force-released. */
export function isHolder(session: Session, lock: string, token: string, now: number): boolean {
  const found = findLock(session, lock);
  return found !== null && isHeldBy(found, token, now);
}

/** Of a free lock only the counts are told: who had it last is in the runs. */
function toStatus(session: Session, lock: LockState, now: number): StoredStatus {
  const state = stateName(lock, now);
  const lease = state === 'free' || state === 'cooling' ? null : lock;
  const leaseUntil = lease?.leaseUntil ?? null;
  const since = lease?.since ?? null;
  return {
    lock: lock.name,
    state,
    holder: lease?.holder ?? null,
    holderInfo: lease?.holderInfo ?? null,
    since: since === null ? null : new Date(since),
    ageMs: ageMs(since, now),
    usualMs: usualMs(session, lock.name),
    leaseUntil: leaseUntil === null ? null : new Date(leaseUntil),
    remainingMs: leaseUntil === null ? null : Math.max(0, leaseUntil - now),
    skipsInRow: lock.skipsInRow,
    lastSuccessAt: lock.lastSuccessAt === null ? null : new Date(lock.lastSuccessAt),
    nextSlotAt: lock.nextSlotAt === null || lock.nextSlotAt <= now ? null : new Date(lock.nextSlotAt),
    paused: lock.pausedAt !== null,
    schedule: lock.schedule === null ? null : { expression: lock.schedule, timezone: lock.timezone },
  };
}

function stateName(lock: LockState, now: number): LockStateName {
  const isDrained = lock.drainUntil !== null && lock.drainUntil <= now;
  if (lock.token === null || isDrained) return lock.freeAt !== null && lock.freeAt > now ? 'cooling' : 'free';
  if (isExpired(lock, now)) return 'stale';
  return lock.drainUntil === null ? 'held' : 'draining';
}
