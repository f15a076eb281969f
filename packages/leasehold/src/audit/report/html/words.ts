import { formatDuration } from '../../../domain/duration.ts';

/** `2026-11-30 14:05`, and `14:05:09` where seconds count; UTC, which the page says once. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** The label of a tick: the time of day, or the day where ticks are days apart. */
export function tickText(ms: number, stepMs: number): string {
  const iso = new Date(ms).toISOString();
  if (stepMs >= 86_400_000) return iso.slice(5, 10);
  return stepMs < 60_000 ? iso.slice(11, 19) : iso.slice(11, 16);
}

export function durationText(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms);
}

/** `1,234`. */
export function countText(count: number): string {
  return count.toLocaleString('en-GB');
}

/** `1 run`, `2 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
