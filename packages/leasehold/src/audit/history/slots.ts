/**
 * Which start belongs to which slot, and which slots had none or too many. Slots are numbered in order; how a start
 * gets its number differs (`planned-slots.ts`, `periodic-slots.ts`), what follows from the numbers doesn't.
 */
export interface SlotFacts {
  readonly basis: 'planned' | 'interval' | 'inferred';
  /** The smallest gap between slots. */
  readonly gapMs: number;
  readonly slotCount: number;
  /** Slots with more starts than planned, oldest first. */
  readonly shared: readonly SharedSlot[];
  /** Stretches of slots without a start, oldest first. */
  readonly empty: readonly EmptyStretch[];
  /** Starts that came so late that they fell into the slot of another. */
  readonly late: number;
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
  /** The place of the first of them in the list of planned starts. */
  readonly offset: number;
  /** When a slot was due. `lastStartMs` is the newest start before it. */
  readonly dueMs: (number: number, lastStartMs: number) => number;
  /** How many starts it may have. */
  readonly expected: (number: number) => number;
  /** The last slot that is over. */
  readonly last: number;
}

/** A start that comes after an empty slot, within so many slots, is that one's. */
const LATE_SLOTS_MAX = 3;
/** Where so many slots have too many starts, that is no lateness. */
const LATE_SHARE_MAX = 0.2;

export function slotFacts(
  numbered: Numbered,
  { basis, gapMs, offsetMs }: Pick<SlotFacts, 'basis' | 'gapMs' | 'offsetMs'>,
): SlotFacts {
  const slots = slotsOf(numbered);
  const first = slots[0]?.number ?? 0;
  const slotCount = slots.length === 0 ? 0 : Math.max(numbered.last, slots.at(-1)?.number ?? 0) - first + 1;
  const surplusSlots = slots.filter((slot) => slot.surplus > 0).length;
  const late = surplusSlots > LATE_SHARE_MAX * slots.length ? 0 : giveBack(slots);
  return {
    basis,
    gapMs,
    offsetMs,
    slotCount,
    late,
    shared: slots.filter(({ surplus }) => surplus > 0).map((slot) => sharedOf(slot, numbered)),
    empty: emptyStretches(slots, numbered),
  };
}

interface FilledSlot {
  readonly number: number;
  readonly from: number;
  to: number;
  /** More than expected. */
  surplus: number;
  /** Slots before it that stay empty. */
  emptyBefore: number;
}

function slotsOf({ numbers, expected }: Numbered): FilledSlot[] {
  const slots: FilledSlot[] = [];
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    const slot = slots.at(-1);
    if (slot !== undefined && slot.number === number) {
      slot.to = at + 1;
      slot.surplus = slot.to - slot.from - expected(number);
    } else {
      const emptyBefore = slot === undefined ? 0 : number - slot.number - 1;
      slots.push({ number, from: at, to: at + 1, surplus: 0, emptyBefore });
    }
  }
  return slots;
}

/** Lets late starts fill the slots before. Returns how many did. */
function giveBack(slots: FilledSlot[]): number {
  let late = 0;
  for (const [at, slot] of slots.entries()) {
    for (let next = at; next < at + LATE_SLOTS_MAX && slot.emptyBefore > 0; next += 1) {
      const other = slots[next];
      if (other === undefined || other.number - slot.number >= LATE_SLOTS_MAX) break;
      const given = Math.min(Math.max(0, other.surplus), slot.emptyBefore, LATE_SLOTS_MAX);
      other.surplus -= given;
      slot.emptyBefore -= given;
      late += given;
    }
  }
  return late;
}

function sharedOf({ number, from, to }: FilledSlot, { dueMs, starts, offset }: Numbered): SharedSlot {
  const firstMs = starts[from] ?? 0;
  return { slotMs: dueMs(number, firstMs), from: from + offset, to: to + offset };
}

function emptyStretches(slots: readonly FilledSlot[], numbered: Numbered): readonly EmptyStretch[] {
  const { starts, dueMs, last } = numbered;
  const stretches: EmptyStretch[] = [];
  for (const [at, slot] of slots.entries()) {
    const before = slots[at - 1];
    if (before === undefined || slot.emptyBefore <= 0) continue;
    const afterMs = starts[before.to - 1] ?? 0;
    stretches.push({
      firstMs: dueMs(slot.number - slot.emptyBefore, afterMs),
      lastMs: dueMs(slot.number - 1, afterMs),
      count: slot.emptyBefore,
      afterMs,
      beforeMs: starts[slot.from] ?? null,
    });
  }
  const newest = slots.at(-1);
  if (newest !== undefined && last > newest.number) {
    const afterMs = starts[newest.to - 1] ?? 0;
    stretches.push({
      firstMs: dueMs(newest.number + 1, afterMs),
      lastMs: dueMs(last, afterMs),
      count: last - newest.number,
      afterMs,
      beforeMs: null,
    });
  }
  return stretches;
}
