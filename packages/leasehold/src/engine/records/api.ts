import type { PoolAdvice } from '../../domain/records/advise-pool.ts';
import type {
  BeginAnswer,
  ExtendAnswer,
  PoolSettings,
  PoolStatus,
  RecordKey,
  RecordRow,
  RecordState,
  ReturnAnswer,
  Verdict,
  VerdictAnswer,
} from '../../domain/records/record.ts';
import type { ChangePoolAnswer, EnqueueAnswer, ReviewAnswer } from '../../ports/record-store.ts';
import type { Verifier } from '../../ports/verifier.ts';
import type { Claim, ClaimOptions, InvalidRecord, Offers } from './claim-api.ts';

/**
 * One pool of records of one store, by name. It keeps nothing of the pool in this process; pools of one name share the
 * line on which begins and verdicts travel.
 *
 * Every call throws INVALID_ARGUMENT before the store hears of it, and STORE_UNREACHABLE where it did not answer.
 */
export interface Pool {
  readonly name: string;
  /**
   * Makes records known without claiming them, read as they come and stored in chunks of up to 1,000 records or 4 MiB.
   * What is known stays as it is, so that after a crash or an error the same call again adds what is missing. A record that is
   * none (no id, a payload that JSON can't hold) is listed in `refused` and stops no other.
   */
  enqueue(records: Offers, options?: EnqueueOptions): Promise<EnqueueReport>;
  /**
   * Claims records by id, or the next ones of the queue. Nothing owned is no error: look at `owned`. Where the store did
   * not answer it is asked once more, as the same claim. A crash after it leaves a lease that ends by itself.
   *
   *     await using claim = await pool.claim({ ids: rows.map((row) => row.id) });
   *     for (const record of claim.owned) {
   *       if ((await record.begin()).outcome !== 'accepted') continue;
   *       await record.done(await send(record.id, { key: record.effectKey, signal: record.signal }));
   *     }
   */
  claim(options?: ClaimOptions): Promise<Claim>;

  /** Begins by token, from any process. Asked once more where the store did not answer. */
  begin(options: { readonly id: string | number; readonly token: string }): Promise<BeginAnswer>;
  /** Gives a verdict by token, from any process. It needs no live lease. */
  verdict(options: VerdictOptions): Promise<VerdictAnswer>;
  /** Renews a claim by token, for as long as it was or for `leaseMs`. */
  extend(options: { readonly token: string; readonly leaseMs?: number }): Promise<ExtendAnswer>;
  /**
   * Gives back by token what was never begun; of a claim with implied begin only what is named. Asked once more where the store
   * did not answer: `returned` then leaves out what the first ask gave back. Throws STORE_UNREACHABLE.
   */
  returnUnworked(options: {
    readonly token: string;
    readonly ids?: readonly (string | number)[];
  }): Promise<ReturnAnswer>;

  /** One page, in the order of id and version. Default limit 100, at most 1,000. */
  records(query?: RecordListQuery): Promise<RecordRow[]>;
  /** All of them, page by page. A record that changes meanwhile comes as it was when its page was read. */
  allRecords(query?: Omit<RecordListQuery, 'after' | 'limit'>): AsyncIterable<RecordRow>;
  /** Null for a pool that nothing has touched. */
  status(): Promise<PoolStatus | null>;
  /** Changes what is named, and tells so as an event. Makes the pool where there is none. */
  configure(settings: PoolChange): Promise<ChangePoolAnswer>;
  /** Stops new claims, without touching those under way. Repeatable. */
  pause(options?: { readonly reason?: string }): Promise<ChangePoolAnswer>;
  /** Lets claims in again. Repeatable. */
  resume(): Promise<ChangePoolAnswer>;
  /**
   * Settles expired claims, and asks the provider about the records whose outcome nobody knows where a `verifier` is given.
   * To be called every minute or so by one process or many. After a crash the next one goes on.
   */
  sweep(options?: SweepOptions): Promise<SweepReport>;
  /** Decides about a record in review, or (`done`, `requeue`) one that failed. */
  review(options: ReviewOptions): Promise<ReviewAnswer>;
  /** How long a claim should last and how many records fit, from what records took. */
  advise(): Promise<PoolAdvice>;
}

/** How records are made known. */
export interface EnqueueOptions {
  /** Stops before the next chunk: `enqueue` then throws the signal's reason; what was stored stays. */
  readonly signal?: AbortSignal;
}

/** What became of the records that were offered. */
export interface EnqueueReport extends EnqueueAnswer {
  /** Those that are none, up to 1,000 of them; `refusedCount` counts all. */
  readonly refused: readonly InvalidRecord[];
  readonly refusedCount: number;
}

/** A verdict by token. `providerRef` goes with `done`, `error` with the others, `permanent` with `failed`. */
export interface VerdictOptions {
  readonly id: string | number;
  readonly token: string;
  readonly verdict: Verdict;
  readonly providerRef?: string | number | null;
  readonly error?: unknown;
  readonly permanent?: boolean;
  /** For how long it is tried again while the store can't be reached: 0 to 24 h, default 10 s. */
  readonly retryForMs?: number;
}

/** Which records to list; left out: any. */
export interface RecordListQuery {
  readonly state?: RecordState | null;
  readonly id?: string | number | null;
  /** The key to go on after. */
  readonly after?: RecordKey | null;
  readonly limit?: number;
}

/** What is to change in a pool. `verifier` is an object with a `kind`, or its JSON text; null takes it away. */
export interface PoolChange extends Partial<Omit<PoolSettings, 'verifier'>> {
  readonly verifier?: string | Readonly<Record<string, unknown>> | null;
  /** Why, for the event. */
  readonly reason?: string;
}

/** How a pool is swept. */
export interface SweepOptions {
  /**
   * Asks the provider. The pool must say that there is one (`configure({ verifier: { kind: 'function' } })`), or what
   * expires has gone to review before anybody could ask. Left out: only what needs no answer is settled.
   */
  readonly verifier?: Verifier;
  /** Look-ups under way at the same time: 1 to 50, default 5. */
  readonly concurrency?: number;
  /** Asks for no record again before so long: 1 s to 24 h, default 1 min. */
  readonly everyMs?: number;
  /** Asks for no further record after so long: 1 to 3,600,000 ms, default 60 s. */
  readonly timeoutMs?: number;
  /** Asks for no further record once it fires. */
  readonly signal?: AbortSignal;
}

/** What a sweep came to, counted in records. */
export interface SweepReport {
  readonly pool: string;
  readonly requeued: number;
  readonly review: number;
  readonly cancelled: number;
  /** Found at the provider: done, and nothing was sent. */
  readonly done: number;
  /** Asked for, and to be asked for again later. */
  readonly waiting: number;
  /** Records whose provider was asked. */
  readonly asked: number;
  /** Answers that no longer applied, because the record had changed meanwhile. */
  readonly overtaken: number;
  /** Records that still wait for their provider's answer when it ends, whoever asks. */
  readonly toAsk: number;
  /** False where time or signal ended it: call again. */
  readonly isComplete: boolean;
}

/** A person's decision. */
export interface ReviewOptions {
  readonly id: string | number;
  /** Left out: the one version that this can be done to. */
  readonly version?: string | number;
  readonly action: 'ask' | 'done' | 'requeue' | 'fail';
  /** With `done`. */
  readonly providerRef?: string | number | null;
  /** Why: 1 to 4,096 bytes. */
  readonly reason: string;
}
