/** Steps that people count time in, from a second to four weeks, in ms. */
const STEPS: readonly number[] = [
  1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
  7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_419_200_000,
];

/** Round values between `fromMs` and `toMs`, at most `limit` (at least 2) of them. */
export function ticksBetween(fromMs: number, toMs: number, limit: number): readonly number[] {
  const span = Math.max(1, toMs - fromMs);
  const step = STEPS.find((each) => span / each <= limit - 1) ?? Math.ceil(span / (limit - 1));
  const first = Math.ceil(fromMs / step) * step;
  const count = Math.max(0, Math.floor((toMs - first) / step) + 1);
  return Array.from({ length: Math.min(limit, count) }, (_, index) => first + index * step);
}

/** Where `value` of `from` … `to` lies on `0` … `length`, with one decimal; outside it is drawn at the edge. */
export function place(value: number, [from, to]: readonly [number, number], length: number): number {
  const share = to === from ? 0 : (value - from) / (to - from);
  return Math.round(Math.min(1, Math.max(0, share)) * length * 10) / 10;
}
