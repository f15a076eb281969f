import type { HistoryRun } from '../model/run.ts';
import { grown, RunIds } from './run-ids.ts';
import { hasFailed, packWords, stateOf } from './run-words.ts';

/**
 * All runs of all workflows, as columns: some 40 bytes a run, so that a million fit beside everything else.
 *
 * Identity: a run is the same as one that is there where workflow and run id are the same and the starts don't
 * contradict each other; then it counts once, and the later word of the two (ended) is kept. The same id with another
 * start is another run (two installations that count alike). A run without an id is named by its place in a file
 * (`line 12`), which names a run only together with its start.
 */
export class RunTable {
  readonly ids: RunIds = new RunIds();
  startMs: Float64Array = new Float64Array(CAPACITY);
  endMs: Float64Array = new Float64Array(CAPACITY);
  workflow: Int32Array = new Int32Array(CAPACITY);
  words: Uint16Array = new Uint16Array(CAPACITY);
  #versions: Int32Array | null = null;
  #slots: Float64Array | null = null;
  /** Of what waits, which is little. */
  readonly #waits = new Map<number, number | null>();
  readonly #versionNames = new Map<string, number>();
  readonly #versionList: string[] = [];
  #hashes: Uint32Array = new Uint32Array(CAPACITY);
  #index: Int32Array = new Int32Array(CAPACITY * 2);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** `added`; `repeated`: it was there already; `clashing`: added, though another of this id is there. */
  add(run: HistoryRun, workflow: number): 'added' | 'repeated' | 'clashing' {
    const row = this.ids.add(run.runId);
    if (row === this.startMs.length) this.#grow(row * 2);
    this.#fill(row, run, workflow);
    const isPlace = run.runId.length <= PLACE_LENGTH_MAX && run.runId.includes(' ') && PLACE.test(run.runId);
    const seed = 0x811c9dc5 ^ Math.imul(workflow + 1, 0x9e3779b1) ^ (isPlace ? (run.startedAtMs ?? 0) | 0 : 0);
    const hash = this.ids.hashOfLast(seed);
    this.#hashes[row] = hash;
    const index = this.#index;
    const mask = index.length - 1;
    let isClashing = false;
    let at = hash & mask;
    for (let other = index[at] ?? 0; other !== 0; at = (at + 1) & mask, other = index[at] ?? 0) {
      const known = other - 1;
      if (this.#hashes[known] !== hash || this.workflow[known] !== workflow || !this.ids.isSame(known, row)) continue;
      if (run.isPart === true) {
        this.#joinPart(known, row);
        this.ids.dropLast();
        return 'repeated';
      }
      if (this.#mayBeOne(known, row, isPlace)) {
        this.#keepLater(known, row);
        this.ids.dropLast();
        return 'repeated';
      }
      isClashing ||= !isPlace;
    }
    index[at] = row + 1;
    this.#count += 1;
    return isClashing ? 'clashing' : 'added';
  }

  /** Nothing is added after this: what finds repeated runs is let go. */
  seal(): void {
    this.#hashes = new Uint32Array(0);
    this.#index = new Int32Array(0);
  }

  versionOf(row: number): string | null {
    const number = this.#versions?.[row] ?? 0;
    return number === 0 ? null : (this.#versionList[number - 1] ?? null);
  }

  /** The instant that it was planned for; null where the source told none. */
  slotOf(row: number): number | null {
    const slot = this.#slots?.[row] ?? Number.NaN;
    return Number.isNaN(slot) ? null : slot;
  }

  /** Until when it waits: null where only a call ends that; undefined where nobody said. */
  waitOf(row: number): number | null | undefined {
    return this.#waits.get(row);
  }

  #fill(row: number, run: HistoryRun, workflow: number): void {
    this.startMs[row] = run.startedAtMs ?? Number.NaN;
    this.endMs[row] = run.endedAtMs ?? Number.NaN;
    this.workflow[row] = workflow;
    this.words[row] = packWords(run);
    if (run.versionId !== null) {
      this.#versions ??= new Int32Array(this.startMs.length);
      this.#versions[row] = this.#versionNumber(run.versionId);
    } else if (this.#versions !== null) this.#versions[row] = 0;
    if (run.waitTillMs !== undefined) this.#waits.set(row, run.waitTillMs);
    else if (this.#waits.size > 0) this.#waits.delete(row);
    if (run.slotAtMs !== null) this.#slots ??= new Float64Array(this.startMs.length).fill(Number.NaN);
    if (this.#slots !== null) this.#slots[row] = run.slotAtMs ?? Number.NaN;
  }

  #versionNumber(name: string): number {
    const known = this.#versionNames.get(name);
    if (known !== undefined) return known;
    this.#versionList.push(name);
    this.#versionNames.set(name, this.#versionList.length);
    return this.#versionList.length;
  }

  #mayBeOne(known: number, row: number, isPlace: boolean): boolean {
    const [one, other] = [this.startMs[known] ?? Number.NaN, this.startMs[row] ?? Number.NaN];
    if (isPlace) return one === other && sameNumber(this.endMs[known], this.endMs[row]);
    return one === other || Number.isNaN(one) || Number.isNaN(other);
  }

  /** From the first start to the last end; open while one of its parts is, and no better than the worst of them. */
  #joinPart(known: number, row: number): void {
    const [own, part] = [this.words[known] ?? 0, this.words[row] ?? 0];
    const [startMs, partMs] = [this.startMs[known] ?? Number.NaN, this.startMs[row] ?? Number.NaN];
    if (Number.isNaN(startMs) || partMs < startMs) {
      this.startMs[known] = partMs;
      if (this.#slots !== null) this.#slots[known] = this.#slots[row] ?? Number.NaN;
    }
    const endMs = this.endMs[row] ?? Number.NaN;
    const isOpen = stateOf(own) !== 'ended';
    if (Number.isNaN(this.endMs[known]) || endMs > (this.endMs[known] ?? Number.NaN)) this.endMs[known] = endMs;
    if (!isOpen && (stateOf(part) !== 'ended' || hasFailed(part))) this.words[known] = part;
  }

  /** What was running in one export may have ended in a later one. */
  #keepLater(known: number, row: number): void {
    const isLater = stateOf(this.words[known] ?? 0) !== 'ended' && stateOf(this.words[row] ?? 0) === 'ended';
    const knowsStart = !Number.isNaN(this.startMs[row]) && Number.isNaN(this.startMs[known]);
    if (!isLater && !knowsStart) return;
    if (!Number.isNaN(this.startMs[row])) this.startMs[known] = this.startMs[row] ?? Number.NaN;
    this.endMs[known] = this.endMs[row] ?? Number.NaN;
    this.words[known] = this.words[row] ?? 0;
    if (this.#versions !== null) this.#versions[known] = this.#versions[row] ?? 0;
    if (this.#slots !== null) this.#slots[known] = this.#slots[row] ?? Number.NaN;
    const waitMs = this.#waits.get(row);
    if (waitMs === undefined) this.#waits.delete(known);
    else this.#waits.set(known, waitMs);
  }

  #grow(capacity: number): void {
    this.startMs = grown(this.startMs, capacity);
    this.endMs = grown(this.endMs, capacity);
    this.workflow = grown(this.workflow, capacity);
    this.words = grown(this.words, capacity);
    this.#hashes = grown(this.#hashes, capacity);
    if (this.#versions !== null) this.#versions = grown(this.#versions, capacity);
    if (this.#slots !== null) {
      const filled = this.#slots.length;
      this.#slots = grown(this.#slots, capacity).fill(Number.NaN, filled);
    }
    this.#index = new Int32Array(capacity * 2);
    const mask = this.#index.length - 1;
    for (let row = 0; row < this.#count; row += 1) {
      let at = (this.#hashes[row] ?? 0) & mask;
      while (this.#index[at] !== 0) at = (at + 1) & mask;
      this.#index[at] = row + 1;
    }
  }
}

const CAPACITY = 1 << 10;
const PLACE_LENGTH_MAX = 40;
/** `line 12`, `row 7`: where a run without an id was found. */
const PLACE = /^[a-z]+ \d+$/;

function sameNumber(one: number | undefined, other: number | undefined): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other));
}
