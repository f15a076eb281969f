/**
 * The period of starts that nobody told the schedule of: what lies between a start and the one that comes `perSlot`
 * starts later is the same again and again. Older hosts start by plain timers from activation on, so a period has
 * no phase that could be known beforehand.
 *
 * Only the newest stretch that keeps to it counts: schedules change, and an older one is not a fault of the newer.
 */
export interface Period {
  readonly periodMs: number;
  /** Starts in each period: two or more may be several rules, or one that fires more than once. */
  readonly perSlot: number;
  /** From which start on it is kept to. */
  readonly from: number;
}

const STARTS_MIN = 8;
/** So far apart starts have to be on average: no schedule names less than a second, and what comes closer is events. */
const APART_MS_MIN = 900;
const SAMPLE_MAX = 2_000;
const PER_SLOT_MAX = 8;
/** So many of the distances have to be alike: slots are missed, and people start things by hand. */
const ALIKE_SHARE = 0.7;
/** What counts as a change of schedule is seen in so many starts. */
const BLOCK = 16;
/** Of so many blocks, one after the other, none keeps to the period: fewer are a disturbance, not a change. */
const CHANGED_BLOCKS = 4;

/** `starts` ascending. Null where they are too few or keep to no period. */
export function inferPeriod(starts: Float64Array): Period | null {
  const sampleFrom = Math.max(0, starts.length - SAMPLE_MAX);
  const sample = starts.subarray(sampleFrom);
  for (let perSlot = 1; perSlot <= PER_SLOT_MAX; perSlot += 1) {
    if (sample.length - perSlot < STARTS_MIN - 1) return null;
    const distances = distancesOf(sample, perSlot).toSorted();
    const middle = distances[distances.length >> 1] ?? 0;
    const alike = distances.filter((ms) => Math.abs(ms - middle) <= toleranceMs(middle)).length;
    if (middle < perSlot * APART_MS_MIN || alike < ALIKE_SHARE * distances.length) continue;
    if (perSlot > 1 && !repeatsWithin(sample, perSlot, middle)) continue;
    const from = newestStretch(starts, perSlot, middle);
    if (starts.length - from - perSlot < STARTS_MIN - 1) return null;
    return { periodMs: refined(starts.subarray(from), middle), perSlot, from };
  }
  return null;
}

/**
 * Several starts a period are several rules, or one that fires more than once: then what lies between neighbours comes again
 * one period later. Starts that are delayed at random, or begin a while after the last run ended, are about as far from the
 * second or third after them every time, since delays even out; yet no two of their distances need be alike.
 */
function repeatsWithin(starts: Float64Array, perSlot: number, periodMs: number): boolean {
  const apart = distancesOf(starts, 1);
  const nearMs = Math.max(NEAR_MS, periodMs / perSlot / 10);
  let alike = 0;
  for (let at = perSlot; at < apart.length; at += 1) {
    if (Math.abs((apart[at] ?? 0) - (apart[at - perSlot] ?? 0)) <= nearMs) alike += 1;
  }
  const count = apart.length - perSlot;
  // Of a few, many are alike by chance.
  return alike >= Math.min(0.9, ALIKE_SHARE + 1 / Math.sqrt(count)) * count;
}

/** A host's own timer is as exact as that. */
const NEAR_MS = 2_000;

function toleranceMs(ms: number): number {
  return Math.max(Math.min(2_000, ms / 4), ms / 10);
}

function distancesOf(starts: Float64Array, apart: number): Float64Array {
  const distances = new Float64Array(starts.length - apart);
  for (let at = 0; at < distances.length; at += 1) distances[at] = (starts[at + apart] ?? 0) - (starts[at] ?? 0);
  return distances;
}

/** Where, looking back, a block of starts keeps to another period. */
function newestStretch(starts: Float64Array, perSlot: number, periodMs: number): number {
  // Where the newest block ends that doesn't keep to it; null where it was only disturbed, by a backlog for instance.
  let changedAt: number | null = null;
  let others = 0;
  for (let to = starts.length; to > 0; to -= BLOCK) {
    const keeps = keepsTo(starts.subarray(Math.max(0, to - BLOCK), to + perSlot), perSlot, periodMs);
    if (keeps === true) [changedAt, others] = [null, 0];
    if (keeps !== false) continue;
    changedAt ??= to;
    others += 1;
    if (others === CHANGED_BLOCKS) break;
  }
  return changedAt === null ? 0 : afterChange(starts, { from: changedAt, perSlot, periodMs });
}

/** Null where the starts are too few to tell. */
function keepsTo(block: Float64Array, perSlot: number, periodMs: number): boolean | null {
  if (block.length <= perSlot + BLOCK / 2) return null;
  const distances = distancesOf(block, perSlot).toSorted();
  const middle = distances[distances.length >> 1] ?? 0;
  return Math.abs(middle - periodMs) <= 2 * toleranceMs(periodMs);
}

/** The change lies within the oldest block that keeps to the period: after its last start that doesn't. */
function afterChange(
  starts: Float64Array,
  { from, perSlot, periodMs }: { readonly from: number; readonly perSlot: number; readonly periodMs: number },
): number {
  let first = from;
  const to = Math.min(starts.length - perSlot, from + BLOCK);
  for (let at = from; at < to; at += 1) {
    const ms = (starts[at + perSlot] ?? 0) - (starts[at] ?? 0);
    if (Math.abs(ms - periodMs) > toleranceMs(periodMs)) first = at + 1;
  }
  return first;
}

/**
 * The mean over all periods, each counted with the ones that were missed: a thousandth too much would be a period too
 * many after a thousand. Whole minutes or seconds where those are as good: a day with a change of clocks is longer, but
 * the schedule is daily.
 */
function refined(starts: Float64Array, roughMs: number): number {
  let periods = 0;
  let anchor = starts[0] ?? 0;
  const first = anchor;
  for (const start of starts) {
    const passed = start - anchor < 0.75 * roughMs ? 0 : Math.max(1, Math.round((start - anchor) / roughMs));
    if (passed === 0) continue;
    periods += passed;
    anchor = start;
  }
  if (periods === 0) return roughMs;
  const mean = (anchor - first) / periods;
  const minutes = Math.round(roughMs / 60_000) * 60_000;
  if (minutes > 60_000 && Math.abs(minutes - roughMs) <= roughMs / 500) return minutes;
  const whole = Math.round(mean / 1_000) * 1_000;
  return whole > 0 && Math.abs(whole - mean) <= Math.max(1, mean / 500) ? whole : mean;
}
