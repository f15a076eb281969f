import { isExpired, isGivenBack, isHeldBy, type LockState } from './lock-state.ts';
import type { RunState } from './run.ts';

/** Why a renewal was refused. */
export type LossReason = 'expired' | 'taken_over' | 'force_released' | 'released' | 'unknown_token';

export type RenewDecision =
  | { readonly kind: 'renew' }
  | {
      readonly kind: 'lost';
      readonly reason: LossReason;
      /** The instant a drain ends now that its holder has been told; null where nothing drains. */
      readonly drainUntil: number | null;
    };

/**
 * Decides a renewal. Only a live lease of this very token is extended: an expired one is lost even if
 * nobody took it, because the next start may be doing so. `owner` is the run that the token belongs
 * to, null if no run of this lock has it.
 */
export function decideRenew(lock: LockState | null, owner: RunState | null, token: string, now: number): RenewDecision {
  if (lock !== null && isHeldBy(lock, token, now)) return { kind: 'renew' };
  if (lock === null || lock.token !== token) {
    return { kind: 'lost', reason: lossOfFormerHolder(lock, owner), drainUntil: null };
  }
  if (lock.drainUntil !== null) {
    return { kind: 'lost', reason: 'force_released', drainUntil: Math.min(lock.drainUntil, now + lock.graceMs) };
  }
  return { kind: 'lost', reason: 'expired', drainUntil: null };
}

function lossOfFormerHolder(lock: LockState | null, owner: RunState | null): LossReason {
  if (lock === null || owner === null) return 'unknown_token';
  if (owner.fence !== null && owner.fence < lock.fence) return 'taken_over';
  return 'released';
}

/** The four answers of a release. */
export type ReleaseOutcome = 'released' | 'expired' | 'already_free' | 'not_holder';

export interface ReleaseDecision {
  readonly outcome: ReleaseOutcome;
  /** True where the lock row is to be freed. */
  readonly frees: boolean;
  /** True where the run is to be marked as ended now. */
  readonly endsRun: boolean;
  /** True where a given status is to be stored, if the run has none yet: a status is added, never changed. */
  readonly storesStatus: boolean;
}

/**
 * Decides a release. Nothing but the holder's own token frees a lock; what a late holder says of its
 * run is kept all the same, since it is the truth about its slot.
 */
export function decideRelease(
  lock: LockState | null,
  owner: RunState | null,
  token: string,
  now: number,
): ReleaseDecision {
  const knowsRun = owner !== null;
  if (lock !== null && lock.token === token) {
    const outcome = releaseOfCurrent(lock, now);
    return { outcome, frees: true, endsRun: knowsRun, storesStatus: knowsRun };
  }
  if (owner !== null && owner.endedAt !== null && owner.lostAt === null) {
    return { outcome: 'released', frees: false, endsRun: false, storesStatus: true };
  }
  const isTakenOver = lock === null || lock.token !== null || (owner !== null && owner.fence !== lock.fence);
  const outcome = isTakenOver ? 'not_holder' : 'already_free';
  return { outcome, frees: false, endsRun: knowsRun, storesStatus: knowsRun };
}

function releaseOfCurrent(lock: LockState, now: number): ReleaseOutcome {
  if (lock.drainUntil !== null && lock.drainUntil <= now) return 'already_free';
  return isExpired(lock, now) ? 'expired' : 'released';
}

/** The three answers of a force-release: its holder may still finish, it is free now, or it was free before. */
export type ForceReleaseOutcome = 'draining' | 'released' | 'already_free';

export interface ForceReleaseDecision {
  readonly outcome: ForceReleaseOutcome;
  /** The instant from which the lock is free; null where it is free already. */
  readonly drainUntil: number | null;
}

/**
 * Decides a force-release. By default the holder drains: it is told at its next renewal and may
 * finish within its grace, at most until its lease ends; `atOnce` frees the lock now. The pause that a
 * release asked for has no holder to wait for: it ends now either way.
 */
export function decideForceRelease(lock: LockState | null, atOnce: boolean, now: number): ForceReleaseDecision {
  if (lock === null) return { outcome: 'already_free', drainUntil: null };
  if (isGivenBack(lock, now)) {
    const isCooling = lock.freeAt !== null && lock.freeAt > now;
    return isCooling ? { outcome: 'released', drainUntil: now } : { outcome: 'already_free', drainUntil: null };
  }
  if (atOnce || isExpired(lock, now)) return { outcome: 'released', drainUntil: now };
  return { outcome: 'draining', drainUntil: Math.min(lock.drainUntil ?? Infinity, lock.leaseUntil ?? now) };
}
