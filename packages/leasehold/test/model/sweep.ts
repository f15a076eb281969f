import { decideLookup } from '../../src/domain/records/decide-lookup.ts';
import type { LookupAnswer } from '../../src/domain/records/lookup.ts';
import type { AskedRecord } from '../../src/ports/record-store.ts';
import type { StoreUnderTest } from '../../src/testing/index.ts';
import type { StoryProvider } from './provider.ts';
import type { Play, Step } from './story.ts';
import { delaysOf, earlier, sceneOf } from './ticks.ts';

export const POOL = 'orders';

/** A claim whose holder has died. */
export interface Died {
  readonly claimId: string;
  readonly holder: string;
}

/** A sweep of a story: it asks the story's provider, and decides by the rules of the product. */
export class StorySweep {
  readonly #under: StoreUnderTest;
  readonly #provider: StoryProvider;
  readonly #play: Play;
  #asked: AskedRecord | null = null;
  #answer: LookupAnswer | null = null;
  #answeredAt = 0;

  constructor(under: StoreUnderTest, provider: StoryProvider, play: Play) {
    this.#under = under;
    this.#provider = provider;
    this.#play = play;
  }

  /** What it has seen of the store's rows, where those went back by a tick. */
  goBack(): void {
    if (this.#asked !== null) this.#asked = earlier(this.#asked);
  }

  /** Does one step; what came of it where the story tells that too. */
  async take(step: Step, died: Died | null, tick: number): Promise<string | null> {
    const { store } = this.#under;
    switch (step.do) {
      case 'holder-ended':
        if (died !== null) await store.noteHolderEnded({ pool: POOL, ...died });
        return null;
      case 'take': {
        const [asked = null] = await store.takeToAsk({ pool: POOL, limit: 1, everyMs: 0 });
        this.#asked = asked;
        return asked === null ? 'nothing' : null;
      }
      // A real sweep assumes nothing.
      case 'look-up':
      case 'assume':
        this.#answer = this.#provider.lookUp(step.do === 'assume' ? undefined : step.answer, tick);
        this.#answeredAt = await this.#under.now();
        return this.#asked === null ? null : this.#answer.kind;
      case 'apply':
        return await this.#apply();
      default:
        return null;
    }
  }

  async #apply(): Promise<string | null> {
    const [asked, answer] = [this.#asked, this.#answer];
    if (asked === null || answer === null) return null;
    const decision = decideLookup(sceneOf(asked, this.#answeredAt), delaysOf(this.#play), answer);
    const isBounded = decision.kind === 'requeue' && decision.sendBefore !== null;
    const applied = await this.#under.store.applyLookup({ seen: asked, decision });
    if (applied.outcome === 'overtaken') return 'overtaken';
    if (decision.kind === 'done') return 'found';
    return isBounded ? 'requeue-before' : decision.kind;
  }
}
