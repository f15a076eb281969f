import { extname } from 'node:path';
import { grouped } from '../../words.ts';
import { SAID } from './said.ts';

const KINDS_SHOWN = 4;

/** Counts what a folder holds besides histories and workflows, so that one line says it. */
export class UnrelatedFiles {
  readonly #byKind = new Map<string, number>();

  add(path: string): void {
    const kind = kindOf(path);
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + 1);
  }

  /** Null where there was none. */
  sentence(): string | null {
    const kinds = [...this.#byKind].toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    const total = kinds.reduce((sum, [, count]) => sum + count, 0);
    if (total === 0) return null;
    const shown = kinds.length === KINDS_SHOWN + 1 ? kinds : kinds.slice(0, KINDS_SHOWN);
    const others = total - shown.reduce((sum, [, count]) => sum + count, 0);
    const named = shown.map(([kind, count]) => `${grouped(count)} ${kind}`);
    return SAID.unrelated(total, [...named, ...(others > 0 ? [`${grouped(others)} others`] : [])].join(', '));
  }
}

/** By the end of the name, if that looks like an ending: `.png`. */
function kindOf(path: string): string {
  const ending = extname(path).toLowerCase();
  return /^\.[a-z0-9]{1,8}$/.test(ending) ? ending : 'without an ending';
}
