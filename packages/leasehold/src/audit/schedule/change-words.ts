/** A clock change in words, as findings and explanations of gaps say it. */
import { formatDuration } from '../../domain/duration.ts';
import { instantText } from '../words.ts';
import type { ClockChange, Zone } from './zone.ts';

/** `2026-03-29 02:00`, by the clock on the wall. */
export const wallWords = (ms: number, offsetMs: number): string =>
  new Date(ms + offsetMs).toISOString().slice(0, 16).replace('T', ' ');

/** One sentence without its zone's rules: when, by how much, from which local time to which. */
export function changeWords({ atMs, beforeMs, afterMs }: ClockChange, zone: Zone): string {
  const shift = formatDuration(Math.abs(afterMs - beforeMs));
  const way = afterMs > beforeMs ? `forward by ${shift}` : `back by ${shift}`;
  const from = wallWords(atMs, beforeMs);
  const to = wallWords(atMs, afterMs);
  return `the clocks of ${zone.name} go ${way} at ${instantText(atMs)} (${from} becomes ${to.startsWith(from.slice(0, 10)) ? to.slice(11) : to})`;
}
