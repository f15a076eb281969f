/**
 * Plays batches of calls that several clients make at once. Each batch must have come out as if its calls had been
 * made one after the other, in some order: one is looked for in which the model gives each call the answer it got
 * and the rows that are stored. (That is linearizability, for batches between which all is quiet.)
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../src/ports/store.ts';
import type { Batch } from './batches.ts';
import type { Expected } from './model/model-rows.ts';
import { type Call, Caller, type Move, World } from './model/world.ts';
import { readStored, sides, type Stored } from './stored.ts';
import { make, partOf, type Subject } from './subject.ts';

interface Made {
  readonly call: Call;
  readonly answer: Expected;
}

export class ConcurrentPlay {
  readonly #subject: Subject;
  readonly #clients: readonly Store[];
  readonly #caller = new Caller();
  /** All that has happened, in an order that explains it. */
  #history: readonly (Call | Move)[] = [];
  #world: World;

  constructor(subject: Subject, clients: readonly Store[]) {
    this.#subject = subject;
    this.#clients = clients;
    this.#world = this.#replay([]);
  }

  /** False where a call gave up waiting for another (`contended`), which a slow machine brings about: nothing more is known. */
  async step({ calls: commands, twin, move: moveCommand }: Batch): Promise<boolean> {
    const calls = commands.map((command) => this.#caller.callOf(command, this.#world));
    const [first] = calls;
    if (twin && first !== undefined) calls.push(first);
    const made = await Promise.all(
      calls.map(async (call, index) => ({ call, answer: await make(this.#subject, call, this.#clients[index]) })),
    );
    if (made.some(({ answer }) => answer['reason'] === 'contended')) return false;
    const stored = await Promise.all(this.#subject.locks.map((_, index) => readStored(this.#subject, index)));
    const order = orders(made).find((each) => this.#explains(each, stored));
    assert.ok(order !== undefined, `no order of these calls explains their answers and rows: ${JSON.stringify(made)}`);
    this.#history = [...this.#history, ...order.map(({ call }) => call)];
    for (const { call, answer } of order) {
      const token = answer['token'];
      if (call.call === 'start' && typeof token === 'string') this.#caller.noteGrant(call.lock, call.ask, token);
    }
    this.#world = this.#replay([]);
    const move = moveCommand === null ? null : this.#world.moveOf(moveCommand);
    if (move === null) return true;
    this.#history = [...this.#history, move];
    this.#world.applyMove(move);
    await this.#subject[move.move](move.ms);
    return true;
  }

  #explains(order: readonly Made[], stored: readonly Stored[]): boolean {
    const world = this.#replay([]);
    for (const { call, answer } of order) {
      const expected = world.apply(call);
      if (!isDeepStrictEqual(partOf(answer, expected), expected)) return false;
    }
    return stored.every((own, index) => {
      const [actual, expected] = sides(own, world.model(index), this.#subject.startMs);
      return isDeepStrictEqual(sorted(actual), sorted(expected));
    });
  }

  #replay(more: readonly Call[]): World {
    const world = new World(this.#subject.locks.length, this.#subject.hasBootClock);
    for (const each of [...this.#history, ...more]) {
      if ('move' in each) world.applyMove(each);
      else world.apply(each);
    }
    return world;
  }
}

/** Rows are numbered when they are written, calls of one batch take effect when they commit: their order tells nothing. */
function sorted({ runs, events, ...rest }: Expected): Expected {
  const inOrder = (rows: unknown): string[] => (rows as Expected[]).map((row) => JSON.stringify(row)).toSorted();
  return { ...rest, runs: inOrder(runs), events: inOrder(events) };
}

/** All orders of a few calls, the one in which they were made first. */
function orders<Each>(all: readonly Each[]): readonly (readonly Each[])[] {
  if (all.length <= 1) return [all];
  return all.flatMap((first, index) => orders(all.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}
