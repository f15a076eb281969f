/** What was asked of a store and what it answered: all that the invariants look at. */
import type { LeaseholdEvent } from '../../src/domain/answers.ts';
import type { Run } from '../../src/domain/run.ts';

export type Answer = Readonly<Record<string, unknown>>;

interface Entry {
  readonly lock: string;
  /** Time that had really passed since the beginning, in ms. */
  readonly elapsed: number;
  readonly answer: Answer;
  /** What the store said right after it: the lock's status (null: none yet), … */
  readonly status: Answer | null;
  /** … which of the lock's tokens hold a live lease, … */
  readonly holders: readonly string[];
  /** … and of each run that has ended or has a status, what they are. */
  readonly ends: ReadonlyMap<string, string>;
}

export interface StartEntry extends Entry {
  readonly call: 'start';
  readonly runId: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly waiting: boolean;
  readonly slot: number | null;
  readonly again: boolean;
  /** What fitting evidence it brought. */
  readonly evidence: string | null;
}

export interface TokenEntry extends Entry {
  readonly call: 'renew' | 'release';
  readonly token: string;
  readonly leaseMs: number | null;
  /** What a release says of its run. */
  readonly runStatus: string | null;
}

export interface OtherEntry extends Entry {
  readonly call: 'force' | 'pause' | 'resume';
}

export type HistoryEntry = StartEntry | TokenEntry | OtherEntry;

export interface History {
  /** No clock was ever set back: a lease lasts exactly as long as it was given for. */
  readonly isSteady: boolean;
  readonly entries: readonly HistoryEntry[];
  /** Oldest first. */
  readonly runs: readonly Run[];
  readonly events: readonly LeaseholdEvent[];
}

/** True for a start that got the lock, or passed it by. */
export function proceeds({ outcome }: Answer): boolean {
  return outcome === 'acquired' || outcome === 'reclaimed' || outcome === 'bypassed';
}
