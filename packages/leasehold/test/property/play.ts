/** Plays a sequence on a store and on the model side by side, and writes down what the store said. */
import assert from 'node:assert/strict';
import type { Command } from './commands.ts';
import type { HistoryEntry } from './history.ts';
import { checkHistory } from './invariants/check-history.ts';
import type { Expected } from './model/model-rows.ts';
import { type Call, Caller, startKey, World } from './model/world.ts';
import { readStored, sides } from './stored.ts';
import { make, partOf, plain, type Subject } from './subject.ts';

/** Of the tokens of one lock, how many are asked after each step whether they still hold it. */
const TOKENS_ASKED_MAX = 4;
const ROWS_MAX = 1_000;

/** What holds the store to its word: the model at each step, what it wrote down at the end, or both. */
export type Judge = 'model' | 'invariants' | 'both';

export class Play {
  readonly #subject: Subject;
  readonly #judge: Judge;
  readonly #world: World;
  readonly #caller = new Caller();
  readonly #entries: HistoryEntry[] = [];
  /** Which answers came up. */
  readonly #seen: Set<string>;

  constructor(subject: Subject, judge: Judge, seen: Set<string>) {
    this.#subject = subject;
    this.#judge = judge;
    this.#seen = seen;
    this.#world = new World(subject.locks.length, subject.hasBootClock);
  }

  async step(command: Command): Promise<void> {
    if ('ms' in command || 'offMs' in command) {
      const move = this.#world.moveOf(command);
      if (move === null) return;
      this.#world.applyMove(move);
      await this.#subject[move.move](move.ms);
      for (const lock of this.#subject.locks.keys()) await this.#compareStatus(lock);
      return;
    }
    const call = this.#caller.callOf(command, this.#world);
    const evidence = call.call === 'start' ? this.#world.model(call.lock).fitting(call.ask) : null;
    const answer = await make(this.#subject, call);
    const expected = this.#world.apply(call);
    const { outcome, reason, token, message } = answer;
    this.#seen.add(`${call.call} ${String(outcome === 'skipped' || outcome === 'lost' ? reason : outcome)}`);
    if (call.call === 'start' && typeof token === 'string') this.#caller.noteGrant(call.lock, call.ask, token);
    if (this.#judge !== 'invariants') assert.deepEqual(partOf(answer, expected), expected, String(message));
    await this.#writeDown(call, answer, evidence);
  }

  async #writeDown(call: Call, answer: Expected, evidence: string | null): Promise<void> {
    const { store, locks } = this.#subject;
    const index = 'by' in call ? call.by.lock : call.lock;
    const lock = locks[index] ?? '';
    const status = await this.#compareStatus(index);
    const holders = await this.#holders(index, lock);
    const runs = await store.runs({ lock, runId: null, limit: ROWS_MAX });
    const ended = runs.filter((run) => run.endedAt !== null || run.status !== null);
    const ends = new Map(ended.map((run) => [startKey(run), `${run.endedAt?.getTime()} ${run.status}`]));
    const { elapsed } = this.#world.clock;
    this.#entries.push({ ...calledOf(call, evidence), lock, elapsed, answer, status, holders, ends });
  }

  async #holders(index: number, lock: string): Promise<string[]> {
    const own = this.#caller.tokensOf(index, TOKENS_ASKED_MAX);
    const asked = await Promise.all(own.map(({ token }) => this.#subject.store.isHolder(lock, token)));
    const holders = own.filter((_, at) => asked[at]).map(({ token }) => token);
    if (this.#judge === 'invariants') return holders;
    const model = this.#world.model(index);
    const held = own.filter(({ start }) => model.runs.some((run) => startKey(run) === start && model.isHeldBy(run)));
    assert.deepEqual(
      holders,
      held.map(({ token }) => token),
      'who holds the lock',
    );
    return holders;
  }

  async #compareStatus(index: number): Promise<Expected | null> {
    const { store, locks, startMs } = this.#subject;
    const [status] = await store.status({ lock: locks[index] ?? '', limit: 1 });
    const said = status === undefined ? null : plain(status, startMs);
    if (this.#judge === 'invariants') return said;
    const model = this.#world.model(index);
    const expected = model.isKnown ? model.status() : null;
    assert.deepEqual(said === null ? null : partOf(said, expected ?? {}), expected, 'the status of the lock');
    return said;
  }

  /** Compares all that was stored, and holds the whole history against the guarantees. */
  async end(): Promise<void> {
    const stored = [];
    for (const [index, model] of this.#world.models.entries()) {
      const own = await readStored(this.#subject, index);
      stored.push(own);
      if (this.#judge === 'invariants') continue;
      const [actual, expected] = sides(own, model, this.#subject.startMs);
      assert.deepEqual(actual, expected, 'what is stored');
    }
    if (this.#judge === 'model') return;
    const { now, elapsed } = this.#world.clock;
    const runs = stored.flatMap((each) => each.runs);
    const events = stored.flatMap((each) => each.events);
    checkHistory({ entries: this.#entries, runs, events, isSteady: now === elapsed });
  }
}

/** What a call was, beside what every entry has. */
type Called<Entry = HistoryEntry> = Entry extends HistoryEntry
  ? Omit<Entry, 'lock' | 'elapsed' | 'answer' | 'status' | 'holders' | 'ends'>
  : never;

function calledOf(call: Call, evidence: string | null): Called {
  switch (call.call) {
    case 'start': {
      const { runId, holder, leaseMs, graceMs, waiting, slot, again } = call.ask;
      const asked = { runId, holder, leaseMs, graceMs, waiting, slot, again };
      return { call: 'start', ...asked, evidence };
    }
    case 'renew':
      return { call: 'renew', token: call.by.token, leaseMs: call.leaseMs, runStatus: null };
    case 'release':
      return { call: 'release', token: call.by.token, leaseMs: null, runStatus: call.status };
    case 'force':
    case 'pause':
    case 'resume':
      return { call: call.call };
  }
}
