import type { History } from './history.ts';

/**
 * Starts that had to wait, told from a trigger that fires more than once: both put several starts into one slot.
 * One that waited for a run to end begins when it ends, and the slot that it was planned for is empty.
 */

/** Hosts look for work that waits every few seconds. */
const AFTER_END_MS_MAX = 10_000;

/** For each planned start, ascending: how long nothing ran before it, in ms; negative where something still did. */
export function idleBefore({ plannedRows, plannedMs, table }: History): Float64Array {
  const idle = new Float64Array(plannedRows.length);
  let latestMs = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < plannedRows.length; at += 1) {
    idle[at] = (plannedMs[at] ?? 0) - latestMs;
    const endMs = table.endMs[plannedRows[at] ?? 0] ?? Number.NaN;
    if (endMs > latestMs) latestMs = endMs;
  }
  return idle;
}

/**
 * Gives starts that waited in line the slots they waited since, first come first served: `numbers` are changed, and
 * `isLate` marked, where that is so. Only a line that catches up is one: where each slot has one start, a run that
 * follows another at once is as planned. Returns how many starts came late. Both lists ascend, and are of one length.
 */
export function takeTurns(
  numbers: Int32Array,
  idleMs: Float64Array,
  { gapMs, isLate }: { readonly gapMs: number; readonly isLate: Uint8Array },
): number {
  const nearMs = Math.min(AFTER_END_MS_MAX, gapMs / 10);
  const late = { isLate, count: 0 };
  for (let from = 1; from < numbers.length; ) {
    let to = from;
    while (to < numbers.length && Math.abs(idleMs[to] ?? Number.NaN) <= nearMs) to += 1;
    const slots = (numbers[to - 1] ?? 0) - (numbers[from] ?? 0) + 1;
    if (to - from > slots) lineUp(numbers, { from, to }, late);
    from = to + 1;
  }
  return late.count;
}

/** Each takes the slot after the one before it, and none a later one than it began in. */
function lineUp(
  numbers: Int32Array,
  { from, to }: { readonly from: number; readonly to: number },
  late: { readonly isLate: Uint8Array; count: number },
): void {
  for (let at = from; at < to; at += 1) {
    const turn = (numbers[at - 1] ?? 0) + 1;
    if (turn >= (numbers[at] ?? 0)) continue;
    numbers[at] = turn;
    late.isLate[at] = 1;
    late.count += 1;
  }
}
