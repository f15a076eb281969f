/**
 * Starts in an hour that clocks showed twice. Local times without an offset don't tell which of the two is meant; the
 * order of the rows may. The rows of one workflow that start in such an hour, one after the other, are held back until
 * a row outside it comes; then each way to cut them into a first and a second pass is tried, and where one way alone
 * keeps to the order of the file, and leaves no gap that the others contradict, it is taken. What stays open is marked,
 * and enters no figure: a guess would make overlaps and double starts out of nothing.
 */
import type { HistoryRun } from '../../model/run.ts';

/** A run by the first reading of its start, and by the second where there is one and the row doesn't tell. */
export interface ReadRun {
  readonly run: HistoryRun;
  readonly later: Pick<HistoryRun, 'startedAtMs' | 'endedAtMs' | 'slotAtMs'> | null;
}

/** Workflows whose rows are followed, and rows held back at a time; what comes beyond stays open. */
const FOLLOWED_MAX = 10_000;
const HELD_MAX = 100_000;
/** Of rows that follow each other, so many times more have to go one way than the other. */
const ORDER_RATIO = 10;
/** A gap between two passes may be so many times larger than any beside it. */
const GAP_RATIO = 2;

interface Followed {
  /** The start above the held rows; null where there is none. */
  aboveMs: number | null;
  held: ReadRun[];
}

type Order = 'up' | 'down' | 'mixed';

export class RepeatedHours {
  /** Runs that the order of the rows told, and those that nothing did. */
  told = 0;
  untold = 0;
  readonly #put: (run: HistoryRun) => void;
  readonly #followed = new Map<string, Followed>();
  #held = 0;
  #up = 0;
  #down = 0;

  /** `put`: where runs go, at once or once it is told when they started. */
  constructor(put: (run: HistoryRun) => void) {
    this.#put = put;
  }

  add(read: ReadRun): void {
    const { run, later } = read;
    const followed = this.#followedOf(run.workflow);
    if (followed === null || (later !== null && this.#held >= HELD_MAX)) {
      if (later === null) this.#put(run);
      else this.#leaveOpen(run);
      return;
    }
    if (later !== null && isSameHour(followed.held[0], read)) {
      followed.held.push(read);
      this.#held += 1;
      return;
    }
    if (followed.held.length > 0) this.#settle(followed, run.startedAtMs);
    if (later !== null) {
      followed.held.push(read);
      this.#held += 1;
      return;
    }
    this.#put(run);
    this.#follow(followed, run.startedAtMs);
  }

  /** To be called once, after the last row. */
  end(): void {
    for (const followed of this.#followed.values()) if (followed.held.length > 0) this.#settle(followed, null);
  }

  #followedOf(workflow: string): Followed | null {
    const known = this.#followed.get(workflow);
    if (known !== undefined || this.#followed.size >= FOLLOWED_MAX) return known ?? null;
    const followed: Followed = { aboveMs: null, held: [] };
    this.#followed.set(workflow, followed);
    return followed;
  }

  #follow(followed: Followed, startMs: number | null): void {
    if (startMs === null) return;
    if (followed.aboveMs !== null && startMs !== followed.aboveMs) {
      if (startMs > followed.aboveMs) this.#up += 1;
      else this.#down += 1;
    }
    followed.aboveMs = startMs;
  }

  /** `belowMs`: the start of the row behind them. */
  #settle(followed: Followed, belowMs: number | null): void {
    const { held, aboveMs } = followed;
    const order = this.#order() ?? orderBy({ aboveMs, belowMs }, held[0]?.run.startedAtMs ?? null);
    const isDown = order === 'down';
    const firstMs = (isDown ? held.toReversed() : held).map(({ run }) => run.startedAtMs ?? Number.NaN);
    const within = isDown ? { loMs: belowMs, hiMs: aboveMs } : { loMs: aboveMs, hiMs: belowMs };
    const cut = order === 'mixed' ? null : cutOf(firstMs, shiftOf(held[0]), within);
    for (const [at, { run, later }] of held.entries()) {
      if (cut === null) this.#leaveOpen(run);
      else this.#put((isDown ? held.length - 1 - at : at) >= cut && later !== null ? { ...run, ...later } : run);
    }
    if (cut !== null) this.told += held.length;
    this.#held -= held.length;
    followed.held = [];
  }

  #order(): Order | null {
    const [up, down] = [this.#up, this.#down];
    if (up === 0 && down === 0) return null;
    if (up >= ORDER_RATIO * down) return 'up';
    return down >= ORDER_RATIO * up ? 'down' : 'mixed';
  }

  #leaveOpen(run: HistoryRun): void {
    this.untold += 1;
    this.#put({ ...run, isClockSuspect: true, isHourOpen: true });
  }
}

function shiftOf(read: ReadRun | undefined): number {
  return (read?.later?.startedAtMs ?? Number.NaN) - (read?.run.startedAtMs ?? Number.NaN);
}

function isSameHour(one: ReadRun | undefined, other: ReadRun): boolean {
  if (one === undefined) return false;
  return Math.abs((one.run.startedAtMs ?? 0) - (other.run.startedAtMs ?? 0)) < shiftOf(one);
}

/** Where no two rows stand outside such an hour, what is above and below it has to do. */
function orderBy(
  { aboveMs, belowMs }: { aboveMs: number | null; belowMs: number | null },
  heldMs: number | null,
): Order {
  const at = heldMs ?? Number.NaN;
  const isUp = aboveMs === null ? at < (belowMs ?? Number.NaN) : aboveMs < at;
  return isUp ? 'up' : 'down';
}

interface Within {
  /** The starts before and after these, where they are known. */
  readonly loMs: number | null;
  readonly hiMs: number | null;
}

/**
 * How many of these starts, in the order of time by the first reading of each pass, are of the first pass; null where
 * several answers fit, or none.
 */
function cutOf(firstMs: readonly number[], shiftMs: number, within: Within): number | null {
  const equal = cutsOf(firstMs, shiftMs, within, (one, other) => one < other);
  // Several starts at one instant are no reason to give up.
  const cuts = equal.length > 0 ? equal : cutsOf(firstMs, shiftMs, within, (one, other) => one <= other);
  const [cut, ...others] = cuts;
  return cut === undefined || others.length > 0 || !isEven(instantsOf(firstMs, shiftMs, cut), cut, within) ? null : cut;
}

function cutsOf(
  firstMs: readonly number[],
  shiftMs: number,
  { loMs, hiMs }: Within,
  follows: (one: number, other: number) => boolean,
): number[] {
  const count = firstMs.length;
  const breaks: number[] = [];
  for (let at = 1; at < count && breaks.length < 2; at += 1) {
    if (!follows(firstMs[at - 1] ?? 0, firstMs[at] ?? 0)) breaks.push(at);
  }
  // Without a break any cut would do: three of them stand for all.
  const tried = breaks.length === 0 ? [...new Set([0, 1, count])] : breaks.length === 1 ? breaks : [];
  return tried.filter((cut) => {
    const instants = [firstMs[0] ?? 0, firstMs[count - 1] ?? 0];
    const fromMs = (instants[0] ?? 0) + (cut === 0 ? shiftMs : 0);
    const toMs = (instants[1] ?? 0) + (cut < count ? shiftMs : 0);
    return (loMs === null || loMs <= fromMs) && (hiMs === null || toMs <= hiMs);
  });
}

const instantsOf = (firstMs: readonly number[], shiftMs: number, cut: number): number[] =>
  firstMs.map((ms, at) => (at < cut ? ms : ms + shiftMs));

/** One row out of its turn looks like the end of a pass: the gap that this would leave is larger than all others. */
function isEven(instants: readonly number[], cut: number, { loMs, hiMs }: Within): boolean {
  if (cut === 0 || cut === instants.length) return true;
  const all = [...(loMs === null ? [] : [loMs]), ...instants, ...(hiMs === null ? [] : [hiMs])];
  const cutAt = cut + (loMs === null ? 0 : 1);
  let widest = 0;
  for (let at = 1; at < all.length; at += 1) {
    if (at !== cutAt) widest = Math.max(widest, (all[at] ?? 0) - (all[at - 1] ?? 0));
  }
  return (all[cutAt] ?? 0) - (all[cutAt - 1] ?? 0) < GAP_RATIO * widest;
}
