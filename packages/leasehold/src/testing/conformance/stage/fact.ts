import type { Capability } from './harness.ts';
import type { Scene } from './scene.ts';

/** One thing that is true of every store, and the test that shows it. */
export interface Fact {
  readonly name: string;
  readonly needs: readonly Capability[];
  readonly show: (scene: Scene) => Promise<void>;
}

/** `name` is a sentence; numbers in brackets (C16) are those of the field report it answers. */
export function fact(name: string, show: (scene: Scene) => Promise<void>, needs: readonly Capability[] = []): Fact {
  return { name, needs, show };
}
