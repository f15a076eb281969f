import type { LookupAnswer } from '../../src/domain/records/lookup.ts';
import type { Play } from './story.ts';

/** `open`: its caller waits. `taken`, `turned`: decided, the answer is under way. `loose`: nobody waits, it may still be taken. */
type Call = 'none' | 'open' | 'taken' | 'turned' | 'loose';

/** The provider of a story: it takes calls when the story says so, and counts effects by itself. */
export class StoryProvider {
  effects = 0;
  readonly #play: Play;
  readonly #calls = new Map<string, Call>();
  #effectTick = 0;

  constructor(play: Play) {
    this.#play = play;
  }

  callOf(worker: string): Call {
    return this.#calls.get(worker) ?? 'none';
  }

  open(worker: string): void {
    this.#calls.set(worker, 'open');
  }

  /** Its caller gave up, or is gone. */
  letGo(worker: string): void {
    this.#calls.set(worker, this.callOf(worker) === 'open' ? 'loose' : 'none');
  }

  decide(worker: string, act: string, tick: number): void {
    const call = this.callOf(worker);
    if (call !== 'open' && call !== 'loose') return;
    if (act === 'accept') this.#accept(tick);
    this.#calls.set(worker, call === 'loose' ? 'none' : act === 'accept' ? 'taken' : 'turned');
  }

  #accept(tick: number): void {
    if (this.effects > 0 && tick - this.#effectTick < this.#play.windowTicks) return;
    if (this.effects === 0) this.#effectTick = tick;
    this.effects += 1;
  }

  /** What the story says, where that can be; else what is so. */
  lookUp(told: string | undefined, tick: number): LookupAnswer {
    const { visibleTicks, retentionTicks } = this.#play;
    const age = tick - this.#effectTick;
    const isForgotten = retentionTicks > 0 && age > retentionTicks;
    const canBeFound = this.effects > 0 && !isForgotten;
    const canBeAbsent = !canBeFound || age < visibleTicks;
    if (told === 'pending') return { kind: 'pending' };
    if (told === 'unknown') return { kind: 'unknown', error: 'timed out' };
    const isFound = told === 'found' ? canBeFound : !canBeAbsent;
    return isFound ? { kind: 'found', providerRef: 'ref-1' } : { kind: 'absent' };
  }
}
