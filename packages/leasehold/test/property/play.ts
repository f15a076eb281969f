/** Plays a sequence on a store and on the model side by side, and writes down what the store said. */
import assert from 'node:assert/strict';
import type { Command, ReleaseCommand, RenewCommand, StartCommand } from './commands.ts';
import { type HistoryEntry, startKey } from './history.ts';
import { checkHistory } from './invariants/check-history.ts';
import { LockModel } from './model/lock-model.ts';
import { ModelClock } from './model/model-clock.ts';
import type { Expected, ModelAsk, ModelEvidence, ModelRun } from './model/model-rows.ts';
import { plain, requestOf, type Subject, tokenOf } from './subject.ts';

/** Slots of the commands are small numbers; any hour will do for the first. */
const SLOT_MS = 3_600_000;
const NO_TOKEN = 'a token that nobody was given';
/** Of the tokens of one lock, how many are asked after each step whether they still hold it. */
const TOKENS_ASKED_MAX = 4;
const ROWS_MAX = 1_000;

interface Grant {
  readonly lock: number;
  readonly token: string;
  readonly run: ModelRun;
}

/** What holds the store to its word: the model at each step, what it wrote down at the end, or both. */
export type Judge = 'model' | 'invariants' | 'both';

/** What a call was, beside what every entry has. */
type Called<Entry = HistoryEntry> = Entry extends HistoryEntry
  ? Omit<Entry, 'lock' | 'elapsed' | 'answer' | 'status' | 'holders' | 'ends'>
  : never;

export class Play {
  readonly #subject: Subject;
  readonly #judge: Judge;
  readonly #clock = new ModelClock();
  readonly #models: readonly LockModel[];
  /** Newest last. */
  readonly #grants: Grant[] = [];
  readonly #entries: HistoryEntry[] = [];
  /** Which answers came up. */
  readonly #seen: Set<string>;
  #starts = 0;

  constructor(subject: Subject, judge: Judge, seen: Set<string>) {
    this.#subject = subject;
    this.#judge = judge;
    this.#seen = seen;
    this.#models = subject.locks.map(() => new LockModel(this.#clock));
  }

  async step(command: Command): Promise<void> {
    switch (command.do) {
      case 'start':
        return await this.#start(command);
      case 'renew':
        return await this.#renew(command);
      case 'release':
        return await this.#release(command);
      case 'force': {
        const { lock, atOnce } = command;
        const answer = await this.#subject.store.forceRelease({ lock: this.#name(lock), reason: 'it hangs', atOnce });
        return await this.#note(lock, { call: 'force' }, answer, this.#model(lock).forceRelease(atOnce));
      }
      case 'pause': {
        const answer = await this.#subject.store.pause({ lock: this.#name(command.lock), reason: null });
        return await this.#note(command.lock, { call: 'pause' }, answer, this.#model(command.lock).pause());
      }
      case 'resume': {
        const answer = await this.#subject.store.resume({ lock: this.#name(command.lock) });
        return await this.#note(command.lock, { call: 'resume' }, answer, this.#model(command.lock).resume());
      }
      default:
        return await this.#move(command);
    }
  }

  async #move(command: Extract<Command, { ms: number } | { offMs: number }>): Promise<void> {
    const clock = this.#clock;
    if (command.do === 'edge') {
      const next = Math.min(...this.#model(command.lock).edges());
      const ms = next + command.offMs - clock.now;
      if (!Number.isFinite(ms) || ms <= 0) return;
      clock.pass(ms);
      await this.#subject.pass(ms);
    } else if (command.do === 'restart') {
      clock.restart(command.ms);
      await this.#subject.restart(command.ms);
    } else if (command.do === 'stepWall') {
      if (!this.#subject.hasBootClock) return;
      clock.stepWall(command.ms);
      await this.#subject.stepWall(command.ms);
    } else {
      clock.pass(command.ms);
      await this.#subject[command.do](command.ms);
    }
    for (const lock of this.#models.keys()) await this.#compareStatus(lock);
  }

  async #start(command: StartCommand): Promise<void> {
    const { lock } = command;
    const model = this.#model(lock);
    const ask = this.#askOf(command);
    const request = requestOf(ask, this.#name(lock), this.#subject.startMs);
    const answer = await this.#subject.store.acquire(request);
    const expected = model.start(ask);
    const token = tokenOf(answer);
    const run = model.runs.find((each) => startKey(each) === startKey(ask));
    if (token !== null && run !== undefined) {
      const before = this.#grants.find((grant) => grant.run === run);
      if (before === undefined) this.#grants.push({ lock, token, run });
      else assert.equal(token, before.token, 'a repeat gets the same token');
    }
    const { runId, holder, leaseMs, graceMs, waiting, slot, again, evidence } = ask;
    const called = { call: 'start' as const, runId, holder, leaseMs, graceMs, waiting, slot, again };
    await this.#note(lock, { ...called, evidence: evidence?.state ?? null }, answer, expected);
  }

  #askOf(command: StartCommand): ModelAsk {
    const { lock, repeats, asAnother, slot, bypass, evidence, ...same } = command;
    const model = this.#model(lock);
    this.#starts += 1;
    const before = repeats === null ? undefined : model.runs.at(-1 - (repeats % Math.max(1, model.runs.length)));
    const isSame = before !== undefined && !asAnother;
    const ownSlot = slot === null ? null : slot * SLOT_MS;
    return {
      ...same,
      runId: before?.runId ?? `run-${this.#starts}`,
      holder: isSame ? before.holder : `holder-${this.#starts}`,
      slot: isSame ? before.slot : ownSlot,
      bypass: bypass ? 'a person said so' : null,
      evidence: evidence === null ? null : evidenceOf(model, evidence),
    };
  }

  async #renew({ leaseMs, progress, ...which }: RenewCommand): Promise<void> {
    const { lock, token, run } = this.#presented(which);
    const answer = await this.#subject.store.renew({ lock: this.#name(lock), token, leaseMs, progress });
    const expected = this.#model(lock).renew(run, leaseMs, progress);
    await this.#note(lock, { call: 'renew', token, leaseMs, runStatus: null }, answer, expected);
  }

  async #release({ status, afterMs, ...which }: ReleaseCommand): Promise<void> {
    const { lock, token, run } = this.#presented(which);
    const answer = await this.#subject.store.release({ lock: this.#name(lock), token, status, afterMs });
    const expected = this.#model(lock).release(run, status, afterMs);
    await this.#note(lock, { call: 'release', token, leaseMs: null, runStatus: status }, answer, expected);
  }

  /** The token that a call presents, to which lock, and the run of that lock that it belongs to. */
  #presented({ token: index, elsewhere }: Pick<RenewCommand, 'token' | 'elsewhere'>): {
    readonly lock: number;
    readonly token: string;
    readonly run: ModelRun | null;
  } {
    const grant = index === null ? undefined : this.#grants.at(-1 - (index % Math.max(1, this.#grants.length)));
    if (grant === undefined) return { lock: 0, token: NO_TOKEN, run: null };
    const { lock, token, run } = grant;
    return elsewhere ? { lock: (lock + 1) % this.#models.length, token, run: null } : { lock, token, run };
  }

  #name(lock: number): string {
    return this.#subject.locks[lock] ?? '';
  }

  #model(lock: number): LockModel {
    const model = this.#models[lock];
    assert.ok(model !== undefined);
    return model;
  }

  /** Writes a call down and, with the model as judge, compares. */
  async #note(lock: number, called: Called, answer: object & { outcome: string }, expected: Expected): Promise<void> {
    this.#clock.wrote();
    const { store, startMs } = this.#subject;
    const said = plain(answer, startMs);
    const refined = said['reason'] !== undefined && answer.outcome !== 'bypassed' ? said['reason'] : answer.outcome;
    this.#seen.add(`${called.call} ${String(refined)}`);
    if (this.#judge !== 'invariants') assert.deepEqual(partOf(said, expected), expected, String(said['message']));
    const status = await this.#compareStatus(lock);
    const own = this.#grants.filter((grant) => grant.lock === lock).slice(-TOKENS_ASKED_MAX);
    const asked = await Promise.all(own.map(({ token }) => store.isHolder(this.#name(lock), token)));
    const holders = own.filter((_, index) => asked[index]).map(({ token }) => token);
    if (this.#judge !== 'invariants') {
      const held = own.filter(({ run }) => this.#model(lock).isHeldBy(run)).map(({ token }) => token);
      assert.deepEqual(holders, held, `who holds the lock after ${called.call}`);
    }
    const runs = await store.runs({ lock: this.#name(lock), runId: null, limit: ROWS_MAX });
    const ends = runs.filter((run) => run.endedAt !== null || run.status !== null);
    const after = {
      status,
      holders,
      ends: new Map(ends.map((run) => [startKey(run), `${run.endedAt?.getTime()} ${run.status}`])),
    };
    const at = { lock: this.#name(lock), elapsed: this.#clock.elapsed };
    this.#entries.push({ ...called, ...at, answer: said, ...after } as HistoryEntry);
  }

  async #compareStatus(lock: number): Promise<Expected | null> {
    const { store, startMs } = this.#subject;
    const [status] = await store.status({ lock: this.#name(lock), limit: 1 });
    const said = status === undefined ? null : plain(status, startMs);
    if (this.#judge === 'invariants') return said;
    const model = this.#model(lock);
    const expected = model.isKnown ? model.status() : null;
    assert.deepEqual(said === null ? null : partOf(said, expected ?? {}), expected, 'the status of the lock');
    return said;
  }

  /** Compares all that was stored, and holds the whole history against the guarantees. */
  async end(): Promise<void> {
    const { store, locks, startMs } = this.#subject;
    const runs = [];
    const events = [];
    for (const [index, lock] of locks.entries()) {
      const ownRuns = (await store.runs({ lock, runId: null, limit: ROWS_MAX })).toReversed();
      const ownEvents = (await store.events({ lock, kind: null, limit: ROWS_MAX })).toReversed();
      const { lastSuccessSlotAt } = await store.marks(lock);
      if (this.#judge !== 'invariants') {
        const model = this.#model(index);
        const rows = model.runs.map(rowOf);
        assert.deepEqual(
          ownRuns.map((run, at) => partOf(plain(run, startMs), rows[at] ?? {})),
          rows,
          'the rows of the runs',
        );
        const told = ownEvents.map(({ kind, runId }) => ({ kind, runId }));
        assert.deepEqual(told, model.events, 'the events, in their order');
        assert.equal(lastSuccessSlotAt === null ? null : lastSuccessSlotAt.getTime() - startMs, model.slots.lastDone());
      }
      runs.push(...ownRuns);
      events.push(...ownEvents);
    }
    if (this.#judge === 'model') return;
    const isSteady = this.#clock.now === this.#clock.elapsed;
    checkHistory({ entries: this.#entries, runs, events, isSteady });
  }
}

/** Of the actual object, the fields that the expected one has. */
function partOf(actual: Expected, expected: Expected): Expected {
  return Object.fromEntries(
    Object.entries(expected).map(([key, field]) => {
      const value = actual[key];
      const isObject = (each: unknown): each is Expected =>
        typeof each === 'object' && each !== null && !Array.isArray(each);
      return [key, isObject(field) && isObject(value) ? partOf(value, field) : value];
    }),
  );
}

function rowOf(run: ModelRun): Expected {
  const { runId, holder, outcome, reason, slot, fence, startedAt, endedAt, status, leaseMs, renewedAt } = run;
  const when = { slotAt: slot, startedAt, endedAt, status, leaseMs, renewedAt };
  const met = { ageMs: run.ageMs, previousRunId: run.previousRunId };
  return { runId, holder, outcome, reason, fence: fence === 0 ? null : fence, ...when, ...met };
}

function evidenceOf(model: LockModel, { state, late }: NonNullable<StartCommand['evidence']>): ModelEvidence | null {
  const { lease } = model;
  if (lease === null) return null;
  return { fence: model.fence, until: late ? lease.until - 1 : lease.until, state };
}
