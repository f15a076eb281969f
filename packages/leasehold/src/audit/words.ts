/** How instants and counts are said to people: in findings, in what was not read, in the terminal and on the page. */

/** ISO 8601 UTC: `2026-03-29T01:00:00Z`, with its milliseconds only where it has some. */
export function instantText(ms: number): string {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return 'unknown';
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** `12,345`, the same whatever the language of the host. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 run`, `2,000 runs`; of a noun that doesn't take an s, `many` is given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Of a workflow that nothing starts. */
export const OFF_WORDS: Readonly<Record<'off' | 'archived', string>> = { off: 'switched off', archived: 'archived' };
