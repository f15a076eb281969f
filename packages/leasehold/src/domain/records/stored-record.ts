import type { RecordKey, RecordState, Redo } from './record.ts';

/** What a token said last of a record. `failed` is a temporary failure, `failed_permanent` a final one. */
export type SpokenVerdict = 'done' | 'failed' | 'failed_permanent' | 'unknown' | 'review';

/** A record as decisions see it. Instants are ms since 1970 by the store's clock. */
export interface StoredRecord extends RecordKey {
  readonly pool: string;
  /** The order of arrival. */
  readonly no: number;
  readonly state: RecordState;
  readonly effectKey: string;
  /** Begins in all, and how many of them a person's requeue has forgiven. */
  readonly attempt: number;
  readonly attemptsForgiven: number;
  /** How often a claim of it expired, or reported a temporary failure, before its work began. */
  readonly idleRequeues: number;
  /** Of the claim that owns it, or had it when it was settled; null where nobody has it. */
  readonly token: string | null;
  readonly claimedAt: number | null;
  /** Begun under the present claim. */
  readonly isBegun: boolean;
  readonly begunAt: number | null;
  readonly firstBegunAt: number | null;
  /** The outcome is not known, and the claim no longer matters: since when. */
  readonly unknownAt: number | null;
  readonly askedAt: number | null;
  readonly askSince: number | null;
  readonly sendBefore: number | null;
  readonly notBefore: number | null;
  /** An older version of the id must be settled first. */
  readonly waits: boolean;
  /** A newer version of the id is known. */
  readonly hasNewer: boolean;
  readonly providerRef: string | null;
  /**
   * What a former owner's `done` named while another one works the record; `evidenceAt` says that there was one. The
   * reference stays, alone, when a person decides against it: until the record is done, and whatever it is done with.
   */
  readonly evidenceRef: string | null;
  readonly evidenceAt: number | null;
  /** What the present token said last. */
  readonly verdict: SpokenVerdict | null;
  readonly error: string | null;
  readonly updatedAt: number;
}

/** What of a pool's settings decisions about its records hang on. */
export interface RecordRules {
  readonly redo: Redo;
  readonly redoWindowMs: number | null;
  readonly attempts: number;
  readonly callTimeoutMs: number;
  readonly hasVerifier: boolean;
}

/** True where the begins that its pool grants are used up. */
export function isSpent(record: Pick<StoredRecord, 'attempt' | 'attemptsForgiven'>, attempts: number): boolean {
  return record.attempt - record.attemptsForgiven >= attempts;
}

/** One more attempt, or one more claim that came to nothing. The most that can be stored stays the most: a row that says so by hand. */
export function oneMore(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER - 1) + 1;
}

/** True where so many claims came to nothing before its work began: two with neighbours, then as many alone as it has attempts. */
export function isIdleSpent(times: number, attempts: number): boolean {
  return times > 2 + attempts;
}
