/**
 * Overlaps by a sweep over the starts. An overlap is a run whose start falls before the end of one that started
 * earlier; each later run counts once. At one instant ends come before starts.
 */
export interface UsedRuns {
  /** Sorted by start, then by id. */
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** 1 where the run crashed, so that its end is no more than an upper bound. */
  readonly isCrashed: Uint8Array;
  /** 1 where a webhook started it, which brings a record of its own. */
  readonly isWebhook: Uint8Array;
}

export interface Overlaps {
  readonly count: number;
  /** Those among the newest hundred. */
  readonly last100: number;
  /** Of those, the ones that rest neither on a crashed run's end alone nor on webhooks, which are meant to overlap. */
  readonly last100Certain: number;
  readonly crashedOnly: number;
  readonly webhooks: number;
  readonly maxConcurrent: number;
  /** The newest, at most 20, oldest first: the place of the later run, and of the earlier one that ended last. */
  readonly newest: readonly Overlap[];
}

export interface Overlap {
  readonly later: number;
  readonly earlier: number;
  readonly isCrashedOnly: boolean;
}

const NEWEST_MAX = 20;
const RECENT_MAX = 100;

export function overlapsOf({ startMs, endMs, isCrashed, isWebhook }: UsedRuns): Overlaps {
  const recentFrom = startMs.length - RECENT_MAX;
  const found = { count: 0, last100: 0, last100Certain: 0, crashedOnly: 0, webhooks: 0 };
  const newest: Overlap[] = [];
  // Of the runs before: the one that ended last, and its like among those whose end is certain.
  let lastAt = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  let certainAt = -1;
  let certainMs = Number.NEGATIVE_INFINITY;
  for (let later = 0; later < startMs.length; later += 1) {
    const start = startMs[later] ?? Number.NaN;
    if (start < lastMs) {
      const isCrashedOnly = !(start < certainMs);
      const isOfWebhook = isWebhook[later] === 1;
      found.count += 1;
      if (isCrashedOnly) found.crashedOnly += 1;
      if (isOfWebhook) found.webhooks += 1;
      if (later >= recentFrom) found.last100 += 1;
      if (later >= recentFrom && !isCrashedOnly && !isOfWebhook) found.last100Certain += 1;
      newest.push({ later, earlier: isCrashedOnly ? lastAt : certainAt, isCrashedOnly });
      if (newest.length > NEWEST_MAX) newest.shift();
    }
    const end = endMs[later] ?? Number.NaN;
    if (end > lastMs) [lastMs, lastAt] = [end, later];
    if (isCrashed[later] !== 1 && end > certainMs) [certainMs, certainAt] = [end, later];
  }
  return { ...found, maxConcurrent: maxConcurrent(startMs, endMs), newest };
}

/** A heap of the ends of those that run. */
function maxConcurrent(startMs: Float64Array, endMs: Float64Array): number {
  const heap: number[] = [];
  let most = 0;
  for (let at = 0; at < startMs.length; at += 1) {
    const start = startMs[at] ?? Number.NaN;
    while (heap.length > 0 && (heap[0] ?? 0) <= start) pop(heap);
    push(heap, endMs[at] ?? Number.NaN);
    if (heap.length > most) most = heap.length;
  }
  return most;
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): void {
  const value = heap.pop();
  if (value === undefined || heap.length === 0) return;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    const below = heap[child] ?? 0;
    if (below >= value) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = value;
}
