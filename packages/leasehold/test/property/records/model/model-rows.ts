/** What the model of records remembers. Written from the contract alone: it shares nothing with the code under test. */

export type State = 'queued' | 'claimed' | 'done' | 'failed' | 'review' | 'cancelled';
export type Word = 'done' | 'failed' | 'failed_permanent' | 'unknown' | 'review';

export interface ModelClaim {
  readonly claimId: string;
  readonly holder: string;
  readonly isExplicit: boolean;
  /** The process that claimed; a number for what the store keeps of it. */
  readonly process: number;
  /** Another process may have its token: no end of the one that claimed proves anything. */
  isShared: boolean;
  /** Of the store's answer; null for a claim that owned nothing. */
  token: string | null;
  leaseMs: number;
  until: number;
  endedAt: number | null;
}

/** Instants in ms since the sequence began. */
export interface ModelRecord {
  readonly id: string;
  readonly version: string;
  state: State;
  attempt: number;
  forgiven: number;
  idle: number;
  claim: ModelClaim | null;
  claimedAt: number | null;
  isBegun: boolean;
  begunAt: number | null;
  firstBegunAt: number | null;
  unknownAt: number | null;
  askedAt: number | null;
  askSince: number | null;
  sendBefore: number | null;
  notBefore: number | null;
  /** An older version must be settled first. */
  waits: boolean;
  hasNewer: boolean;
  ref: string | null;
  /** What a former owner's done named while another worked it; stays when a person decides against it. */
  evidenceRef: string | null;
  /** Since when that waits for the other one's word. */
  evidenceAt: number | null;
  /** True where it says what went wrong, or why a person must look. */
  hasError: boolean;
  said: Word | null;
  /** Claims that had it, with what each said last. */
  readonly formers: Map<ModelClaim, Word | null>;
  /** What a claim's latest `done` named that was told as evidence or as a second effect: it is told once. */
  readonly toldDone: Map<ModelClaim, string | null>;
  /** What a claim said last of a record that was settled without it: it is told once. */
  readonly toldRefused: Map<ModelClaim, string>;
}

export interface ModelSettings {
  redo: 'ask' | 'safe';
  redoWindowMs: number | null;
  attempts: number;
  callTimeoutMs: number;
  hasVerifier: boolean;
}

export interface Key {
  readonly id: string;
  readonly version: string;
}

export const nameOf = ({ id, version }: Key): string => (version === '' ? id : `${id}/${version}`);

/** Two references name two effects; one that names none may be of the same. */
export function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}

export function newRecord({ id, version }: Key, notBefore: number | null): ModelRecord {
  return {
    id,
    version,
    state: 'queued',
    attempt: 0,
    forgiven: 0,
    idle: 0,
    claim: null,
    claimedAt: null,
    isBegun: false,
    begunAt: null,
    firstBegunAt: null,
    unknownAt: null,
    askedAt: null,
    askSince: null,
    sendBefore: null,
    notBefore,
    waits: false,
    hasNewer: false,
    ref: null,
    evidenceRef: null,
    evidenceAt: null,
    hasError: false,
    said: null,
    formers: new Map(),
    toldDone: new Map(),
    toldRefused: new Map(),
  };
}

/** What one step is to tell. */
export class Told {
  readonly expected: string[] = [];

  requeued(record: ModelRecord, reason: string): void {
    this.expected.push(`record.requeued ${nameOf(record)} ${reason}`);
  }

  review(record: ModelRecord, reason: string): void {
    this.expected.push(`record.review ${nameOf(record)} ${reason}`);
  }
}
