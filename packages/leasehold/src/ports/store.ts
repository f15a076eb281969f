import type {
  AcquireAnswer,
  ForceReleaseAnswer,
  LeaseholdEvent,
  LockStatus,
  PauseAnswer,
  ReleaseAnswer,
  RenewAnswer,
} from '../domain/answers.ts';
import type { ProbeFirstAnswer, Probing } from '../domain/evidence.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import type { Retention } from '../domain/retention.ts';
import type { Run, RunStatus } from '../domain/run.ts';
import type { StartPlan } from '../domain/start-plan.ts';
import type { ScheduleSpec } from './schedule.ts';
import type { InspectableStore } from './store-facts.ts';
import type { AlertStore } from './alert-store.ts';
import type { RecordStore } from './record-store.ts';

/**
 * The port that both engines fill. The conformance suite of `leasehold/testing` is its definition.
 *
 * Identity: a lock by name, an acquisition by token, a start by run id and holder.
 * Clock: the store's, and only that; callers send durations (and slots, which are nominal).
 * Crash: each method is one transaction. A caller that got no answer repeats the call: `acquire`
 * with the same run id and holder, `renew` and `release` with the same token are safe to repeat.
 * Refusals are values. Methods throw LeaseholdError with STORE_UNREACHABLE (nothing is known of what
 * became of the call), STORE_UNUSABLE, STORE_FORBIDDEN, SCHEMA_MISSING, SCHEMA_NEWER, or INVALID_ARGUMENT.
 *
 * Arguments are checked by the engine before they come here; a store that can be reached without
 * the engine (SQL) checks them again.
 */
export interface Store extends InspectableStore, AlertStore, RecordStore {
  /** The store's URL without credentials, as every message names it. */
  readonly name: string;
  /** How many calls of `work` at a time get more done than one after the other. Default 1. */
  readonly workCallsAtOnce?: number;

  /** Installs or updates the schema; safe when several processes do so at once. Answers what it did. */
  migrate(options?: MigrateOptions): Promise<MigrationReport>;

  acquire(request: AcquireRequest, call?: CallOptions): Promise<AcquireAnswer>;
  /**
   * The same, of a caller that can ask after a holder: where the start meets one whose `holderInfo.probe` it
   * can ask, the store answers `probe_first` until it is brought evidence of that very lease.
   */
  acquireOrProbe(request: ProbingRequest, call?: CallOptions): Promise<AcquireAnswer | ProbeFirstAnswer>;
  renew(request: RenewRequest, call?: CallOptions): Promise<RenewAnswer>;
  release(request: ReleaseRequest, call?: CallOptions): Promise<ReleaseAnswer>;
  /** True while the token holds a live lease that nobody has force-released. */
  isHolder(lock: string, token: string, call?: CallOptions): Promise<boolean>;
  forceRelease(request: ForceReleaseRequest, call?: CallOptions): Promise<ForceReleaseAnswer>;

  /** Stops new starts of a lock without touching the one under way; an unknown lock gets its row. */
  pause(request: PauseRequest, call?: CallOptions): Promise<PauseAnswer>;
  resume(request: ResumeRequest, call?: CallOptions): Promise<PauseAnswer>;

  /** What a lock remembers from one run to the next; nulls for one that no start has touched. */
  marks(lock: string, call?: CallOptions): Promise<LockMarks>;

  /** One lock, or all in the order of their names; empty for a lock that no start has touched. */
  status(query: StatusQuery): Promise<StoredStatus[]>;
  /** Newest first. */
  runs(query: RunsQuery): Promise<Run[]>;
  /** Newest first. */
  events(query: EventsQuery): Promise<LeaseholdEvent[]>;

  /**
   * Tells, once each, of locks with no run in three intervals of their schedule, and of leases past 50 % and 80 %
   * without a renewal. At most 100 locks a call; a call without an answer is repeated, and tells nothing twice.
   */
  watch(call?: CallOptions): Promise<WatchReport>;
  /** Takes old runs and events in one bounded batch, unless it did so less than `everyMs` ago. What nobody may forget stays. */
  prune(request: PruneRequest, call?: CallOptions): Promise<PruneReport>;

  /** Gives all connections and handles back. Safe to call twice. */
  close(): Promise<void>;
}

/** How long a call may take before it ends in STORE_UNREACHABLE, in ms; default 5,000 (design §11: min(5 s, lease / 5)). */
export interface CallOptions {
  readonly timeoutMs?: number;
}

export interface AcquireRequest {
  readonly lock: string;
  readonly leaseMs: number;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  /** Always set, by the caller or by the engine: it makes the call repeatable. */
  readonly runId: string;
  readonly slotAt: Date | null;
  readonly onStale: 'reclaim' | 'hold';
  readonly again: boolean;
  readonly trigger: string | null;
  /** How long this holder may go on after it was told that it lost the lock. */
  readonly graceMs: number;
  /** True while the caller will ask again for this same start: a skip is then stored but not yet counted or told. */
  readonly waiting: boolean;
  /** Pass the lock by, for this reason; null for an ordinary start. */
  readonly bypassReason: string | null;
  /** When such starts are planned; null where nobody said. Kept with the lock. */
  readonly plan: StartPlan | null;
}

/** A start with what its caller can ask, and what it was told. */
export interface ProbingRequest extends AcquireRequest, Probing {}

export interface RenewRequest {
  readonly lock: string;
  readonly token: string;
  /** Null: as long as the lease was before. */
  readonly leaseMs: number | null;
  /** Null: keep what was said before. */
  readonly progress: string | null;
  /** Replaces what was known of the holder, on the lock and on its run. Null: keep it. */
  readonly holderInfo: HolderInfo | null;
}

export interface ReleaseRequest {
  readonly lock: string;
  readonly token: string;
  readonly status: RunStatus | null;
  /** Free the lock only after this many ms; 0 for at once. */
  readonly afterMs: number;
  /**
   * Why this holder had given its lease up before, in words: 1 to 1,024 bytes, without a full stop. It is told as a lost
   * lease, once a run, whatever the release comes to. Null for an ordinary release.
   */
  readonly lost: string | null;
}

export interface ForceReleaseRequest {
  readonly lock: string;
  readonly reason: string;
  /** Free it now instead of letting the holder drain. */
  readonly atOnce: boolean;
}

export interface PauseRequest {
  readonly lock: string;
  /** Null where none was given. */
  readonly reason: string | null;
}

export interface ResumeRequest {
  readonly lock: string;
}

/** What a lock remembers from one run to the next. */
export interface LockMarks {
  /** The latest slot that ran to success; null before the first. */
  readonly lastSuccessSlotAt: Date | null;
  /** What its latest run said last of how far it is; null where it said nothing. */
  readonly progress: string | null;
}

/** Which locks to show, at most `limit` of them (1 to 1,000). */
export interface StatusQuery {
  readonly lock: string | null;
  readonly limit: number;
}

/** A lock's status, and the schedule that its `nextSlotAt` came from: by the store's clock and the latest start only. */
export interface StoredStatus extends LockStatus {
  readonly schedule: ScheduleSpec | null;
}

/** What one look for what nobody asks for came to. */
export interface WatchReport {
  /** Events written. */
  readonly raised: number;
  /** False where more locks may be waiting: call again. */
  readonly isComplete: boolean;
}

/** What may go: at most `limit` (1 to 10,000) runs and as many events. */
export interface PruneRequest extends Retention {
  readonly everyMs: number;
  readonly limit: number;
}

/** What one batch of retention came to. */
export interface PruneReport {
  /** False where it was done less than `everyMs` ago, or is being done by another. */
  readonly isDue: boolean;
  /** How many rows went. */
  readonly runs: number;
  readonly events: number;
  /** False where there is more to do: call again. */
  readonly isComplete: boolean;
}

/** Which starts to show, newest first; null for any. */
export interface RunsQuery {
  readonly lock: string | null;
  readonly runId: string | null;
  readonly limit: number;
}

/** Which events to show, newest first; null for any. */
export interface EventsQuery {
  readonly lock: string | null;
  /** Of a pool; left out for any. */
  readonly pool?: string | null;
  readonly kind: string | null;
  readonly limit: number;
}

/** What else an installation is to do. */
export interface MigrateOptions {
  /** PostgreSQL: the role to give USAGE on the schema and EXECUTE on its functions to. */
  readonly grantTo?: string;
}

/** What an installation found and left: schema versions. */
export interface MigrationReport {
  /** Schema version before; 0 where there was none. */
  readonly from: number;
  readonly to: number;
}
