/** Starts that come so close to another that one trigger must have fired twice. */
export interface Pair {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

const NEAR_MS = 2_000;

/** Groups of starts of which each is within 2 s of the one before, or half a gap where that is less. */
export function pairsOf(starts: Float64Array, gapMs: number | null): readonly Pair[] {
  const nearMs = Math.min(NEAR_MS, (gapMs ?? Number.POSITIVE_INFINITY) / 2);
  const pairs: Pair[] = [];
  let from = 0;
  for (let at = 1; at <= starts.length; at += 1) {
    if (at < starts.length && (starts[at] ?? 0) - (starts[at - 1] ?? 0) <= nearMs) continue;
    if (at - from > 1) pairs.push({ from, to: at });
    from = at;
  }
  return pairs;
}
