import { type Probing, weighEvidence } from './evidence.ts';
import { ageMs, isDraining, isExpired, type LockState } from './lock-state.ts';
import type { Outcome, PreviousLease, RunState, SkipReason } from './run.ts';
import type { SlotState } from './slot.ts';

/** A start as the decision sees it. */
export interface StartRequest extends Partial<Probing> {
  readonly holder: string;
  readonly onStale: 'reclaim' | 'hold';
  /** Why the lock is to be passed by; null for an ordinary start. */
  readonly bypassReason: string | null;
  /** A manual rerun of a slot that is done. */
  readonly again: boolean;
}

/** What is to be done about a start. The store writes it; nothing here touches a row. */
export type AcquireDecision =
  | { readonly kind: 'grant'; readonly outcome: 'acquired' | 'reclaimed'; readonly previous: PreviousLease | null }
  /** The same start again, its answer was lost: the same token with what remains. */
  | { readonly kind: 'replay' }
  /** The same start again, passed by already: the same answer, no second row. */
  | { readonly kind: 'replay_bypass' }
  | { readonly kind: 'skip'; readonly reason: SkipReason }
  /** The holder's system is to be asked before this is decided. Nothing is written. */
  | { readonly kind: 'probe_first' }
  /** The holder is alive: its lease goes on until then, and the start is skipped as `held`. */
  | { readonly kind: 'extend'; readonly leaseUntil: number; readonly detail: string }
  /** The slot has been run to success. */
  | { readonly kind: 'already_ran'; readonly slot: SlotState }
  | { readonly kind: 'bypass'; readonly reason: string };

/**
 * Decides a start from the locked row, the row of the same start if it was seen before (same run id
 * **and** same holder), the slot that it names, and the store's clock read after the row was locked.
 *
 * Order matters: a repeated start is answered before anything else, because its answer may have been
 * lost; a slot that is done needs no lock to say so; a drain comes before expiry, because a forced
 * release must not be overtaken by a renewal; and only a start that meets a holder asks after its health.
 */
export function decideAcquire(
  lock: LockState,
  seen: RunState | null,
  slot: SlotState | null,
  request: StartRequest,
  now: number,
): AcquireDecision {
  if (seen !== null && hasProceeded(seen.outcome)) return decideRepeat(lock, seen, now);
  if (request.bypassReason !== null) return { kind: 'bypass', reason: request.bypassReason };
  if (slot?.isDone === true && !request.again) return { kind: 'already_ran', slot };
  if (lock.pausedAt !== null) return { kind: 'skip', reason: 'paused' };
  if (isTaken(lock, now)) return decideTaken(lock, request, now);
  if (lock.freeAt !== null && lock.freeAt > now) return { kind: 'skip', reason: 'cooling' };
  if (lock.drainUntil !== null) return { kind: 'grant', outcome: 'reclaimed', previous: previousLease(lock, now) };
  return { kind: 'grant', outcome: 'acquired', previous: null };
}

function decideRepeat(lock: LockState, seen: RunState, now: number): AcquireDecision {
  if (seen.outcome === 'bypassed') return { kind: 'replay_bypass' };
  const isCurrent = seen.token !== null && lock.token === seen.token;
  if (!isCurrent || isExpired(lock, now)) return { kind: 'skip', reason: 'run_ended' };
  if (lock.drainUntil !== null) return { kind: 'skip', reason: isDraining(lock, now) ? 'draining' : 'run_ended' };
  return { kind: 'replay' };
}

/** True where a holder is in the way, be it with a stale lease or one that drains. */
function isTaken(lock: LockState, now: number): boolean {
  return lock.token !== null && (lock.drainUntil === null || isDraining(lock, now));
}

function decideTaken(lock: LockState, request: StartRequest, now: number): AcquireDecision {
  const { probes = [], evidence = null } = request;
  const weight = weighEvidence(lock, { probes, evidence }, now);
  if (weight.kind === 'probe_first' || weight.kind === 'extend') return weight;
  const previous = { ...previousLease(lock, now), probe: weight.probe };
  if (weight.kind === 'ended') return { kind: 'grant', outcome: 'reclaimed', previous };
  if (isDraining(lock, now)) return { kind: 'skip', reason: 'draining' };
  if (!isExpired(lock, now)) return { kind: 'skip', reason: 'held' };
  if (request.onStale === 'hold') return { kind: 'skip', reason: 'hold' };
  return { kind: 'grant', outcome: 'reclaimed', previous };
}

/** True for the outcomes that let the work begin. */
export function hasProceeded(outcome: Outcome): boolean {
  return outcome === 'acquired' || outcome === 'reclaimed' || outcome === 'bypassed';
}

/** What the next holder is told of the lease it took over. */
export function previousLease(lock: LockState, now: number): PreviousLease {
  return {
    holder: lock.holder,
    runId: lock.runId,
    since: lock.since === null ? null : new Date(lock.since),
    ageMs: ageMs(lock.since, now),
    renewedAt: lock.renewedAt === null ? null : new Date(lock.renewedAt),
    progress: lock.progress,
    probe: null,
  };
}
