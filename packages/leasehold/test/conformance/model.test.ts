/**
 * Random interleavings of starts, slots, repeats, renewals, releases, force-releases, pauses and time on one lock,
 * each answer and row compared with an independent model. The seed is printed; LEASEHOLD_SEED replays it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RunStatus } from '../../src/domain/run.ts';
import type { AcquireRequest, Store } from '../../src/ports/store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { CountingIds, FakeClock } from '../../src/testing/index.ts';
import { LockModel, type ModelRun, type ModelStart } from './lock-model.ts';

const LOCK = 'job';
const SECOND = 1_000;
const seconds = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max }).map((count) => count * SECOND);
/** Which of the runs so far; taken modulo their number. */
const which = fc.nat({ max: 9 });
const leaseMs = fc.constantFrom(5 * SECOND, 10 * SECOND, 30 * SECOND);

const operations = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('start' as const),
        /** Null: a new run; else the run id (and, mostly, the holder) of one before. */
        again: fc.option(which, { freq: 3 }),
        asAnother: fc.boolean(),
        leaseMs,
        graceMs: seconds(20),
        onStale: fc.constantFrom('reclaim' as const, 'reclaim' as const, 'hold' as const),
        waiting: fc.boolean(),
        slot: fc.option(fc.nat({ max: 4 }), { freq: 3 }),
        rerun: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ op: fc.constant('renew' as const), which, leaseMs: fc.option(leaseMs) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constant('release' as const),
        which,
        status: fc.constantFrom<RunStatus | null>('success', 'failure', null),
        afterMs: fc.constantFrom(0, 0, 0, 15 * SECOND),
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('force' as const), atOnce: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const) }),
    },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('advance' as const), ms: seconds(20) }) },
  ),
  // Long sequences: a holder must be overtaken before it can come late.
  { maxLength: 40, size: 'max' },
);

const ALL_ANSWERS = [
  'force already_free',
  'force draining',
  'force released',
  'pause already_paused',
  'pause paused',
  'release already_free',
  'release expired',
  'release not_holder',
  'release released',
  'renew expired',
  'renew force_released',
  'renew released',
  'renew renewed',
  'renew taken_over',
  'resume not_paused',
  'resume resumed',
  'start acquired',
  'start already_ran',
  'start cooling',
  'start draining',
  'start held',
  'start hold',
  'start paused',
  'start reclaimed',
  'start run_ended',
];

type Operation = ReturnType<typeof operations.generate>['value'][number];

/** The store and the model side by side. */
class Pair {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly model = new LockModel();
  readonly #startMs: number;
  readonly #tokens = new Map<ModelRun, string>();
  readonly #seen: Set<string>;
  #count = 0;

  constructor(store: Store, clock: FakeClock, seen: Set<string>) {
    this.#seen = seen;
    this.store = store;
    this.clock = clock;
    this.#startMs = clock.read().wallMs;
  }

  async apply(operation: Operation): Promise<void> {
    switch (operation.op) {
      case 'start':
        await this.#start(operation);
        break;
      case 'renew':
        await this.#renew(operation);
        break;
      case 'release':
        await this.#release(operation);
        break;
      case 'force': {
        const answer = await this.store.forceRelease({ lock: LOCK, reason: 'model', atOnce: operation.atOnce });
        this.#compare('force', answer.outcome, this.model.forceRelease(operation.atOnce), answer.message);
        break;
      }
      case 'pause': {
        const answer = await this.store.pause({ lock: LOCK, reason: null });
        this.#compare('pause', answer.outcome, this.model.pause(), answer.message);
        break;
      }
      case 'resume': {
        const answer = await this.store.resume({ lock: LOCK });
        this.#compare('resume', answer.outcome, this.model.resume(), answer.message);
        break;
      }
      case 'advance':
        await this.clock.advance(operation.ms);
        this.model.now += operation.ms;
        break;
    }
    await this.#compareLock();
  }

  #compare(call: string, actual: string, expected: string, message: string): void {
    assert.equal(actual, expected, message);
    this.#seen.add(`${call} ${actual}`);
  }

  async #start(operation: Extract<Operation, { op: 'start' }>): Promise<void> {
    const { again, asAnother, leaseMs: lease, graceMs, onStale, waiting, slot, rerun } = operation;
    this.#count += 1;
    const before = again === null ? undefined : this.model.runs[again % Math.max(1, this.model.runs.length)];
    const holder = before !== undefined && !asAnother ? before.holder : `holder-${this.#count}`;
    const start: ModelStart = {
      runId: before?.runId ?? `run-${this.#count}`,
      holder,
      leaseMs: lease,
      graceMs,
      onStale,
      waiting,
      slot,
      again: rerun,
    };
    const answer = await this.store.acquire(requestOf(start));
    const expected = this.model.start(start);
    this.#compare('start', answer.outcome === 'skipped' ? answer.reason : answer.outcome, expected, answer.message);
    assert.equal(answer.skipsInRow, this.model.skipsInRow);
    const missed = this.model.missed(slotOf(answer.slotAt));
    assert.deepEqual(answer.missed.map(slotOf), missed, `missed: ${answer.message}`);
    if (answer.outcome === 'already_ran') {
      const earlier = this.model.slots.get(start.slot ?? -1);
      assert.deepEqual([answer.earlier.runId, answer.earlier.holder], [earlier?.runId, earlier?.holder]);
    }
    if (answer.outcome !== 'acquired' && answer.outcome !== 'reclaimed') return;
    const run = this.model.owner;
    assert.ok(run !== null);
    assert.equal(answer.token, this.#tokens.get(run) ?? answer.token, 'a repeat gets the same token');
    assert.ok(this.#tokens.has(run) || ![...this.#tokens.values()].includes(answer.token), 'a new token');
    this.#tokens.set(run, answer.token);
    assert.equal(slotOf(answer.slotAt), run.slot, 'the slot of the ask that was granted');
    assert.deepEqual([answer.fence, answer.remainingMs], [run.fence, this.model.leaseUntil - this.model.now]);
  }

  /** Of the runs that have ever had the lock, the one an operation means; null while there is none. */
  #granted(index: number): { run: ModelRun; token: string } | null {
    const granted = [...this.#tokens];
    const found = granted[index % Math.max(1, granted.length)];
    return found === undefined ? null : { run: found[0], token: found[1] };
  }

  async #renew(operation: Extract<Operation, { op: 'renew' }>): Promise<void> {
    const granted = this.#granted(operation.which);
    if (granted === null) return;
    const { run, token } = granted;
    const answer = await this.store.renew({
      lock: LOCK,
      token,
      leaseMs: operation.leaseMs,
      progress: null,
      holderInfo: null,
    });
    const expected = this.model.renew(run, operation.leaseMs);
    this.#compare('renew', answer.outcome === 'lost' ? answer.reason : answer.outcome, expected, answer.message);
    if (answer.outcome === 'renewed') assert.equal(answer.remainingMs, this.model.leaseUntil - this.model.now);
  }

  async #release({ which: index, status, afterMs }: Extract<Operation, { op: 'release' }>): Promise<void> {
    const granted = this.#granted(index);
    if (granted === null) return;
    const answer = await this.store.release({ lock: LOCK, token: granted.token, status, afterMs });
    this.#compare('release', answer.outcome, this.model.release(granted.run, status, afterMs), answer.message);
    assert.equal(answer.runId, granted.run.runId);
  }

  async #compareLock(): Promise<void> {
    const [status] = await this.store.status({ lock: LOCK, limit: 1 });
    const { model } = this;
    if (status === undefined) {
      assert.deepEqual([model.runs.length, model.events.length], [0, 0]);
      return;
    }
    const success = status.lastSuccessAt === null ? null : status.lastSuccessAt.getTime() - this.#startMs;
    assert.deepEqual(
      [status.state, status.skipsInRow, success, status.paused],
      [model.state(), model.skipsInRow, model.lastSuccessAt, model.isPaused],
    );
    assert.equal(slotOf((await this.store.marks(LOCK)).lastSuccessSlotAt), model.lastSuccessSlot());
    for (const [run, token] of this.#tokens) {
      assert.equal(await this.store.isHolder(LOCK, token), model.isHeldBy(run));
    }
  }

  async compareRows(): Promise<void> {
    const runs = (await this.store.runs({ lock: null, runId: null, limit: 1_000 })).toReversed();
    assert.deepEqual(
      runs.map((run) => [
        run.runId,
        run.holder,
        run.outcome,
        run.reason,
        run.fence ?? 0,
        run.status,
        run.endedAt !== null,
      ]),
      this.model.runs.map((run) => [
        run.runId,
        run.holder,
        run.outcome,
        run.reason,
        run.fence,
        run.status,
        run.fence > 0 && run.hasEnded,
      ]),
    );
    const events = (await this.store.events({ lock: null, kind: null, limit: 1_000 })).toReversed();
    assert.deepEqual(
      events.map((event) => event.kind),
      this.model.events,
    );
  }
}

/** Slots of the model are small numbers; any hour will do for the first. */
const SLOT_MS = 3_600_000;

function requestOf({ slot, ...start }: ModelStart): AcquireRequest {
  const slotAt = slot === null ? null : new Date(slot * SLOT_MS);
  return { ...start, lock: LOCK, holderInfo: null, slotAt, trigger: null, bypassReason: null, plan: null };
}

function slotOf(slotAt: Date | null): number | null {
  return slotAt === null ? null : slotAt.getTime() / SLOT_MS;
}

test('any interleaving of calls and time on one lock is answered and stored as the model says', async (context) => {
  const given = Number(process.env['LEASEHOLD_SEED']);
  const seed = Number.isSafeInteger(given) && given !== 0 ? given : Math.floor(Math.random() * 2 ** 31) + 1;
  context.diagnostic(`seed ${seed}`);
  const seen = new Set<string>();
  const property = fc.asyncProperty(operations, async (sequence) => {
    const clock = new FakeClock();
    const store = await openSqliteStore({ path: ':memory:', clock, ids: new CountingIds() });
    try {
      const pair = new Pair(store, clock, seen);
      for (const operation of sequence) await pair.apply(operation);
      await pair.compareRows();
    } finally {
      await store.close();
    }
  });
  // A negative control wants to know whether it fails, and not the shortest way to it.
  const endOnFailure = process.env['LEASEHOLD_MUTATION'] !== undefined;
  await fc.assert(property, { seed, numRuns: 300, endOnFailure });
  assert.deepEqual([...seen].toSorted(), ALL_ANSWERS, 'every answer that a lock can give came up');
});
