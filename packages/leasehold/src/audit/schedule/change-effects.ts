/** What one clock change does to one rule, as far as it is more than an hour's shift of what goes on all the time. */
import { DAY_MS, type DayPlan } from './day-plan.ts';
import { measureGaps } from './gaps.ts';
import type { PlannedRule } from './planned-rule.ts';
import { wallStarts, wallTimes } from './wall-starts.ts';
import { type ClockChange, openZone, type Zone } from './zone.ts';

export type ChangeEffect =
  /** A local time that doesn't exist is started at another instant. */
  | { readonly kind: 'moved'; readonly wallMs: number; readonly starts: readonly number[] }
  /** A local time that doesn't exist isn't started at all, and nothing else makes up for it. */
  | { readonly kind: 'dropped'; readonly wallMs: number }
  /** A local time that comes twice is started twice. */
  | { readonly kind: 'doubled'; readonly wallMs: number; readonly starts: readonly number[] }
  /** Several starts at one instant. */
  | { readonly kind: 'together'; readonly count: number; readonly atMs: number }
  | { readonly kind: 'silent'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'closer'; readonly fromMs: number; readonly toMs: number };

const HOUR_MS = 3_600_000;
/** What comes more seldom has a day of 23 or 25 hours, and nothing silent about it. */
const FREQUENT_MS = 2 * HOUR_MS;

/** Gaps of ordinary days, without any change; null where there are none within the window. */
interface Usual {
  readonly minMs: number | null;
  readonly maxMs: number | null;
}

export function usualGaps(days: DayPlan, fromMs: number): Usual {
  const utc = openZone('UTC');
  if (utc === null) return { minMs: null, maxMs: null };
  const rule = { index: 0, days, starts: (from: number, to: number) => wallStarts(days, utc, from, to) };
  const { narrowest, widest } = measureGaps([rule], utc, fromMs, fromMs + 40 * DAY_MS);
  return {
    minMs: narrowest === null ? null : narrowest.toMs - narrowest.fromMs,
    maxMs: widest === null ? null : widest.toMs - widest.fromMs,
  };
}

export function effectsOf(rule: PlannedRule, zone: Zone, change: ClockChange, usual: Usual): ChangeEffect[] {
  const { days } = rule;
  if (days === null) return [];
  const { atMs } = change;
  const aroundMs = Math.min(50 * HOUR_MS, Math.max(4 * HOUR_MS, 2 * (usual.maxMs ?? 0)));
  const starts = [...rule.starts(atMs - aroundMs, atMs + aroundMs)];
  const effects =
    change.afterMs > change.beforeMs
      ? skipped(days, zone, change, starts, usual)
      : repeated(days, change, starts, usual);
  // A start that is left out makes a gap, and one that comes twice a short one: said once.
  const implied: ChangeEffect['kind'][] = effects.flatMap(({ kind }) =>
    kind === 'dropped' ? ['silent'] : kind === 'doubled' ? ['closer'] : [],
  );
  return [...effects, ...gapEffects(starts, change, usual).filter(({ kind }) => !implied.includes(kind))];
}

function skipped(
  days: DayPlan,
  zone: Zone,
  { atMs, beforeMs, afterMs }: ClockChange,
  starts: readonly number[],
  usual: Usual,
): ChangeEffect[] {
  const [wallMs] = wallTimes(days, atMs + beforeMs, atMs + afterMs);
  if (wallMs === undefined) return [];
  const byWall = new Set(wallStarts(days, zone, atMs - HOUR_MS, atMs + 3 * HOUR_MS));
  const others = starts.filter((at) => at >= atMs && at < atMs + 3 * HOUR_MS && !byWall.has(at));
  // What is started every few minutes has an hour less, and no gap.
  if (usual.maxMs !== null && usual.maxMs <= afterMs - beforeMs) return [];
  if (others.length > 0) return [{ kind: 'moved', wallMs, starts: others.slice(0, 3) }];
  const before = starts.findLast((at) => at < atMs);
  const after = starts.find((at) => at >= atMs);
  const isLost = usual.maxMs === null || before === undefined || after === undefined || after - before > usual.maxMs;
  const isMadeUp = starts.filter((at) => at === atMs).length > 1;
  return isLost && !isMadeUp ? [{ kind: 'dropped', wallMs }] : [];
}

function repeated(
  days: DayPlan,
  { atMs, beforeMs, afterMs }: ClockChange,
  starts: readonly number[],
  usual: Usual,
): ChangeEffect[] {
  const shift = beforeMs - afterMs;
  if (usual.minMs !== null && usual.minMs <= shift) return [];
  const [wallMs] = wallTimes(days, atMs + afterMs, atMs + beforeMs);
  if (wallMs === undefined) return [];
  const passes = starts.filter((at) => at >= atMs - shift && at < atMs + shift);
  return passes.length > 1 ? [{ kind: 'doubled', wallMs, starts: passes }] : [];
}

function gapEffects(starts: readonly number[], { atMs, beforeMs, afterMs }: ClockChange, usual: Usual): ChangeEffect[] {
  const effects: ChangeEffect[] = [];
  const shift = Math.abs(afterMs - beforeMs);
  for (const [index, toMs] of starts.entries()) {
    const fromMs = starts[index - 1];
    if (fromMs === undefined || toMs < atMs - 3 * HOUR_MS || fromMs > atMs + 3 * HOUR_MS) continue;
    const gap = toMs - fromMs;
    if (gap === 0) {
      if (starts[index - 2] !== toMs) effects.push(together(starts, toMs));
    } else if (usual.maxMs !== null && usual.maxMs <= FREQUENT_MS && gap >= usual.maxMs + shift) {
      effects.push({ kind: 'silent', fromMs, toMs });
    } else if (usual.minMs !== null && gap * 2 < usual.minMs) {
      effects.push({ kind: 'closer', fromMs, toMs });
    }
  }
  return effects;
}

const together = (starts: readonly number[], atMs: number): ChangeEffect => ({
  kind: 'together',
  atMs,
  count: starts.filter((at) => at === atMs).length,
});
