import type { ModelRun } from './model-rows.ts';

/** The slots of one lock: which were named, which run did them. */
export class ModelSlots {
  /** Null while no run has done it. */
  readonly #doneBy = new Map<number, ModelRun | null>();

  name(slot: number | null): void {
    if (slot !== null && !this.#doneBy.has(slot)) this.#doneBy.set(slot, null);
  }

  finish(run: ModelRun): void {
    if (run.slot !== null) this.#doneBy.set(run.slot, run);
  }

  /** The run that did the slot; null where none has. */
  doneBy(slot: number | null): ModelRun | null {
    return slot === null ? null : (this.#doneBy.get(slot) ?? null);
  }

  lastDone(): number | null {
    const done = [...this.#doneBy].filter(([, run]) => run !== null).map(([slot]) => slot);
    return done.length === 0 ? null : Math.max(...done);
  }

  /** What a start of `own` is told: the slots after the last success that nobody has done, before its own. */
  missed(own: number | null): number[] {
    const after = this.lastDone() ?? -Infinity;
    const open = [...this.#doneBy].filter(([, run]) => run === null).map(([slot]) => slot);
    return open.filter((slot) => slot > after && slot < (own ?? Infinity)).toSorted((a, b) => a - b);
  }
}
