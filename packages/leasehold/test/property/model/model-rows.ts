/** What the model knows of a start, of a lease and of an ask. Instants and durations in ms, on the model's clock. */

export interface ModelRun {
  readonly runId: string;
  readonly holder: string;
  slot: number | null;
  outcome: string;
  /** Of a skip, or of a bypass. */
  reason: string | null;
  /** 0 for a start that never had the lock. */
  fence: number;
  startedAt: number;
  endedAt: number | null;
  status: string | null;
  leaseMs: number;
  renewedAt: number | null;
  ageMs: number | null;
  previousRunId: string | null;
  previous: ModelPrevious | null;
  /** Another start took its lease before it gave it back. */
  isLost: boolean;
  isLossTold: boolean;
  isTold: boolean;
  isCounted: boolean;
}

export interface ModelLease {
  readonly run: ModelRun;
  readonly since: number;
  readonly graceMs: number;
  /** A probe can be asked of its holder … */
  readonly isProbed: boolean;
  /** … and may extend its lease. */
  readonly isExtendable: boolean;
  leaseMs: number;
  until: number;
  renewedAt: number | null;
  progress: string | null;
}

export interface ModelPrevious {
  readonly holder: string | null;
  readonly runId: string | null;
  readonly since: number | null;
  readonly ageMs: number | null;
  readonly renewedAt: number | null;
  readonly progress: string | null;
  /** The state that a probe told of the holder. */
  readonly probe: string | null;
}

/** What a probe said of the lease that has this fence and this end. */
export interface ModelEvidence {
  readonly fence: number;
  readonly until: number;
  readonly state: 'alive' | 'ended' | 'unknown';
}

export interface ModelAsk {
  readonly runId: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly onStale: 'reclaim' | 'hold';
  readonly waiting: boolean;
  readonly slot: number | null;
  readonly again: boolean;
  readonly bypass: string | null;
  readonly isProbed: boolean;
  readonly isExtendable: boolean;
  /** Who asks can ask a probe. */
  readonly canProbe: boolean;
  readonly evidence: ModelEvidence | null;
}

export interface ModelEvent {
  readonly kind: string;
  readonly runId: string | null;
}

/** What an answer must say; fields that are not named are not the model's business. */
export type Expected = Readonly<Record<string, unknown>>;

export function newRun({ runId, holder }: ModelAsk): ModelRun {
  return {
    runId,
    holder,
    slot: null,
    outcome: '',
    reason: null,
    fence: 0,
    startedAt: 0,
    endedAt: null,
    status: null,
    leaseMs: 0,
    renewedAt: null,
    ageMs: null,
    previousRunId: null,
    previous: null,
    isLost: false,
    isLossTold: false,
    isTold: false,
    isCounted: false,
  };
}

/** At least 1; null where nobody knows, or where the lease seems to begin later than now. */
export function ageOf(since: number | null, now: number): number | null {
  return since === null || since > now ? null : Math.max(1, now - since);
}
