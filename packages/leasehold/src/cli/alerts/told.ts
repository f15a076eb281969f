import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Remembers on this host what was told where, for things that can't be told through a store: an empty file for each.
 *
 * Written after the telling: a crash in between tells twice, with one id, and never not at all. A folder that can't
 * be written makes it tell each time, for the same reason.
 */
export class Told {
  readonly #folder: string | null;

  constructor(folder: string | null) {
    this.#folder = folder;
  }

  has(mark: string): boolean {
    try {
      return this.#folder !== null && statSync(join(this.#folder, mark)).isFile();
    } catch {
      return false;
    }
  }

  /** Remembers this mark, and forgets others that begin with the same `prefix`. */
  remember(mark: string, prefix: string): void {
    if (this.#folder === null) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.#folder, mark), '', { mode: 0o600 });
      for (const name of readdirSync(this.#folder)) {
        if (name.startsWith(prefix) && name !== mark) rmSync(join(this.#folder, name), { force: true });
      }
    } catch {
      // Told once more next time.
    }
  }
}
