import assert from 'node:assert/strict';
import type {
  AcquireAnswer,
  AcquiredAnswer,
  AlreadyRanAnswer,
  EventKind,
  ForceReleaseAnswer,
  LeaseholdEvent,
  PauseAnswer,
  ReclaimedAnswer,
  ReleaseAnswer,
  RenewAnswer,
  SkippedAnswer,
} from '../../../domain/answers.ts';
import type { LockState } from '../../../domain/lock-state.ts';
import type { Run, SkipReason } from '../../../domain/run.ts';
import type { AcquireRequest, ReleaseRequest, RenewRequest, Store, StoredStatus } from '../../../ports/store.ts';
import { Pool } from '../records/stage/pool.ts';
import type { RowChange, StoreHarness, StoreUnderTest } from './harness.ts';
import { checkHistory } from './row-checks.ts';
import { MINUTE, Timeline } from './timeline.ts';
import { Secrets } from './secrets.ts';
import { watchStore } from './watched-store.ts';

/** Any grant: what renew and release need of it. */
export type Lease = AcquiredAnswer | ReclaimedAnswer;

/** One test's store and its time, with the calls and questions that tests have in common. */
export class Scene extends Timeline {
  readonly store: Store;
  readonly #harness: StoreHarness;
  readonly #under: StoreUnderTest;
  readonly #secrets = new Secrets();
  readonly #others: Store[] = [];
  #starts = 0;

  private constructor(harness: StoreHarness, under: StoreUnderTest) {
    super(harness, under);
    this.#harness = harness;
    this.#under = under;
    this.store = watchStore(under.store, this.#secrets);
  }

  static async open(harness: StoreHarness): Promise<Scene> {
    return new Scene(harness, await harness.open());
  }

  async close(): Promise<void> {
    for (const other of this.#others) await other.close();
    await this.#under.close();
  }

  /** Holds what the test left behind against the contract. */
  async checkWhatIsLeft(): Promise<void> {
    await this.store.status({ lock: null, limit: 1_000 });
    checkHistory(await this.runs(), await this.events());
  }

  async another(): Promise<Store> {
    const store = await this.#under.another();
    if (this.#harness.missing?.second_client === undefined) this.#others.push(store);
    return watchStore(store, this.#secrets);
  }

  // Calls, with what most tests don't care about filled in.

  request(lock: string, patch: Partial<AcquireRequest> = {}): AcquireRequest {
    this.#starts += 1;
    return {
      lock,
      leaseMs: 10 * MINUTE,
      holder: `host-${this.#starts}:1`,
      holderInfo: null,
      runId: `run-${this.#starts}`,
      slotAt: null,
      onStale: 'reclaim',
      again: false,
      trigger: null,
      graceMs: 0,
      waiting: false,
      bypassReason: null,
      plan: null,
      ...patch,
    };
  }

  start(lock: string, patch: Partial<AcquireRequest> = {}): Promise<AcquireAnswer> {
    return this.store.acquire(this.request(lock, patch));
  }

  async acquired(lock: string, patch: Partial<AcquireRequest> = {}): Promise<AcquiredAnswer> {
    const answer = await this.start(lock, patch);
    assert.ok(answer.outcome === 'acquired', `expected acquired: ${answer.outcome}, ${answer.message}`);
    return answer;
  }

  async reclaimed(lock: string, patch: Partial<AcquireRequest> = {}): Promise<ReclaimedAnswer> {
    const answer = await this.start(lock, patch);
    assert.ok(answer.outcome === 'reclaimed', `expected reclaimed: ${answer.outcome}, ${answer.message}`);
    return answer;
  }

  async skipped(lock: string, reason: SkipReason, patch: Partial<AcquireRequest> = {}): Promise<SkippedAnswer> {
    const answer = await this.start(lock, patch);
    assert.ok(answer.outcome === 'skipped', `expected skipped: ${answer.outcome}, ${answer.message}`);
    assert.equal(answer.reason, reason, answer.message);
    return answer;
  }

  async alreadyRan(lock: string, patch: Partial<AcquireRequest> = {}): Promise<AlreadyRanAnswer> {
    const answer = await this.start(lock, patch);
    assert.ok(answer.outcome === 'already_ran', `expected already_ran: ${answer.outcome}, ${answer.message}`);
    return answer;
  }

  renew(lease: { lock: string; token: string }, patch: Partial<RenewRequest> = {}): Promise<RenewAnswer> {
    return this.store.renew({
      lock: lease.lock,
      token: lease.token,
      leaseMs: null,
      progress: null,
      holderInfo: null,
      ...patch,
    });
  }

  release(lease: { lock: string; token: string }, patch: Partial<ReleaseRequest> = {}): Promise<ReleaseAnswer> {
    return this.store.release({ lock: lease.lock, token: lease.token, status: null, afterMs: 0, lost: null, ...patch });
  }

  isHolder(lease: { lock: string; token: string }): Promise<boolean> {
    return this.store.isHolder(lease.lock, lease.token);
  }

  drain(lock: string, reason = 'it hangs'): Promise<ForceReleaseAnswer> {
    return this.store.forceRelease({ lock, reason, atOnce: false });
  }

  freeNow(lock: string, reason = 'it is gone'): Promise<ForceReleaseAnswer> {
    return this.store.forceRelease({ lock, reason, atOnce: true });
  }

  pause(lock: string, reason: string | null = 'a move of the database'): Promise<PauseAnswer> {
    return this.store.pause({ lock, reason });
  }

  resume(lock: string): Promise<PauseAnswer> {
    return this.store.resume({ lock });
  }

  /** A pool of this store; no row until something touches it. */
  pool(name = 'orders'): Pool {
    return new Pool(this, name);
  }

  // Rows.

  async status(lock: string): Promise<StoredStatus> {
    const [status, ...rest] = await this.store.status({ lock, limit: 100 });
    assert.ok(status !== undefined && rest.length === 0, `one status of lock ${lock}`);
    return status;
  }

  runs(lock: string | null = null): Promise<Run[]> {
    return this.store.runs({ lock, runId: null, limit: 1_000 });
  }

  /** The row of the start that got this answer. */
  async runOf(answer: { lock: string; runId: string }): Promise<Run> {
    const [run, ...rest] = await this.store.runs({ lock: answer.lock, runId: answer.runId, limit: 100 });
    assert.ok(run !== undefined && rest.length === 0, `one row of run ${answer.runId}`);
    return run;
  }

  events(kind: EventKind | null = null): Promise<LeaseholdEvent[]> {
    return this.store.events({ lock: null, kind, limit: 1_000 });
  }

  /** The one event of its kind. */
  async event(kind: EventKind): Promise<LeaseholdEvent> {
    const [event, ...rest] = await this.events(kind);
    assert.ok(event !== undefined && rest.length === 0, `one event ${kind}, not ${rest.length + (event ? 1 : 0)}`);
    return event;
  }

  async countEvents(kind: EventKind | null = null): Promise<number> {
    return (await this.events(kind)).length;
  }

  /** Writes a lock's row by hand; instants on this line of time. */
  async writeLock(name: string, patch: Partial<LockState>): Promise<void> {
    const shifted = Object.entries(patch).map(([key, value]) => [
      key,
      INSTANTS.has(key) && typeof value === 'number' ? this.dateAt(value).getTime() : value,
    ]);
    await this.#under.writeLock(name, Object.fromEntries(shifted) as Partial<LockState>);
  }

  /** Changes rows of records, claims or pools by hand; instants (`Date`) on this line of time. */
  async changeRows({ set, ...change }: RowChange): Promise<void> {
    const shifted = Object.entries(set).map(([column, value]) => [
      column,
      value instanceof Date ? this.dateAt(value.getTime()) : value,
    ]);
    await this.#under.changeRows({ ...change, set: Object.fromEntries(shifted) as RowChange['set'] });
  }

  deleteLock(name: string): Promise<void> {
    return this.#under.deleteLock(name);
  }
}

const INSTANTS: ReadonlySet<string> = new Set([
  'since',
  'leaseUntil',
  'renewedAt',
  'freeAt',
  'drainUntil',
  'lastSuccessAt',
  'lastSuccessSlotAt',
  'pausedAt',
  'nextSlotAt',
  'overdueAt',
  'overdueTold',
  'nearEndToldAt',
]);
