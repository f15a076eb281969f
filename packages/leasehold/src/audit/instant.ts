/** An instant for people, ISO 8601 UTC: `2026-03-29T01:00:00Z`, with its milliseconds only where it has some. */
export function instantText(ms: number): string {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return 'unknown';
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** `1 run`, `2 runs`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
