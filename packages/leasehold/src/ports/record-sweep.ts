import type { HolderInfo } from '../domain/lock-state.ts';
import type { LookupDecision } from '../domain/records/lookup.ts';
import type { RecordKey, RecordState, SettledCounts } from '../domain/records/record.ts';

/** What a sweep asks of a store, and is told: the part of `RecordStore` that settles what claims left behind. */

export interface SettleRequest {
  readonly pool: string;
  readonly limit: number;
  /** True where it ends soon: a store in which no index finds what is claimed and no claim knows may leave it to another sweep. */
  readonly isBrief?: boolean;
}

export interface SettleAnswer extends SettledCounts {
  readonly pool: string;
  /** Records that wait for their provider's answer. */
  readonly toAsk: number;
  /** False where there is more to settle: call again. */
  readonly isComplete: boolean;
}

export interface TakeToAskRequest {
  readonly pool: string;
  /** 1 to 1,000. */
  readonly limit: number;
  /** None that was taken less than so many ms ago. */
  readonly everyMs: number;
}

/** What a record was like when its provider was to be asked. `askedAt` is the store's instant of this call. */
export interface AskedRecord extends RecordKey {
  readonly pool: string;
  readonly effectKey: string;
  readonly payload: string | null;
  /** What a former owner's evidence, or a person, named; null where nobody did. */
  readonly providerRef: string | null;
  readonly claimId: string;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  readonly attempt: number;
  readonly begunAt: Date;
  readonly firstBegunAt: Date;
  readonly leaseUntil: Date;
  /** When its sender said that it doesn't know the outcome; null where it said nothing. */
  readonly unknownAt: Date | null;
  /** Until when it may be sent, since one before its present sender may still send; null where nobody else may. */
  readonly sendBefore: Date | null;
  /** Since when its holder is proven to have ended. */
  readonly holderEndedAt: Date | null;
  readonly askedAt: Date;
  /** Since when it is being asked for. */
  readonly askSince: Date;
  /** True for one in review that a person wants asked for. */
  readonly isInReview: boolean;
}

/** What a record must still be like for an answer to apply. */
export type SeenRecord = Pick<
  AskedRecord,
  'pool' | 'id' | 'version' | 'claimId' | 'holder' | 'attempt' | 'begunAt' | 'leaseUntil'
>;

export interface HolderEndedRequest {
  readonly pool: string;
  readonly claimId: string;
  readonly holder: string;
}

export interface ApplyLookupRequest {
  readonly seen: SeenRecord;
  readonly decision: LookupDecision;
}

export interface ApplyLookupAnswer {
  /** `overtaken`: the record has changed since it was asked about, and nothing was done. */
  readonly outcome: 'applied' | 'overtaken';
  readonly state: RecordState | null;
}
