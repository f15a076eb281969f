/** A streak of skips is told long before the lease that causes it ends (C12), and ever more seldom, without end (C60). */
export const SKIP_STREAK_FIRST = 3;

/** True for the skips in a row at which a streak is told: 3, 6, 12, 24 … `leasehold._is_skip_streak` says the same. */
export function isSkipStreak(skipsInRow: number): boolean {
  return skipsInRow >= SKIP_STREAK_FIRST && Number.isInteger(Math.log2(skipsInRow / SKIP_STREAK_FIRST));
}
