import type { Finding } from './finding.ts';

/** The report as `leasehold audit --json` prints it (design §9): these names are a contract. Durations in ms. */
export interface AuditReport {
  readonly workflows: readonly AuditedWorkflow[];
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
}

export interface AuditedWorkflow {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  /** Null where nothing tells, and where what does contradicts itself: marked inactive, and running. */
  readonly state: 'on' | 'off' | 'archived' | null;
  readonly history: AuditedHistory;
  /** Null where there is none. */
  readonly schedule: AuditedSchedule | null;
  readonly paths: readonly AuditedPath[];
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly advice: AuditedAdvice;
}

export interface AuditedHistory {
  /** All rows that were found. */
  readonly runs: number;
  /** Those that count: ended, of a trigger, with a clock that can be believed. */
  readonly used: number;
  readonly excluded: readonly { readonly runId: string; readonly reason: ExclusionReason }[];
  /** Runs whose start falls before an earlier run's end. */
  readonly overlaps: number;
  /** The same among the newest hundred that count. */
  readonly overlapsLast100: number;
  readonly maxConcurrent: number;
  /** By the nearest rank; null without a run that counts. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly slowestMs: number | null;
}

export type ExclusionReason = 'clock' | 'no-start' | 'open' | 'waiting' | 'manual' | 'sub-workflow' | 'retry';

export interface AuditedSchedule {
  readonly kind: string;
  readonly expressions: readonly string[];
  readonly timezone: string | null;
  /** Null where no rule can be planned, or it fires at most once. */
  readonly minGapMs: number | null;
  readonly maxGapMs: number | null;
  readonly assumes: readonly string[];
}

export interface AuditedPath {
  readonly read: string;
  readonly firstWrite: string | null;
  readonly steps: number | null;
  readonly effectBeforeMark: boolean;
}

export interface AuditedAdvice {
  readonly leaseMs: number | null;
  readonly claimMs: number | null;
  readonly batchSize: number | null;
  /** Nodes that wait as long as only the run knows: the lease has to be longer by that. Left out where there are none, or runs show it. */
  readonly unknownWaits?: readonly string[];
}
