/** All locks of a sequence on one clock, and what the numbers in its commands mean at this point of it. */
import assert from 'node:assert/strict';
import type { Command, ReleaseCommand, RenewCommand, StartCommand } from '../commands.ts';
import { LockModel } from './lock-model.ts';
import { ModelClock } from './model-clock.ts';
import type { Expected, ModelAsk, ModelEvidence, ModelRun } from './model-rows.ts';

/** Slots of the commands are small numbers; any hour will do for the first. */
const SLOT_MS = 3_600_000;
const NO_TOKEN = 'a token that nobody was given';

/** A call as it is made: nothing in it depends on who else calls. `run` is the run that the token was given to. */
export type Call =
  | { readonly call: 'start'; readonly lock: number; readonly ask: ModelAsk }
  | {
      readonly call: 'renew';
      readonly by: Presented;
      readonly leaseMs: number | null;
      readonly progress: string | null;
    }
  | {
      readonly call: 'release';
      readonly by: Presented;
      readonly status: ReleaseCommand['status'];
      readonly afterMs: number;
    }
  | { readonly call: 'force'; readonly lock: number; readonly atOnce: boolean }
  | { readonly call: 'pause' | 'resume'; readonly lock: number };

/** A token, the lock it is presented to, and which start of that lock got it; null: none. */
export interface Presented {
  readonly lock: number;
  readonly token: string;
  readonly start: string | null;
}

/** A move of the clock. */
export interface Move {
  readonly move: 'pass' | 'suspend' | 'stepWall' | 'restart';
  readonly ms: number;
}

export type CallCommand = Exclude<Command, { ms: number } | { offMs: number }>;
export type MoveCommand = Extract<Command, { ms: number } | { offMs: number }>;

/** One start: its run id and holder. */
export function startKey({ runId, holder }: { readonly runId: string; readonly holder: string }): string {
  return `${runId} of ${holder}`;
}

export class World {
  readonly clock = new ModelClock();
  readonly models: readonly LockModel[];
  readonly #hasBootClock: boolean;

  constructor(lockCount: number, hasBootClock: boolean) {
    this.models = Array.from({ length: lockCount }, () => new LockModel(this.clock));
    this.#hasBootClock = hasBootClock;
  }

  model(lock: number): LockModel {
    const model = this.models[lock];
    assert.ok(model !== undefined);
    return model;
  }

  runOf(lock: number, start: string | null): ModelRun | null {
    return this.model(lock).runs.find((run) => startKey(run) === start) ?? null;
  }

  apply(call: Call): Expected {
    const expected = this.#answer(call);
    this.clock.wrote();
    return expected;
  }

  #answer(call: Call): Expected {
    switch (call.call) {
      case 'start':
        return this.model(call.lock).start(call.ask);
      case 'renew':
        return this.model(call.by.lock).renew(this.runOf(call.by.lock, call.by.start), call.leaseMs, call.progress);
      case 'release':
        return this.model(call.by.lock).release(this.runOf(call.by.lock, call.by.start), call.status, call.afterMs);
      case 'force':
        return this.model(call.lock).forceRelease(call.atOnce);
      case 'pause':
        return this.model(call.lock).pause();
      case 'resume':
        return this.model(call.lock).resume();
    }
  }

  /** Null where nothing moves: no end is near, or the store has no such clock. */
  moveOf(command: MoveCommand): Move | null {
    if (command.do === 'stepWall' && !this.#hasBootClock) return null;
    if (command.do !== 'edge') return { move: command.do, ms: command.ms };
    const ms = Math.min(...this.model(command.lock).edges()) + command.offMs - this.clock.now;
    return Number.isFinite(ms) && ms > 0 ? { move: 'pass', ms } : null;
  }

  applyMove({ move, ms }: Move): void {
    if (move === 'restart') this.clock.restart(ms);
    else if (move === 'stepWall') this.clock.stepWall(ms);
    else this.clock.pass(ms);
  }
}

/** Turns commands into calls. New starts are numbered; tokens are counted back from the newest. */
export class Caller {
  readonly #grants: { readonly lock: number; readonly token: string; readonly start: string }[] = [];
  #starts = 0;

  callOf(command: CallCommand, world: World): Call {
    switch (command.do) {
      case 'start':
        return { call: 'start', lock: command.lock, ask: this.#ask(command, world.model(command.lock)) };
      case 'renew': {
        const { leaseMs, progress } = command;
        return { call: 'renew', by: this.#presented(command, world), leaseMs, progress };
      }
      case 'release': {
        const { status, afterMs } = command;
        return { call: 'release', by: this.#presented(command, world), status, afterMs };
      }
      case 'force':
        return { call: 'force', lock: command.lock, atOnce: command.atOnce };
      case 'pause':
      case 'resume':
        return { call: command.do, lock: command.lock };
    }
  }

  /** Notes what a start got. */
  noteGrant(lock: number, ask: ModelAsk, token: string): void {
    const start = startKey(ask);
    const before = this.#grants.find((grant) => grant.lock === lock && grant.start === start);
    if (before === undefined) this.#grants.push({ lock, token, start });
    else assert.equal(token, before.token, 'a repeat gets the same token');
  }

  /** The newest tokens of a lock, oldest first. */
  tokensOf(lock: number, count: number): { readonly token: string; readonly start: string }[] {
    return this.#grants.filter((grant) => grant.lock === lock).slice(-count);
  }

  #ask(command: StartCommand, model: LockModel): ModelAsk {
    const { do: _, lock: _lock, repeats, asAnother, slot, bypass, evidence, ...same } = command;
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

  #presented({ token: index, elsewhere }: Pick<RenewCommand, 'token' | 'elsewhere'>, { models }: World): Presented {
    const grant = index === null ? undefined : this.#grants.at(-1 - (index % Math.max(1, this.#grants.length)));
    if (grant === undefined) return { lock: 0, token: NO_TOKEN, start: null };
    const { lock, token, start } = grant;
    return elsewhere ? { lock: (lock + 1) % models.length, token, start: null } : { lock, token, start };
  }
}

function evidenceOf(model: LockModel, { state, late }: NonNullable<StartCommand['evidence']>): ModelEvidence | null {
  const { lease } = model;
  if (lease === null) return null;
  return {
    fence: late === 'fence' ? model.fence - 1 : model.fence,
    until: late === 'end' ? lease.until - 1 : lease.until,
    state,
  };
}
