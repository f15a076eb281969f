import { takeTurns } from './backlog.ts';

/**
 * Which start belongs to which slot, and which slots had none or too many. Slots are numbered in order; how a start
 * gets its number differs (`planned-slots.ts`, `periodic-slots.ts`), what follows from the numbers doesn't.
 */
export interface SlotFacts {
  /** `told`: the source says for which instant each run was planned. */
  readonly basis: 'planned' | 'interval' | 'told' | 'inferred';
  /** The smallest gap between slots. */
  readonly gapMs: number;
  readonly slotCount: number;
  /** Slots with more starts than planned, oldest first. */
  readonly shared: readonly SharedSlot[];
  /** Stretches of slots without a start, oldest first. */
  readonly empty: readonly EmptyStretch[];
  /** Slots at times at which, as the history shows, nothing is planned: in none of the other figures. */
  readonly closed: number;
  /** Starts that came so late that they fell into the slot of another. */
  readonly late: number;
  /** Which they are: 1 at their places in the list of planned starts. */
  readonly isLate: Uint8Array;
  /** How much later than planned the starts come, where that is always the same; null where it isn't, or isn't known. */
  readonly offsetMs: number | null;
}

export interface SharedSlot {
  readonly slotMs: number;
  /** Its starts: places in the list of planned starts, `to` not included. */
  readonly from: number;
  readonly to: number;
}

export interface EmptyStretch {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
  /** The start before, and the one after: null where there was none. */
  readonly afterMs: number;
  readonly beforeMs: number | null;
}

export interface Numbered {
  /** Of each start, ascending. */
  readonly numbers: Int32Array;
  readonly starts: Float64Array;
  /** How long nothing ran before each; null where it isn't known when they began. */
  readonly idleMs: Float64Array | null;
  /** The place of the first of them in the list of planned starts. */
  readonly offset: number;
  /** When a slot was due. */
  readonly dueMs: (number: number) => number;
  /** How many starts it may have. */
  readonly expected: (number: number) => number;
  /** The last slot that is over. */
  readonly last: number;
}

/** A start that comes after an empty slot, within so many slots, is that one's. */
const LATE_SLOTS_MAX = 3;
/** Of the slots of a silence so many have to be caught up with after it. */
const CAUGHT_UP_SHARE = 0.75;
/** Where so many slots have too many starts, that is no lateness. */
const LATE_SHARE_MAX = 0.2;

export function slotFacts(
  numbered: Numbered,
  { basis, gapMs, offsetMs }: Pick<SlotFacts, 'basis' | 'gapMs' | 'offsetMs'>,
): SlotFacts {
  const { numbers, idleMs, offset } = numbered;
  const isLate = new Uint8Array(offset + numbers.length);
  const waited = idleMs === null ? 0 : takeTurns(numbers, idleMs, { gapMs, isLate: isLate.subarray(offset) });
  const slots = filledSlots(numbered);
  const { count } = slots;
  const newest = slots.number[count - 1] ?? -1;
  const surplusSlots = slots.surplus.reduce((sum, surplus) => sum + (surplus > 0 ? 1 : 0), 0);
  const late = surplusSlots > LATE_SHARE_MAX * count ? 0 : giveBack(slots, isLate.subarray(offset));
  return {
    basis,
    gapMs,
    offsetMs,
    slotCount: count === 0 ? 0 : Math.max(numbered.last, newest) - (slots.number[0] ?? 0) + 1,
    late: waited + late,
    isLate,
    closed: 0,
    shared: sharedSlots(slots, numbered),
    empty: emptyStretches(slots, numbered),
  };
}

/** The slots that have starts, as columns: there may be a million. */
interface FilledSlots {
  readonly count: number;
  readonly number: Int32Array;
  /** The place of its first start; the next slot's is where it ends. */
  readonly from: Int32Array;
  /** Starts more than expected. */
  readonly surplus: Int32Array;
  /** Slots before it that stay empty. */
  readonly emptyBefore: Int32Array;
}

function filledSlots({ numbers, expected }: Numbered): FilledSlots {
  let count = 0;
  for (let at = 0; at < numbers.length; at += 1) if (at === 0 || numbers[at] !== numbers[at - 1]) count += 1;
  const columns = (): Int32Array => new Int32Array(count);
  const slots = {
    count,
    number: columns(),
    from: new Int32Array(count + 1),
    surplus: columns(),
    emptyBefore: columns(),
  };
  let slot = -1;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (at > 0 && number === numbers[at - 1]) continue;
    slot += 1;
    slots.number[slot] = number;
    slots.from[slot] = at;
    slots.emptyBefore[slot] = slot === 0 ? 0 : number - (numbers[at - 1] ?? 0) - 1;
  }
  slots.from[count] = numbers.length;
  for (slot = 0; slot < count; slot += 1) {
    const starts = (slots.from[slot + 1] ?? 0) - (slots.from[slot] ?? 0);
    if (starts > 1) slots.surplus[slot] = starts - expected(slots.number[slot] ?? 0);
  }
  return slots;
}

/** Lets late starts fill the slots before, and marks them. Returns how many did. */
function giveBack(slots: FilledSlots, isLate: Uint8Array): number {
  const { count, number, surplus, emptyBefore } = slots;
  let late = 0;
  for (let slot = 1; slot < count; slot += 1) {
    const empty = emptyBefore[slot] ?? 0;
    if (empty <= 0) continue;
    const most = isCaughtUp(slots, slot) ? empty : LATE_SLOTS_MAX;
    for (let next = slot; next < Math.min(count, slot + LATE_SLOTS_MAX); next += 1) {
      if ((number[next] ?? 0) - (number[slot] ?? 0) >= LATE_SLOTS_MAX) break;
      const given = Math.min(Math.max(0, surplus[next] ?? 0), emptyBefore[slot] ?? 0, most);
      markLate(slots, next, given, isLate);
      surplus[next] = (surplus[next] ?? 0) - given;
      emptyBefore[slot] = (emptyBefore[slot] ?? 0) - given;
      late += given;
    }
  }
  return late;
}

/** True where the slots after a silence have about as many starts too many as it has slots: they were caught up with. */
function isCaughtUp({ count, number, surplus, emptyBefore }: FilledSlots, slot: number): boolean {
  let extra = 0;
  for (let next = slot; next < Math.min(count, slot + LATE_SLOTS_MAX); next += 1) {
    if ((number[next] ?? 0) - (number[slot] ?? 0) < LATE_SLOTS_MAX) extra += Math.max(0, surplus[next] ?? 0);
  }
  const empty = emptyBefore[slot] ?? 0;
  return extra >= CAUGHT_UP_SHARE * empty && extra <= empty;
}

/** The first of a slot that aren't marked yet. */
function markLate({ from }: FilledSlots, slot: number, count: number, isLate: Uint8Array): void {
  let left = count;
  for (let at = from[slot] ?? 0; left > 0 && at < (from[slot + 1] ?? 0); at += 1) {
    if (isLate[at] === 1) continue;
    isLate[at] = 1;
    left -= 1;
  }
}

function sharedSlots(slots: FilledSlots, { dueMs, offset }: Numbered): readonly SharedSlot[] {
  const shared: SharedSlot[] = [];
  for (let slot = 0; slot < slots.count; slot += 1) {
    if ((slots.surplus[slot] ?? 0) <= 0) continue;
    const [from = 0, to = 0] = [slots.from[slot], slots.from[slot + 1]];
    const slotMs = dueMs(slots.number[slot] ?? 0);
    shared.push({ slotMs, from: from + offset, to: to + offset });
  }
  return shared;
}

function emptyStretches(slots: FilledSlots, { starts, dueMs, last }: Numbered): readonly EmptyStretch[] {
  const stretches: EmptyStretch[] = [];
  const add = (firstNumber: number, count: number, next: number): void => {
    const afterMs = starts[next - 1] ?? 0;
    stretches.push({
      firstMs: dueMs(firstNumber),
      lastMs: dueMs(firstNumber + count - 1),
      count,
      afterMs,
      beforeMs: starts[next] ?? null,
    });
  };
  for (let slot = 1; slot < slots.count; slot += 1) {
    const count = slots.emptyBefore[slot] ?? 0;
    if (count > 0) add((slots.number[slot] ?? 0) - count, count, slots.from[slot] ?? 0);
  }
  const newest = slots.number[slots.count - 1];
  if (newest !== undefined && last > newest) add(newest + 1, last - newest, starts.length);
  return stretches;
}
