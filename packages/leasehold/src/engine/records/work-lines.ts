import type { BeginAnswer, VerdictAnswer } from '../../domain/records/record.ts';
import { LeaseholdError } from '../../errors.ts';
import type { BeginItem, VerdictItem } from '../../ports/record-store.ts';
import type { EngineParts } from '../parts.ts';
import { WorkLine } from './work-line.ts';
import type { SendTerms } from './work-waiting.ts';

/** The lines of one store, one a pool, for as long as there is something on them. */
export class WorkLines {
  readonly #parts: EngineParts;
  readonly #lines = new Map<string, WorkLine>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  begin(pool: string, item: BeginItem, terms: SendTerms): Promise<BeginAnswer> {
    return this.#line(pool).begin(item, terms);
  }

  verdict(pool: string, item: VerdictItem, terms: SendTerms): Promise<VerdictAnswer> {
    return this.#line(pool).verdict(item, terms);
  }

  /** Gives up what is left, and tells its callers and the log. */
  close(): void {
    const error = new LeaseholdError('STORE_UNREACHABLE', 'Its store was closed by this process.', { isClosed: true });
    for (const line of this.#lines.values()) line.close(error);
  }

  /** Waits until all that was given is answered or given up, `waitMs` at most. True where nothing is left. */
  async settle(waitMs: number): Promise<boolean> {
    if (this.#lines.size === 0) return true;
    const settled = new AbortController();
    const patience = this.#parts.clock.sleep(waitMs, settled.signal).catch(() => {});
    const all = Promise.all([...this.#lines.values()].map((line) => line.idle()));
    await Promise.race([all, patience]);
    settled.abort();
    return this.#lines.size === 0;
  }

  #line(pool: string): WorkLine {
    const known = this.#lines.get(pool);
    if (known !== undefined) return known;
    const line = new WorkLine(pool, this.#parts, () => {
      if (this.#lines.get(pool) === line) this.#lines.delete(pool);
    });
    this.#lines.set(pool, line);
    return line;
  }
}
