import type { ForceReleaseOutcome, LossReason, ReleaseOutcome } from './give-back.ts';
import type { HolderInfo } from './lock-state.ts';
import type { PreviousLease, SkipReason } from './run.ts';

/** What every answer to a start carries. Callers test `proceed`, never the outcome's name. */
interface StartAnswer {
  readonly lock: string;
  readonly runId: string;
  readonly slotAt: Date | null;
  readonly skipsInRow: number;
  /** Planned slots since the last success, whatever became of them. */
  readonly missed: readonly Date[];
  /** One sentence for people. */
  readonly message: string;
}

/** What a start gets that holds the lock. */
interface GrantedLease extends StartAnswer {
  readonly proceed: true;
  /** Random id of this acquisition; renew, release and every verdict present it. A secret: never log it. */
  readonly token: string;
  /** Grows by one with each acquisition of this lock. */
  readonly fence: number;
  /** On the store's clock. */
  readonly leaseUntil: Date;
  /** What was left of the lease when the store answered, in ms. */
  readonly remainingMs: number;
}

/** The lock was free, released, or past the `freeAt` of its last release: begin. */
export interface AcquiredAnswer extends GrantedLease {
  readonly outcome: 'acquired';
}

/** The lock was taken from a run that never gave it back, by expiry or by force: begin. */
export interface ReclaimedAnswer extends GrantedLease {
  readonly outcome: 'reclaimed';
  /** The lease that was taken over. Its run may still be alive. */
  readonly previous: PreviousLease;
}

/** Who holds the lock that a start met. */
export interface CurrentLease {
  readonly holder: string | null;
  readonly runId: string | null;
  readonly since: Date | null;
  readonly ageMs: number | null;
  /** 0 once the lease has ended; null where it has no end. */
  readonly remainingMs: number | null;
}

/** This start does not begin, for the reason given. */
export interface SkippedAnswer extends StartAnswer {
  readonly outcome: 'skipped';
  readonly proceed: false;
  readonly reason: SkipReason;
  readonly current: CurrentLease;
}

/** The run that has done this slot already; null for what a row written by hand does not say. */
export interface EarlierRun {
  readonly runId: string | null;
  readonly holder: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** The slot of this start ran to success already: nothing to do. */
export interface AlreadyRanAnswer extends StartAnswer {
  readonly outcome: 'already_ran';
  readonly proceed: false;
  readonly earlier: EarlierRun;
}

/** The lock was passed by on purpose: begin, holding nothing. */
export interface BypassedAnswer extends StartAnswer {
  readonly outcome: 'bypassed';
  readonly proceed: true;
  readonly reason: string;
}

/** The answer to a start: exactly one of five outcomes. */
export type AcquireAnswer = AcquiredAnswer | ReclaimedAnswer | SkippedAnswer | AlreadyRanAnswer | BypassedAnswer;

/** The lease lasts from now on as long as it was given for. */
export interface RenewedAnswer {
  readonly outcome: 'renewed';
  readonly lock: string;
  readonly runId: string | null;
  readonly leaseUntil: Date;
  readonly remainingMs: number;
  readonly message: string;
}

/** The lease is gone, and stays gone: stop. */
export interface LostAnswer {
  readonly outcome: 'lost';
  readonly lock: string;
  readonly runId: string | null;
  readonly reason: LossReason;
  readonly message: string;
}

/** The answer to a renewal. */
export type RenewAnswer = RenewedAnswer | LostAnswer;

/** The answer to a release. */
export interface ReleaseAnswer {
  readonly outcome: ReleaseOutcome;
  readonly lock: string;
  readonly runId: string | null;
  readonly message: string;
}

/** What became of a lock that was taken from its holder. */
export interface ForceReleaseAnswer {
  readonly outcome: ForceReleaseOutcome;
  readonly lock: string;
  /** Run and holder that the lock was taken from, or whose pause was ended; null where it was free. */
  readonly runId: string | null;
  readonly holder: string | null;
  /** The instant from which the next start may have the lock; null where it was free. */
  readonly freeAt: Date | null;
  readonly message: string;
}

/** Whether new starts are stopped now, and whether this call changed that. */
export interface PauseAnswer {
  readonly outcome: 'paused' | 'resumed' | 'already_paused' | 'not_paused';
  readonly lock: string;
  readonly message: string;
}

/** `free`, `cooling` (before `freeAt`), `held`, `draining` (force-released, holder not gone yet) or `stale`. */
export type LockStateName = 'free' | 'cooling' | 'held' | 'draining' | 'stale';

/** One lock as it stands, by the clock of the store. */
export interface LockStatus {
  readonly lock: string;
  readonly state: LockStateName;
  readonly holder: string | null;
  readonly holderInfo: HolderInfo | null;
  readonly since: Date | null;
  readonly ageMs: number | null;
  readonly usualMs: number | null;
  readonly leaseUntil: Date | null;
  readonly remainingMs: number | null;
  readonly skipsInRow: number;
  readonly lastSuccessAt: Date | null;
  readonly nextSlotAt: Date | null;
  readonly paused: boolean;
}

/** The kinds of events of locks and records (design §11); the list grows with the parts. */
export type EventKind =
  | 'run.skipped'
  | 'run.skip_streak'
  | 'run.already_ran'
  | 'run.bypassed'
  | 'run.none_in_interval'
  | 'lease.reclaimed'
  | 'lease.extended'
  | 'lease.lost'
  | 'lease.near_end'
  | 'release.refused'
  | 'lock.force_released'
  | 'lock.paused'
  | 'lock.resumed'
  | 'clock.fault'
  | 'record.requeued'
  | 'record.review'
  | 'verdict.refused'
  | 'verdict.evidence'
  | 'effect.doubled'
  | 'settings.changed'
  | 'alert.dead'
  | 'store.unreachable'
  | 'alert.test';

/** How loudly an event is to be told. */
export type Severity = 'info' | 'warning' | 'critical';

/** One row of the append-only events table. */
export interface LeaseholdEvent {
  readonly eventId: number;
  readonly at: Date;
  readonly kind: EventKind;
  readonly severity: Severity;
  readonly lock: string | null;
  /** Of an event of a pool or of one of its records. */
  readonly pool: string | null;
  /** The id of the record; its version is in `data`. */
  readonly recordId: string | null;
  readonly runId: string | null;
  readonly holder: string | null;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}
