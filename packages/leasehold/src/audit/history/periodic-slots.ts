import { indexFrom } from '../schedule/day-plan.ts';
import type { Period } from './period.ts';
import type { Judged } from './planned-slots.ts';
import { type Numbered, slotFacts, type SlotFacts } from './slots.ts';

/**
 * Slots of a period whose phase isn't known: where the starts leave a part of each period empty, a period begins
 * there; where they wander over all of it (a plain timer that drifts), each start is held against the one before.
 */
export function slotsByPeriod(
  starts: Float64Array,
  { periodMs, from }: Period,
  { untilMs, basis, idleMs }: Judged & { readonly basis: 'interval' | 'inferred' },
): SlotFacts {
  const own = starts.subarray(from);
  const cutMs = emptyPhase(own, periodMs);
  const numbered = cutMs === null ? byDistance(own, periodMs, untilMs) : byPhase(own, { periodMs, cutMs, untilMs });
  return slotFacts(
    { ...numbered, starts: own, idleMs: idleMs?.subarray(from) ?? null, offset: from, expected: () => 1 },
    { basis, gapMs: periodMs, offsetMs: null },
  );
}

type Numbering = Pick<Numbered, 'numbers' | 'dueMs' | 'last'>;

const BINS = 240;
/** A bin with so few of the starts is as good as empty. */
const EMPTY_SHARE = 0.002;
/** So much of the period has to be empty. */
const EMPTY_BINS_MIN = BINS / 10;

/** The middle of the longest part of the period in which nothing starts, in ms; null where there is none. */
function emptyPhase(starts: Float64Array, periodMs: number): number | null {
  const bins = new Int32Array(BINS);
  for (const start of starts) {
    const bin = Math.floor(((start % periodMs) / periodMs) * BINS) % BINS;
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const few = EMPTY_SHARE * starts.length;
  let longest = { from: 0, length: 0 };
  let length = 0;
  for (let at = 0; at < 2 * BINS; at += 1) {
    length = (bins[at % BINS] ?? 0) <= few ? Math.min(BINS, length + 1) : 0;
    if (length > longest.length) longest = { from: at - length + 1, length };
  }
  if (longest.length < EMPTY_BINS_MIN) return null;
  return (((longest.from + longest.length / 2) % BINS) / BINS) * periodMs;
}

function byPhase(
  starts: Float64Array,
  { periodMs, cutMs, untilMs }: { readonly periodMs: number; readonly cutMs: number; readonly untilMs: number },
): Numbering {
  const firstCut = Math.floor(((starts[0] ?? 0) - cutMs) / periodMs);
  const numbers = new Int32Array(starts.length);
  for (let at = 0; at < starts.length; at += 1) {
    numbers[at] = Math.floor(((starts[at] ?? 0) - cutMs) / periodMs) - firstCut;
  }
  const originMs = firstCut * periodMs + cutMs;
  const phaseMs = medianPhase(starts, numbers, { periodMs, originMs });
  return {
    numbers,
    dueMs: (number) => originMs + number * periodMs + phaseMs,
    // A slot is over when the next one begins.
    last: Math.floor((untilMs - originMs) / periodMs) - 1,
  };
}

const PHASES_MAX = 2_000;

/** When in its slot a start usually comes: of so many of them, evenly chosen. */
function medianPhase(
  starts: Float64Array,
  numbers: Int32Array,
  { periodMs, originMs }: { readonly periodMs: number; readonly originMs: number },
): number {
  const step = Math.max(1, Math.floor(starts.length / PHASES_MAX));
  const phases = new Float64Array(Math.ceil(starts.length / step));
  for (let at = 0; at < phases.length; at += 1) {
    phases[at] = (starts[at * step] ?? 0) - originMs - (numbers[at * step] ?? 0) * periodMs;
  }
  return phases.toSorted()[phases.length >> 1] ?? 0;
}

/** A start before three quarters of the period belongs to the slot that is open. */
const SAME_SLOT_SHARE = 0.75;

function byDistance(starts: Float64Array, periodMs: number, untilMs: number): Numbering {
  const numbers = new Int32Array(starts.length);
  let anchorMs = starts[0] ?? 0;
  let number = 0;
  // Of each slot that has a start: its number, and its first start.
  const anchors = { numbers: [number], ms: [anchorMs] };
  for (let at = 0; at < starts.length; at += 1) {
    const start = starts[at] ?? Number.NaN;
    const passedMs = start - anchorMs;
    if (passedMs >= SAME_SLOT_SHARE * periodMs) {
      number += Math.max(1, Math.round(passedMs / periodMs));
      anchorMs = start;
      anchors.numbers.push(number);
      anchors.ms.push(start);
    }
    numbers[at] = number;
  }
  const dueMs = (wanted: number): number => {
    const at = Math.max(0, indexFrom(anchors.numbers, wanted + 1) - 1);
    return (anchors.ms[at] ?? 0) + (wanted - (anchors.numbers[at] ?? 0)) * periodMs;
  };
  return { numbers, dueMs, last: number + Math.floor((untilMs - anchorMs) / periodMs - 0.5) };
}
