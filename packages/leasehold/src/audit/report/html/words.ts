import { formatDuration } from '../../../domain/duration.ts';

/** `2026-11-30 14:05`; UTC, which the page says once. */
export function minuteText(ms: number): string {
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
