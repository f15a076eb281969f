import type { HolderInfo } from '../../domain/lock-state.ts';
import type {
  BeginAnswer,
  ClaimAnswer,
  ExtendAnswer,
  RecordKey,
  RefusedRecord,
  ReturnAnswer,
  VerdictAnswer,
} from '../../domain/records/record.ts';
import type { Start } from '../api.ts';

/** A record as it is offered: its id alone, or with what else is known of it. */
export type Offer =
  | string
  | number
  | {
      /** 1 to 1,024 bytes. A safe integer counts as its decimal text; write any other number as text yourself. */
      readonly id: string | number;
      /** 0 to 1,024 bytes, default empty: a hash, an `updated_at`, what changes when the record is to be worked again. */
      readonly version?: string | number;
      /** What JSON can hold, up to 1 MiB of it. Default none. Kept from the first time that the version becomes known. */
      readonly payload?: unknown;
      /** Not handed out before this instant. Default at once. */
      readonly notBefore?: Date;
    };

/** Where offers come from: a list, a set, a generator, a stream of rows. */
export type Offers = Iterable<Offer> | AsyncIterable<Offer>;

/** How a claim is asked for. Every value is checked before the store hears of it (INVALID_ARGUMENT). */
export interface ClaimOptions {
  /**
   * The records that are wanted, in this order; left out: the next ones of the queue. Of one named twice the first counts.
   *
   * A list (array, set, generator) is answered in full, up to 1,000,000 records. Of an async source no more is read
   * once the claim is full: who holds records should begin, not read on.
   */
  readonly ids?: Offers;
  /** Never more records than this: 1 to 10,000. Default the pool's. */
  readonly limit?: number;
  /** How long the claim lasts unless renewed: 1 s to 31 days, and no less than the pool's `callTimeoutMs`. Default the pool's. */
  readonly leaseMs?: number;
  /** Who claims: 1 to 1,024 bytes. Default `host:pid`. */
  readonly holder?: string;
  /** What else is known of the holder. Default: this process, in a way that a sweep can prove it ended. */
  readonly holderInfo?: HolderInfo;
  /** Makes the claim repeatable: the same id from the same holder is the same claim. Default: a new random id. */
  readonly claimId?: string;
  /** The token of a lock that has to be held. */
  readonly lockToken?: string;
  /** The same, as the start that holds it. One that passed its lock by (`bypassed`) asks for none. */
  readonly lock?: Start;
  /** `explicit` (default): a record begins when `begin` is called. `implied`: each counts as begun from its claim. */
  readonly begin?: 'explicit' | 'implied';
  /** `heartbeat` (default) renews by itself until every record is settled; `touch` only when `extend` is called. */
  readonly renewal?: 'heartbeat' | 'touch';
  /** For how long a verdict that can't be stored is tried again: 0 to 24 h, default 15 min. */
  readonly retryForMs?: number;
  /** Stops the reading of `ids`: `claim` then throws the signal's reason, unless records are owned already. */
  readonly signal?: AbortSignal;
}

/** A record that was offered and is none: its `message` says what is wrong with it. */
export interface InvalidRecord extends RecordKey {
  readonly why: 'invalid';
  readonly by: null;
  readonly since: null;
  readonly message: string;
}

/** What was offered and not given, and why. */
export type RefusedOffer = RefusedRecord | InvalidRecord;

/** The answer of a claim, and the handle of what it got. Single use. */
export interface Claim extends Omit<ClaimAnswer, 'owned' | 'refused' | 'isRepeat'>, ClaimHandle {
  readonly owned: readonly ClaimedRecord[];
  readonly refused: readonly RefusedOffer[];
  /** False where the source of `ids` was not read to its end, or the rest of it could not be offered any more. */
  readonly isOfferRead: boolean;
}

/** What a claim does with the records that it got. A crash leaves the lease, which ends by itself. */
export interface ClaimHandle extends AsyncDisposable {
  /**
   * Fires a safety margin before the trust window closes, or as soon as the store says that the claim is lost; whoever asks
   * for it after a while without timers (a busy loop, a stopped process) gets it as the clock says now. Its
   * reason is a LeaseholdError LEASE_LOST. Final. Never fires once every record has its verdict, after a
   * return of all of them, or for a claim that owns nothing.
   */
  readonly signal: AbortSignal;
  /** What is left of the trust window now, in ms; 0 once it has closed, and for a claim that holds nothing. */
  trustRemainingMs(): number;
  /** Renews now. Answers `lost` without asking the store where nothing is held. Throws STORE_UNREACHABLE. */
  extend(): Promise<ExtendAnswer>;
  /**
   * Gives back what was never begun: all of it, or only these ids. Of a claim with implied begin only what is named,
   * and only if nothing was sent for it. Asked once more where the store did not answer. Throws STORE_UNREACHABLE.
   */
  returnUnworked(ids?: readonly (string | number)[]): Promise<ReturnAnswer>;
  /**
   * Waits for verdicts that are on their way, returns what was never begun and ends the heartbeat. What was begun and has
   * no verdict stays with the claim until its lease ends; that is logged. Never throws over the caller's own error.
   */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * One record of a claim. Begins and verdicts given at the same time are stored by one statement, and none is
 * answered before its commit.
 */
export interface ClaimedRecord extends RecordKey {
  readonly pool: string;
  /** To be sent along with the effect: the same on each attempt, from every host, after a restore. */
  readonly effectKey: string;
  /** The key of another effect of the same record: of its invoice beside its mail. `purpose`: 1 to 1,024 bytes. */
  effectKeyFor(purpose: string): string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Null where it came without one. */
  readonly payload: unknown;
  /** The same as JSON text, with numbers as they were given: JavaScript has none for 12345678901234567890. */
  readonly payloadText: string | null;
  /** That of the claim; it also fires, for good, as soon as the record is refused as no longer ours to work. */
  readonly signal: AbortSignal;
  /**
   * From here on the provider may be called, and not before this was answered `accepted`. A refusal fires `signal`, so that
   * a call that was handed it isn't sent. Once `signal` has fired it is refused without asking. Repeated, it counts once.
   *
   * Where the store doesn't answer it is tried again until `signal` fires, and is then refused (`lease_over`, `attempt` null:
   * nobody knows whether it counted), or for a minute, and then throws STORE_UNREACHABLE. Nothing may be sent either way. Once `signal` fires it waits for no call.
   */
  begin(): Promise<BeginAnswer>;
  /**
   * The provider confirmed it: its reference, 1 to 4,096 bytes. Like every verdict it needs no live lease, and is tried
   * again for `retryForMs` while the store can't be reached; then it throws STORE_UNREACHABLE, and may be given again.
   */
  done(providerRef?: string | number | null): Promise<VerdictAnswer>;
  /** The provider certainly did nothing (`error`: with its causes, one line of 4,096 bytes is kept). It is tried again later, or, where that is `permanent`, never. */
  fail(error: unknown, options?: { readonly permanent?: boolean }): Promise<VerdictAnswer>;
  /** Nobody knows: timed out, connection lost, a 5xx after sending. The next sweep asks the provider. */
  unknown(error: unknown): Promise<VerdictAnswer>;
  /** A person must look. */
  review(reason: unknown): Promise<VerdictAnswer>;
}
