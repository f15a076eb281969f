/** Workflows that are nothing but their start. */
import type { Drawn } from '../n8n/build.ts';
import { type Known, type KnownSchedule, n8n, type Sample } from './corpus.ts';

export const END: Drawn = { type: 'noOp' };

/** A trigger and nothing behind it that does anything: what is found is about the start. */
export function started(name: string, trigger: Drawn, known: Known, more: Record<string, unknown> = {}): Sample {
  return n8n(name, { nodes: { Start: trigger, End: END }, flow: 'Start > End', ...more }, known);
}

export const rule = (...interval: readonly unknown[]): Drawn => ({
  type: 'scheduleTrigger',
  typeVersion: 1.2,
  parameters: { rule: { interval } },
});
export const even = (gapMs: number): KnownSchedule => ({ gaps: [gapMs, gapMs] });

export function old(item: object): Drawn {
  return { type: 'cron', parameters: { triggerTimes: { item: [item] } } };
}
