/**
 * Leasehold, as a library. Importing this loads no database driver and no other package; a store's
 * driver is loaded when that store is opened.
 */
export { openLeasehold } from './open-leasehold.ts';
export type { OpenOptions } from './open-leasehold.ts';
export { isLeaseholdError, LeaseholdError } from './errors.ts';
export type { LeaseholdErrorCode } from './errors.ts';
/** `parseDuration('40m')` for a lease that a person wrote; everything here takes milliseconds. */
export { parseDuration } from './domain/duration.ts';

export type {
  AcquireOptions,
  AdviseOptions,
  Leasehold,
  Lock,
  ReleaseOptions,
  RenewOptions,
  RunResult,
  ScheduleOptions,
  Start,
  StartHandle,
} from './engine/api.ts';
export type {
  EnqueueOptions,
  EnqueueReport,
  Pool,
  PoolChange,
  RecordListQuery,
  ReviewOptions,
  SweepOptions,
  SweepReport,
  VerdictOptions,
} from './engine/records/api.ts';
export type {
  Claim,
  ClaimedRecord,
  ClaimHandle,
  ClaimOptions,
  InvalidRecord,
  Offer,
  Offers,
  RefusedOffer,
} from './engine/records/claim-api.ts';
export type { DeliverOptions, PruneOptions, UpkeepOptions } from './engine/duty-options.ts';
export type { Advice, AdviceSample } from './domain/advise.ts';
export type {
  AcquireAnswer,
  AcquiredAnswer,
  AlreadyRanAnswer,
  BypassedAnswer,
  CurrentLease,
  EarlierRun,
  EventKind,
  ForceReleaseAnswer,
  LeaseholdEvent,
  LockStateName,
  LockStatus,
  LostAnswer,
  PauseAnswer,
  ReclaimedAnswer,
  ReleaseAnswer,
  RenewAnswer,
  RenewedAnswer,
  Severity,
  SkippedAnswer,
} from './domain/answers.ts';
export type { PoolAdvice, WorkedSample } from './domain/records/advise-pool.ts';
export type { LookupAnswer } from './domain/records/lookup.ts';
export type {
  BeginAnswer,
  BeginRefusal,
  ExtendAnswer,
  LiveClaim,
  PoolSettings,
  PoolStatus,
  RecordKey,
  RecordRow,
  RecordState,
  Redo,
  RefusalReason,
  RefusedRecord,
  ReturnAnswer,
  SettledCounts,
  Verdict,
  VerdictAnswer,
  VerdictRefusal,
} from './domain/records/record.ts';
export type { ForceReleaseOutcome, LossReason, ReleaseOutcome } from './domain/give-back.ts';
export type { ProbeState, ProbeVerdict } from './domain/evidence.ts';
export type { HttpProbeOptions, N8nProbeOptions, ProbeSettings } from './domain/probe-spec.ts';
export type { HolderInfo } from './domain/lock-state.ts';
export type { Outcome, PreviousLease, Run, RunStatus, SkipReason } from './domain/run.ts';
export type {
  ClockFacts,
  OldTransactionFacts,
  PoolerFacts,
  PostgresFacts,
  PostgresSetting,
  RightsFacts,
  SchemaFacts,
  SqliteFacts,
  StandbyFacts,
  StoreFacts,
  StoreFileFacts,
} from './domain/store-facts.ts';
export type { Alert, AlertFilter } from './domain/alert.ts';
export type { ChannelOptions } from './domain/channel-spec.ts';
export type { DeliveryReport } from './engine/deliver.ts';
export type { AlertCounts } from './ports/alert-store.ts';
export type { Channel, ChannelMessage, SendAnswer } from './ports/channel.ts';
export type { Logger } from './ports/logger.ts';
export type { ChangePoolAnswer, EnqueueAnswer, ReviewAnswer } from './ports/record-store.ts';
export type { AskedEffect, Verifier } from './ports/verifier.ts';
export type { Probe, ProbeSubject, ProbeSystem } from './ports/probe.ts';
export type {
  EventsQuery,
  MigrateOptions,
  MigrationReport,
  PruneReport,
  RunsQuery,
  StatusQuery,
  WatchReport,
} from './ports/store.ts';
