/** How instants and counts are said to people: in findings, in what was not read, in the terminal and on the page. */
import { formatDuration, parseDuration } from '../domain/duration.ts';

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

const UNITS_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/**
 * A duration that is said to be over a bound: as durations are written (two units, rounded down), and with all its units
 * where it would not look over the bound then (`5m 1ms`, over 5m).
 */
export function durationOver(ms: number, boundMs: number): string {
  const short = formatDuration(ms);
  const saidMs = short.split(' ').reduce((sum, part) => sum + parseDuration(part), 0);
  if (saidMs > boundMs) return short;
  let restMs = Math.ceil(ms);
  const parts: string[] = [];
  for (const [unit, unitMs] of Object.entries(UNITS_MS)) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(' ');
}
