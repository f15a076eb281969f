import type { HolderInfo } from '../domain/lock-state.ts';
import type {
  BeginAnswer,
  ClaimAnswer,
  ExtendAnswer,
  PoolSettings,
  PoolStatus,
  RecordKey,
  RecordRow,
  RecordState,
  ReturnAnswer,
  Verdict,
  VerdictAnswer,
} from '../domain/records/record.ts';
import type {
  ApplyLookupAnswer,
  ApplyLookupRequest,
  AskedRecord,
  HolderEndedRequest,
  SettleAnswer,
  SettleRequest,
  TakeToAskRequest,
} from './record-sweep.ts';
import type { ByToken } from './by-token.ts';
import type { CallOptions } from './store.ts';

export type {
  ApplyLookupAnswer,
  ApplyLookupRequest,
  AskedRecord,
  HolderEndedRequest,
  SeenRecord,
  SettleAnswer,
  SettleRequest,
  TakeToAskRequest,
} from './record-sweep.ts';

/**
 * The part of a store that keeps pools and their records. Each method is one transaction.
 *
 * Identity: a record version by (pool, id, version); a claim by its token, its repeat by (pool, claimId, holder).
 * Clock: the store's, read after the rows are locked.
 * Crash: a caller without an answer repeats the call: an enqueue adds nothing twice, a claim of the same claimId and
 * holder is the same claim, begins and verdicts of the same token count once, an extension extends once more.
 */
export interface RecordStore {
  /** Makes records known without claiming them. A version that is known stays as it is. */
  enqueue(request: EnqueueRequest, call?: CallOptions): Promise<EnqueueAnswer>;
  /** Takes what it can of the offered records, after it has settled what expired claims left. */
  claim(request: ClaimRequest, call?: CallOptions): Promise<ClaimAnswer>;
  /** As claim, the next ones of the queue. A server that crashes may forget it; its explicit begins are then refused. */
  claimNext(request: ClaimNextRequest, call?: CallOptions): Promise<ClaimAnswer>;
  /** Verdicts, then begins, all durable when it answers. One that is refused doesn't touch the others. */
  work(request: WorkRequest, call?: CallOptions): Promise<WorkAnswer>;
  extendClaim(request: ExtendRequest, call?: CallOptions): Promise<ExtendAnswer>;
  returnUnworked(request: ReturnRequest, call?: CallOptions): Promise<ReturnAnswer>;

  /** Settles what needs no provider's answer: at most `limit` records (1 to 10,000). */
  settleExpired(request: SettleRequest, call?: CallOptions): Promise<SettleAnswer>;
  /** Records whose provider has to be asked, each given to one sweep at a time. */
  takeToAsk(request: TakeToAskRequest, call?: CallOptions): Promise<AskedRecord[]>;
  /**
   * Remembers that a claim's holder is proven to have ended; answers since when that is known, null for no such claim and for
   * one that is shared: its records begin with the claim, so that whoever has its token may send without a word, or it was
   * asked for again by another process, or spoken for by its token.
   */
  noteHolderEnded(request: HolderEndedRequest, call?: CallOptions): Promise<Date | null>;
  /** Does what a look-up led to, if the record is still as it was when it was asked about. */
  applyLookup(request: ApplyLookupRequest, call?: CallOptions): Promise<ApplyLookupAnswer>;

  /** A person's decision on a record in review, or one that failed. */
  review(request: ReviewRequest, call?: CallOptions): Promise<ReviewAnswer>;
  /** Makes the pool where there is none. */
  changePool(request: ChangePoolRequest, call?: CallOptions): Promise<ChangePoolAnswer>;
  /** One pool, or all in the order of their names; empty for one that nothing has touched. */
  pools(query: PoolsQuery, call?: CallOptions): Promise<PoolStatus[]>;
  /** In the order of id and version. */
  records(query: RecordsQuery, call?: CallOptions): Promise<RecordRow[]>;
  /** How long records took from claim to verdict. May take a minute for millions of them. */
  workTimes(pool: string, call?: CallOptions): Promise<WorkTimes>;
}

export interface NewRecord extends RecordKey {
  /** JSON text of at most 1 MiB, without U+0000. */
  readonly payload: string | null;
  readonly notBefore: Date | null;
}

export interface EnqueueRequest {
  readonly pool: string;
  /** 1 to 10,000; each key once. */
  readonly records: readonly NewRecord[];
  /** Goes into the effectKey of records that are new. */
  readonly namespace: string;
}

/** What became of records that were made known, in numbers. */
export interface EnqueueAnswer {
  readonly pool: string;
  readonly added: number;
  /** Versions that were known before. */
  readonly known: number;
  /** Older versions that were cancelled for newer ones. */
  readonly superseded: number;
}

interface AnyClaimRequest {
  readonly pool: string;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  readonly claimId: string;
  /** Null: the pool's. */
  readonly leaseMs: number | null;
  /** Null: the pool's. */
  readonly limit: number | null;
  /** The token of a lock that has to be held; null for none. */
  readonly lockToken: string | null;
  /** True where the claimer says of each record when it begins; else each counts as begun at once. */
  readonly explicitBegin: boolean;
}

export interface OfferedRecord extends RecordKey {
  readonly payload: string | null;
  readonly notBefore: Date | null;
}

export interface ClaimRequest extends AnyClaimRequest {
  /** 1 to 10,000; each key once; what is not known yet is made known. In the order in which they are wanted. */
  readonly offers: readonly OfferedRecord[];
  readonly namespace: string;
  /** False: a repeat of this claimId by this holder answers what it has and takes nothing. True: it takes more, up to `limit` in all. */
  readonly isContinued: boolean;
}

export interface ClaimNextRequest extends AnyClaimRequest {}

export interface BeginItem extends ByToken {
  readonly id: string;
  readonly token: string;
}

export interface VerdictItem extends ByToken {
  readonly id: string;
  readonly token: string;
  readonly verdict: Verdict;
  /** With `done`. */
  readonly providerRef: string | null;
  /** With the others. */
  readonly error: string | null;
  /** With `failed`: false means that the provider certainly did nothing, and the record is tried again. */
  readonly isPermanent: boolean;
}

/** At most 10,000 of both together. */
export interface WorkRequest {
  readonly pool: string;
  readonly verdicts: readonly VerdictItem[];
  readonly begins: readonly BeginItem[];
}

/** In the order of the request. */
export interface WorkAnswer {
  readonly verdicts: readonly VerdictAnswer[];
  readonly begins: readonly BeginAnswer[];
}

export interface ExtendRequest extends ByToken {
  readonly pool: string;
  readonly token: string;
  /** Null: as long as it was. */
  readonly leaseMs: number | null;
}

export interface ReturnRequest extends ByToken {
  readonly pool: string;
  readonly token: string;
  /** Null: all never-begun ones. Of a claim with implied begin only those that are named go back. */
  readonly ids: readonly string[] | null;
}

export interface ReviewRequest {
  readonly pool: string;
  readonly id: string;
  /** Null: the one version that this can be done to. */
  readonly version: string | null;
  readonly action: 'ask' | 'done' | 'requeue' | 'fail';
  /** With `done`. */
  readonly providerRef: string | null;
  readonly reason: string;
}

/** What a person's decision came to. */
export interface ReviewAnswer {
  readonly outcome: 'accepted' | 'refused';
  readonly pool: string;
  readonly id: string;
  readonly version: string | null;
  readonly state: RecordState | null;
  /** `no_such_record`, `several_versions`, `wrong_state`, `no_verifier`; null where it was accepted. */
  readonly why: 'no_such_record' | 'several_versions' | 'wrong_state' | 'no_verifier' | null;
  readonly message: string;
}

export interface ChangePoolRequest {
  readonly pool: string;
  /** What is left out stays. */
  readonly settings: Partial<PoolSettings>;
  /** Undefined leaves it. */
  readonly paused?: boolean;
  readonly reason: string | null;
}

/** What a change of a pool came to. */
export interface ChangePoolAnswer {
  readonly outcome: 'changed' | 'unchanged';
  readonly pool: string;
  readonly settings: PoolSettings;
  readonly paused: boolean;
  readonly message: string;
}

export interface PoolsQuery {
  readonly pool: string | null;
  /** 1 to 1,000. */
  readonly limit: number;
}

export interface RecordsQuery {
  readonly pool: string;
  readonly state: RecordState | null;
  /** Null for all. */
  readonly id: string | null;
  /** The key to go on after; null from the first. */
  readonly after: RecordKey | null;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** All in ms, of records that have their verdict; nulls where there is none. */
export interface WorkTimes {
  readonly pool: string;
  readonly records: number;
  /** From claim to verdict. */
  readonly slowestMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** The 95th percentile of the time that one record takes, as its claim's time divided by its records. */
  readonly eachP95Ms: number | null;
}
