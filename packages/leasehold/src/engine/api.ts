import type { Advice } from '../domain/advise.ts';
import type {
  AcquireAnswer,
  ForceReleaseAnswer,
  LeaseholdEvent,
  LockStatus,
  PauseAnswer,
  ReleaseAnswer,
  RenewAnswer,
} from '../domain/answers.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import type { PoolStatus } from '../domain/records/record.ts';
import type { Run, RunStatus } from '../domain/run.ts';
import type { StoreFacts } from '../domain/store-facts.ts';
import type {
  EventsQuery,
  MigrateOptions,
  MigrationReport,
  PruneReport,
  RunsQuery,
  StatusQuery,
  WatchReport,
} from '../ports/store.ts';
import type { AlertCounts } from '../ports/alert-store.ts';
import type { DeliveryReport } from './deliver.ts';
import type { DeliverOptions, PruneOptions, UpkeepOptions } from './duty-options.ts';
import type { Pool } from './records/api.ts';

/** One store, opened. `await using leasehold = await openLeasehold(url)` closes it on every path. */
export interface Leasehold extends AsyncDisposable {
  /** The store's URL without credentials. */
  readonly store: string;
  /** The lock of that name. Throws INVALID_ARGUMENT for a name outside the limits. Touches no store. */
  lock(name: string): Lock;
  /** The pool of that name. Throws INVALID_ARGUMENT for a name outside the limits. Touches no store. */
  pool(name: string): Pool;
  /** All pools in the order of their names. Default limit 100, at most 1,000. */
  pools(query?: { readonly limit?: number }): Promise<PoolStatus[]>;
  /** One lock, or all by name. Default limit 100, at most 1,000. */
  status(query?: Partial<StatusQuery>): Promise<LockStatus[]>;
  /** Starts, newest first. Default limit 100, at most 1,000. */
  runs(query?: Partial<RunsQuery>): Promise<Run[]>;
  /** Events, newest first. Default limit 100, at most 1,000. */
  events(query?: Partial<EventsQuery>): Promise<LeaseholdEvent[]>;
  /**
   * Tells as events, once each, what nobody asks for: `run.none_in_interval` where three planned starts went by
   * without a run that got through, `lease.near_end` where a lease is past 50 % or 80 % without a renewal. To be
   * called every minute or so by whatever runs all the time, and by each short process at its end. Up to 1,000
   * locks a call. Throws STORE_UNREACHABLE; what was told before it stays told.
   */
  watch(options?: UpkeepOptions): Promise<WatchReport>;
  /**
   * Takes old runs and events, unless that was done within the last hour by anybody; see `domain/retention.ts` for what
   * stays. Up to ten batches of 1,000 rows a call; the next call goes on where this one, or a crash, stopped.
   * Throws INVALID_ARGUMENT for less than a day or more than 100 years, STORE_UNREACHABLE.
   */
  prune(options?: PruneOptions): Promise<PruneReport>;
  /**
   * Sends the alerts that are due through the channels that this Leasehold was opened with; without any it does nothing.
   * At least once each: after a crash in between, one comes again with the same id. Throws STORE_UNREACHABLE.
   */
  deliverAlerts(options?: DeliverOptions): Promise<DeliveryReport>;
  /** How many alerts are pending and dead, and how many of the pending ones fail, and why. */
  alertCounts(): Promise<AlertCounts>;
  /** Installs or updates the schema. The embedded store has done so by itself when it was opened. */
  migrate(options?: MigrateOptions): Promise<MigrationReport>;
  /**
   * What the store says of itself, for `leasehold doctor`: no secret, no judgement. Writes nothing, and works
   * without a schema where it was opened with `expectSchema: false`.
   */
  inspect(): Promise<StoreFacts>;
  /** Waits for verdicts that are on their way, 60 s at most, and closes the store. Repeatable. */
  close(): Promise<void>;
}

/** How a start asks for its lock. Every value is checked before the store hears of it (INVALID_ARGUMENT). */
export interface AcquireOptions {
  /** How long the lease lasts unless renewed: 1 s to 31 days. */
  readonly leaseMs: number;
  /** Who starts: 1 to 1,024 bytes. Default `host:pid`. */
  readonly holder?: string;
  /**
   * What else is known of the holder. Default: this process; for `run` in a way that a probe can ask after it,
   * so that its lock is free as soon as it is proven to have ended. `probe` names the system that can be
   * asked after a holder of your own: `n8n` (with `executionId`) or `http`.
   */
  readonly holderInfo?: HolderInfo;
  /** Makes the start repeatable after a lost answer. Default: a new random id. */
  readonly runId?: string;
  /** The nominal instant that this start was scheduled for. Default: what `schedule` says, else none. */
  readonly slotAt?: Date;
  /**
   * When such starts are planned. Gives the slot where `slotAt` doesn't: the next planned instant if it is
   * closer than the smaller of 30 s and a tenth of the gap, else the latest one, by this host's wall clock.
   * A start that proceeds finds the planned instants since the last success in `missed`, also those that
   * no start has named. Kept with the lock: `status` tells the next slot, and `watch` that no run gets through.
   */
  readonly schedule?: ScheduleOptions;
  /** What to do while another run holds the lock: `skip` (default), or wait up to that many ms. */
  readonly onBusy?: 'skip' | { readonly waitMs: number };
  /** What to do with a stale lease: `reclaim` (default), or `hold`: skip and leave it to a person. */
  readonly onStale?: 'reclaim' | 'hold';
  /** What started the run: `schedule`, `manual`, `webhook` … */
  readonly trigger?: string;
  /** How long this run may go on after it was told that its lock is lost; default half the safety margin. */
  readonly graceMs?: number;
  /** A manual rerun of a slot that is done. */
  readonly again?: boolean;
  /** Pass the lock by, for this reason. Holds nothing. */
  readonly bypass?: { readonly reason: string };
  /** `heartbeat` (default) renews by itself until release; `touch` renews only when `renew` is called. */
  readonly renewal?: 'heartbeat' | 'touch';
  /**
   * Asked before each renewal of the heartbeat: null to renew, or why not, in a few words. While it says
   * why not, nothing is renewed and the lease runs out; `signal` then fires with that reason. Must not
   * throw; if it does, that is logged and the lease is renewed. No probe extends a lease that has it.
   */
  readonly withholdRenewal?: () => string | null;
  /**
   * Ends a wait early: `acquire` then throws the signal's reason. What is recorded of the start is the
   * skip it met last. A lock granted in the same moment is handed out all the same.
   */
  readonly signal?: AbortSignal;
}

/** A schedule: a cron expression in a time zone. */
export interface ScheduleOptions {
  /** Five cron fields, six with seconds first, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  readonly expression: string;
  /** An IANA name. Default: the zone of this process (`TZ`, else the host's). */
  readonly timezone?: string;
}

/** What beside its history the advice for a lock may hang on. */
export interface AdviseOptions {
  /** How the lock is renewed: `heartbeat` (default; the library and `run`) or `touch` (SQL steps). */
  readonly renewal?: 'heartbeat' | 'touch';
  /** When starts are planned; its smallest gap counts. */
  readonly schedule?: ScheduleOptions;
}

/** A start: the answer, and the handle of what was acquired. Single use. */
export type Start = AcquireAnswer & StartHandle;

/** What a start does with the lock it got. A crash leaves the lease, which ends by itself. */
export interface StartHandle extends AsyncDisposable {
  /**
   * Fires a safety margin before the trust window closes, or as soon as the store says `lost`; its
   * reason is a LeaseholdError LEASE_LOST. Final, even if a later renewal gets through. Never fires
   * after a release, or for a start that holds nothing.
   */
  readonly signal: AbortSignal;
  /**
   * What is left of the trust window now, in ms; 0 once it has closed, after a release, and for a
   * start that holds nothing. (The answer's `remainingMs` is what the store said at the grant.)
   */
  trustRemainingMs(): number;
  /** Renews now. Answers `lost` without asking the store where nothing is held. Throws STORE_UNREACHABLE. */
  renew(options?: RenewOptions): Promise<RenewAnswer>;
  /**
   * Ends the heartbeat and gives the lock back. Repeatable: a second call gives the first one's answer,
   * unless it brings a status that was missing. While the store can't be reached it is tried again,
   * as long as the lease lasts, but 10 s at least and 60 s at most; then throws STORE_UNREACHABLE, and
   * the lease ends by itself. A start that holds nothing answers `already_free` without asking the store.
   */
  release(options?: ReleaseOptions): Promise<ReleaseAnswer>;
  /** Releases without a status; a store that can't be reached is logged, never thrown over the caller's error. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a renewal says beside that the run is alive; nothing of it is needed. */
export interface RenewOptions {
  /** How far the run is: a note of up to 4,096 bytes. */
  readonly progress?: string;
  /** Replaces what is known of the holder. Where this renewal fails, the next one says it. */
  readonly holderInfo?: HolderInfo;
}

/** What a release says of the run; nothing of it is needed. */
export interface ReleaseOptions {
  readonly status?: RunStatus;
  /** Free the lock only after this many ms: for work that may still be writing. */
  readonly afterMs?: number;
}

/** What `lock.run` gives back: the start, and the work's result where the work was run. */
export type RunResult<T> =
  | { readonly proceed: true; readonly start: Start; readonly result: T; readonly release: ReleaseAnswer | null }
  | { readonly proceed: false; readonly start: Start };

/** One lock of one store, by name: to start under it, and to see and mend it. Keeps nothing in this process. */
export interface Lock {
  readonly name: string;
  /**
   * Asks for the lock. Never throws for a refusal: test `proceed`. Throws INVALID_ARGUMENT before the
   * store hears of it, and STORE_UNREACHABLE where the store did not answer, asked twice: then nothing
   * may start. A crash after it leaves a lease that ends by itself.
   *
   * Renewal does not keep the process alive: a script that has nothing else to do ends, and its lease after it.
   */
  acquire(options: AcquireOptions): Promise<Start>;
  /**
   * Acquires, runs `work`, and releases on every path with `success`, or `failure` if it threw or its
   * promise was rejected. The work's own error is thrown as it is; a release that fails is logged and
   * given back as null, and never hides it.
   *
   * What `work` returns is awaited. Work that it starts and doesn't return goes on without the lock.
   */
  run<T>(options: AcquireOptions, work: (start: Start) => Promise<T> | T): Promise<RunResult<T>>;
  /** Renews by token, from any process. */
  renew(options: {
    readonly token: string;
    readonly leaseMs?: number;
    readonly progress?: string;
    readonly holderInfo?: HolderInfo;
  }): Promise<RenewAnswer>;
  /** Releases by token, from any process. */
  release(options: { readonly token: string } & ReleaseOptions): Promise<ReleaseAnswer>;
  /** True while the token holds a live lease. */
  isHolder(token: string): Promise<boolean>;
  /** Throws NOT_HOLDER unless the token holds a live lease. */
  assertHolder(token: string): Promise<void>;
  /** Takes the lock from its holder: it drains, or with `atOnce` is free now. The next start is `reclaimed`. */
  forceRelease(options: { readonly reason: string; readonly atOnce?: boolean }): Promise<ForceReleaseAnswer>;
  /** Stops new starts, without touching the one under way. Repeatable. */
  pause(options?: { readonly reason?: string }): Promise<PauseAnswer>;
  /** Lets starts in again. Repeatable. */
  resume(): Promise<PauseAnswer>;
  status(): Promise<LockStatus | null>;
  /**
   * How long the lease should be, from the newest 1,000 starts that ran and ended; `leaseMs` is null where
   * neither they nor a schedule say anything. The rules are in `domain/advise.ts`.
   */
  advise(options?: AdviseOptions): Promise<Advice>;
  /** What the run that holds the lock, or the latest one, said last of how far it is; null for nothing. */
  progress(): Promise<string | null>;
}
