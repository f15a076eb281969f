import type { HolderInfo } from '../lock-state.ts';

/**
 * Records: the things to work, each claimed by one run before anything else happens.
 *
 * Identity: a record version by (pool, id, version); a claim by its token; a claim's repeat by (pool, claimId, holder).
 * Clock: the store's. Callers send durations; the only instant they send is `notBefore`.
 *
 *   queued ──claim──► claimed ──verdict──► done | failed | review | cancelled
 *      ▲                 │  └─ unknown: stays claimed, flagged; the next sweep asks
 *      └── requeued ─────┴── (a temporary failure, a sweep, a return, a person), each an event
 *
 * A record is done only by its owner's verdict, the evidence of a former owner, the provider's answer or a person's word. A
 * version that is done is never handed out again.
 */

/** Where a record stands. */
export type RecordState = 'queued' | 'claimed' | 'done' | 'failed' | 'review' | 'cancelled';

/** Every state, in the order in which a record goes through them. */
export const RECORD_STATES: readonly RecordState[] = ['queued', 'claimed', 'done', 'failed', 'review', 'cancelled'];

/** What is said of one record after it was worked. */
export type Verdict = 'done' | 'failed' | 'unknown' | 'review';

/** A version of one thing to work. The empty version is one like any other. */
export interface RecordKey {
  readonly id: string;
  readonly version: string;
}

/** A record as it is listed (design §11). */
export interface RecordRow extends RecordKey {
  readonly pool: string;
  readonly state: RecordState;
  /** Our key for the effect, fixed before the first attempt: the same on each. */
  readonly effectKey: string;
  /** How often its work was begun. */
  readonly attempt: number;
  /** The holder of the claim that has it, or had it last; null before the first and where that is no longer known. */
  readonly claimedBy: string | null;
  readonly claimedAt: Date | null;
  /** The end of the claim that has it; null unless it is claimed. */
  readonly leaseUntil: Date | null;
  /** When its work was begun last. */
  readonly begunAt: Date | null;
  readonly providerRef: string | null;
  /** What went wrong last, or why it is in review. Null again where a person has sent it back: the event says what it was. */
  readonly error: string | null;
  readonly notBefore: Date | null;
  readonly updatedAt: Date;
  /**
   * What a former owner's `done` named while another had begun it; stays when a person decides against it, until the record
   * is done. Null also where it named none.
   */
  readonly evidenceRef: string | null;
  /** When that came: the record waits in review for its owner's word or a person's. Null once it was decided. */
  readonly evidenceAt: Date | null;
}

/** A record that a claim owns. */
export interface OwnedRecord extends RecordKey {
  readonly effectKey: string;
  /** The number of the attempt that this claim makes: 1 for the first. */
  readonly attempt: number;
  /** JSON text; null where the record came without one. */
  readonly payload: string | null;
}

/**
 * Why a record was not given. `claimed`: another claim has it. `done`, `failed`, `review`, `cancelled`: its state.
 * `earlier_version`: an older version of the id waits for its verdict, or another one is being worked. `not_before`: it is
 * deferred, or waits after a failure. `alone`: it has cost two claims already and is handed out by itself. `ask_first`: the
 * provider has to be asked before it may be sent again, or no longer knows it by the end of this claim: a shorter claim, or
 * one that says when it begins, may have it. Also what this
 * claim has begun, to whoever asks for it once more. `over_limit`: the claim was full. `paused`: its pool is. `not_taken`: the
 * claim was asked for once more, and a repeat takes nothing; or it had waited for other calls too long, and did not come to it.
 */
export type RefusalReason =
  | 'claimed'
  | 'done'
  | 'failed'
  | 'review'
  | 'cancelled'
  | 'earlier_version'
  | 'not_before'
  | 'alone'
  | 'ask_first'
  | 'over_limit'
  | 'paused'
  | 'not_taken';

/** A record that was offered and not given. */
export interface RefusedRecord extends RecordKey {
  readonly why: RefusalReason;
  /** `claimed`: the holder that has it. */
  readonly by: string | null;
  /** `claimed`: since when; `done`, `failed`, `review`, `cancelled`: since when it is; `not_before`: from when on it may be had. */
  readonly since: Date | null;
}

/** The answer of a claim. Nothing owned is no error. */
export interface ClaimAnswer {
  /**
   * `claimed`, also where nothing is owned; `paused`: the pool gives nothing out; `lock_lost`: the lock that the claim named
   * is no longer held by that token; `claim_ended`: a repeat of a claim whose lease is over, which takes nothing anew.
   */
  readonly outcome: 'claimed' | 'paused' | 'lock_lost' | 'claim_ended';
  readonly pool: string;
  readonly claimId: string;
  /** Null where nothing is owned: there is then no claim to extend or to return. */
  readonly token: string | null;
  readonly leaseUntil: Date | null;
  readonly remainingMs: number | null;
  readonly owned: readonly OwnedRecord[];
  /** In the order in which they were offered. Of a claim of the next ones only what its repeat isn't given again. */
  readonly refused: readonly RefusedRecord[];
  /** What this call settled of expired claims before it took its own. */
  readonly settled: SettledCounts;
  readonly message: string;
  /** True where this claimId and holder had claimed before, the lease still lives and the call doesn't go on: it takes nothing. */
  readonly isRepeat: boolean;
}

/** What became of records of expired claims. */
export interface SettledCounts {
  readonly requeued: number;
  readonly review: number;
  readonly cancelled: number;
}

/**
 * Why a begin was refused. `not_owner`: another claim has the record, or had it since; `not_claimed`: it has its verdict, or
 * was given back; `lease_over`: less than the pool's `callTimeoutMs` of the lease remains; `send_before`: its provider
 * would no longer deduplicate it, so it has to be asked first; `unknown_record`: no such record; `invalid`: see the message.
 */
export type BeginRefusal = 'not_owner' | 'not_claimed' | 'lease_over' | 'send_before' | 'unknown_record' | 'invalid';

/** What a begin came to. */
export interface BeginAnswer {
  readonly outcome: 'accepted' | 'refused';
  readonly pool: string;
  readonly id: string;
  /** Null for a record that the store doesn't know. */
  readonly version: string | null;
  readonly attempt: number | null;
  readonly begunAt: Date | null;
  /** What remains of the claim's lease; of an accepted begin, of the time by which it must be sent where that ends sooner. */
  readonly remainingMs: number | null;
  /** Null where it was accepted. */
  readonly reason: BeginRefusal | null;
  readonly message: string;
}

/**
 * Why a verdict was refused. `not_owner`: the token never had this record, or lost it and reports no `done`;
 * `other_verdict`: its own verdict was another one; `settled`: it had said nothing when the record was settled, by the end of
 * its lease or its provider's answer, and reports no `done`; `unknown_record`; `invalid`: see the message.
 */
export type VerdictRefusal = 'not_owner' | 'other_verdict' | 'settled' | 'unknown_record' | 'invalid';

/** What a verdict came to. */
export interface VerdictAnswer {
  /** `evidence`: it came from a former owner, or after another verdict; it is kept, and the record is done or in review. */
  readonly outcome: 'accepted' | 'refused' | 'evidence';
  readonly pool: string;
  readonly id: string;
  readonly version: string | null;
  /** Where the record stands now. */
  readonly state: RecordState | null;
  /** Where it is tried again: from when on. */
  readonly notBefore: Date | null;
  readonly reason: VerdictRefusal | null;
  readonly message: string;
}

/** What a claim's extension came to. */
export interface ExtendAnswer {
  readonly outcome: 'extended' | 'lost';
  readonly pool: string;
  readonly claimId: string | null;
  readonly leaseUntil: Date | null;
  readonly remainingMs: number | null;
  /** Why it is lost: `expired`, `unknown_token` or `settled` (every record has its verdict or went back). */
  readonly reason: 'expired' | 'unknown_token' | 'settled' | null;
  readonly message: string;
}

/** What giving back came to. */
export interface ReturnAnswer {
  readonly outcome: 'returned' | 'not_holder';
  readonly pool: string;
  readonly claimId: string | null;
  readonly returned: readonly RecordKey[];
  /** Records that the claim still has: begun ones, which only a verdict settles. */
  readonly kept: readonly RecordKey[];
  readonly message: string;
}

/** How a pool treats records whose work was begun and whose outcome nobody knows: `ask` its provider, or `safe` to repeat. */
export type Redo = 'ask' | 'safe';

/** What a pool is set to. */
export interface PoolSettings {
  readonly redo: Redo;
  /** With `safe`: how long after the first begin a repeat is harmless, in ms; null for ever. */
  readonly redoWindowMs: number | null;
  /** Begins that a record gets before it goes to review: 1 to 100, default 5. */
  readonly attempts: number;
  /** How long a claim lasts where the caller doesn't say: 1 s to 31 days, default 10 min. */
  readonly leaseMs: number;
  /** Records that a claim gets at most where the caller doesn't say: 1 to 10,000, default 50. */
  readonly limit: number;
  /** How long one call to the provider may take, in ms: 0 to 1 h, default 0. A begin needs as much of the lease. */
  readonly callTimeoutMs: number;
  /** What can ask its provider: JSON text with a `kind`; null for nobody. */
  readonly verifier: string | null;
}

/** A claim under way, as its pool's status shows it. */
export interface LiveClaim {
  readonly claimId: string;
  readonly holder: string;
  readonly holderInfo: HolderInfo | null;
  /** Records that still wait for their verdict. */
  readonly records: number;
  readonly since: Date;
  readonly leaseUntil: Date;
}

/** One pool as it stands: its settings, and counts derived from its records. */
export interface PoolStatus extends PoolSettings {
  readonly pool: string;
  readonly paused: boolean;
  readonly queued: number;
  /** Those of the queued ones that are not due yet. */
  readonly deferred: number;
  readonly claimed: number;
  /** Those of the claimed and reviewed ones whose provider has to be asked. */
  readonly toAsk: number;
  readonly done: number;
  readonly failed: number;
  readonly review: number;
  readonly cancelled: number;
  /** Since when the oldest record waits for its verdict. */
  readonly oldestClaimAt: Date | null;
  /** The newest 20 claims with records that wait for their verdict, expired ones included. */
  readonly claims: readonly LiveClaim[];
}
