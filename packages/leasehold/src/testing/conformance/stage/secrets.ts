import assert from 'node:assert/strict';

/** Tokens seen in one test; none may turn up anywhere but in the answer that gave it. */
export class Secrets {
  readonly #tokens = new Set<string>();

  learn(token: string): void {
    this.#tokens.add(token);
  }

  assertAbsent(from: unknown): void {
    const text = JSON.stringify(from);
    for (const token of this.#tokens) assert.ok(!text.includes(token), `a token stands in ${text.slice(0, 500)}`);
  }
}
