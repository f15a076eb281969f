import { type HolderInfo, isExpired, type LockState } from './lock-state.ts';

/**
 * What a probe's word about a holder does to its lock.
 *
 * Identity: evidence speaks of one lease, by its fence and its end. A lease that was renewed or taken
 * since is another one, and evidence of the one before says nothing of it.
 * Clock: the store's. How long asking took doesn't matter: what no longer fits is not weighed.
 * Crash: evidence is kept nowhere; who was asked in vain is asked again by the next start.
 */

/** What a probe says of a holder. Anything that is not proven is `unknown`, and then the clock decides. */
export type ProbeState = 'alive' | 'ended' | 'unknown';

/** A probe's answer, and in a few words for people what it stands on. */
export interface ProbeVerdict {
  readonly state: ProbeState;
  readonly detail: string;
}

/** A verdict, and the lease that was asked about. */
export interface ProbeEvidence extends ProbeVerdict {
  readonly fence: number;
  /** To the millisecond; null for a lease without an end. */
  readonly leaseUntil: Date | null;
}

/** What a caller can ask, and what it was told. */
export interface Probing {
  /** Names of the systems (`holderInfo.probe`) that the caller can ask; none where the clock is to decide. */
  readonly probes: readonly string[];
  readonly evidence: ProbeEvidence | null;
}

/** Of a caller that can ask nobody. */
export const NO_PROBING: Probing = { probes: [], evidence: null };

/**
 * A store's answer to a start that may not be decided before its holder's system was asked. Nothing was
 * written. Ask the probe, and then the store again, with the evidence.
 */
export interface ProbeFirstAnswer {
  readonly outcome: 'probe_first';
  readonly lock: string;
  /** The lease that the evidence must name. */
  readonly fence: number;
  readonly leaseUntil: Date | null;
  /** 0 once it has ended. */
  readonly remainingMs: number;
  readonly holder: string | null;
  readonly runId: string | null;
  readonly holderInfo: HolderInfo;
}

/** What evidence makes of a start that meets a holder; `by_clock` carries what the probe said, for people. */
export type EvidenceWeight =
  | { readonly kind: 'by_clock'; readonly probe: string | null }
  | { readonly kind: 'probe_first' }
  | { readonly kind: 'ended'; readonly probe: string }
  | { readonly kind: 'extend'; readonly leaseUntil: number; readonly detail: string };

/** A lease is extended to this many of its lengths past the last renewal, and no further. */
const LEASES_MAX = 4;

/**
 * Weighs evidence about the holder of a taken lock. `ended` frees it, `alive` extends a lease that has run
 * out, within bounds. What doesn't fit is as good as none: then the holder's system is asked first, if the
 * caller can, else the clock decides.
 */
export function weighEvidence(lock: LockState, { probes, evidence }: Probing, now: number): EvidenceWeight {
  const system = lock.holderInfo?.['probe'];
  if (typeof system !== 'string') return { kind: 'by_clock', probe: null };
  if (evidence === null || !isAbout(lock, evidence)) {
    return probes.includes(system) ? { kind: 'probe_first' } : { kind: 'by_clock', probe: null };
  }
  const probe = `${evidence.state}: ${evidence.detail}`;
  if (evidence.state === 'ended') return { kind: 'ended', probe };
  const leaseUntil = evidence.state === 'alive' ? extendedEnd(lock, now) : null;
  return leaseUntil === null ? { kind: 'by_clock', probe } : { kind: 'extend', leaseUntil, detail: evidence.detail };
}

/** Compare-and-set: the lease is still the one that was asked about. */
function isAbout(lock: LockState, evidence: ProbeEvidence): boolean {
  return lock.fence === evidence.fence && lock.leaseUntil === (evidence.leaseUntil?.getTime() ?? null);
}

/**
 * Where the lease of a live holder ends now: a lease from now on, at most four past its last renewal; null
 * where it isn't extended. A holder that has stopped renewing on purpose (`extendable: false`), or that was
 * told to go, is alive and is not to stay.
 */
function extendedEnd(lock: LockState, now: number): number | null {
  const { leaseMs, leaseUntil, drainUntil, holderInfo } = lock;
  const renewedAt = lock.renewedAt ?? lock.since;
  if (!isExpired(lock, now) || drainUntil !== null || holderInfo?.['extendable'] === false) return null;
  if (leaseMs === null || leaseUntil === null || renewedAt === null || renewedAt > now) return null;
  const extended = Math.min(now + leaseMs, renewedAt + LEASES_MAX * leaseMs);
  return extended > now ? extended : null;
}
