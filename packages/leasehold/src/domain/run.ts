import type { HolderInfo } from './lock-state.ts';

/** The one outcome of a start (design §5). */
export type Outcome = 'acquired' | 'reclaimed' | 'skipped' | 'already_ran' | 'bypassed';

/** Why a start was skipped. Only `held` means "previous run still running" and counts in `skipsInRow`. */
export type SkipReason = 'held' | 'paused' | 'hold' | 'draining' | 'cooling' | 'contended' | 'run_ended';

/** What a release says of the run. None means: freed, and the slot isn't counted. */
export type RunStatus = 'success' | 'failure';

/** The lease that a reclaim took over: what is known of a run that may still be alive. */
export interface PreviousLease {
  readonly holder: string | null;
  readonly runId: string | null;
  readonly since: Date | null;
  /** Since its acquisition; null if unknown, never 0, negative or NaN. */
  readonly ageMs: number | null;
  readonly renewedAt: Date | null;
  readonly progress: string | null;
  /** What a probe said of the holder, null where none was asked. */
  readonly probe: string | null;
}

/** One attempt to start, whatever came of it: a row of the runs table. */
export interface Run {
  readonly runId: string;
  readonly lock: string;
  readonly outcome: Outcome;
  /** A SkipReason of a skip, the reason given for a bypass, else null. */
  readonly reason: string | null;
  readonly slotAt: Date | null;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  readonly trigger: string | null;
  readonly fence: number | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly status: RunStatus | null;
  readonly leaseMs: number | null;
  readonly renewedAt: Date | null;
  /** Age of the lease that this start met: of the current one for a skip, of the previous one for a reclaim. */
  readonly ageMs: number | null;
  readonly previousRunId: string | null;
  readonly message: string;
}

/** What a decision needs to know of the start that presents a run id, or of the run that owns a token. */
export interface RunState {
  readonly runId: string;
  readonly holder: string;
  readonly outcome: Outcome;
  readonly token: string | null;
  readonly fence: number | null;
  readonly endedAt: number | null;
  /** When another start took its lease over; null while nobody has. */
  readonly lostAt: number | null;
}

/** True where a start met a stale lease and left it to a person. What it met may have changed since. */
export function isOnHold(run: Run | null): run is Run {
  return run?.outcome === 'skipped' && run.reason === 'hold';
}
