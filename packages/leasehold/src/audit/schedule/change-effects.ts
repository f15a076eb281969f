/** What one clock change does to one rule, as far as it is more than an hour's shift of what goes on all the time. */
import { type ChangeSpan, spanOf } from './change-span.ts';
import { DAY_MS, type DayPlan } from './day-plan.ts';
import { measureGaps } from './gaps.ts';
import type { PlannedRule } from './planned-rule.ts';
import { wallStarts } from './wall-starts.ts';
import { type ClockChange, openZone, type Zone } from './zone.ts';

export type ChangeEffect =
  /** A local time that doesn't exist is started at another instant. */
  | { readonly kind: 'moved'; readonly wallMs: number; readonly starts: readonly number[] }
  /** Local times that don't exist aren't started at all, and nothing else makes up for them. */
  | { readonly kind: 'dropped'; readonly walls: readonly number[] }
  /** Local times that come twice are started twice: the instants of the first of them. */
  | { readonly kind: 'doubled'; readonly walls: readonly number[]; readonly starts: readonly number[] }
  /** A start that no local time of the rule asks for. */
  | { readonly kind: 'added'; readonly starts: readonly number[] }
  /** Several starts at one instant. */
  | { readonly kind: 'together'; readonly count: number; readonly atMs: number }
  | { readonly kind: 'silent'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'closer'; readonly fromMs: number; readonly toMs: number };

const HOUR_MS = 3_600_000;
/** What comes more seldom has a day of 23 or 25 hours, and nothing silent about it. */
const FREQUENT_MS = 2 * HOUR_MS;
/** A host moves a start by no more than this. */
const DISPLACED_MS = 3 * HOUR_MS;

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
  const span = spanOf(days, change);
  const gaps = gapEffects(starts, change, usual, span);
  // A rhythm that goes on has an hour less or more, and its gaps tell whether it does.
  const effects = span.isRhythm ? [] : timeEffects({ days, zone, change, starts, span });
  // A start that is left out makes a gap, and one that comes twice a short one: said once.
  const implied = new Set<ChangeEffect['kind']>();
  if (effects.some(({ kind }) => kind === 'dropped')) implied.add('silent');
  if (effects.some(({ kind }) => kind === 'doubled')) implied.add('closer');
  if (gaps.some(({ kind }) => kind === 'closer')) implied.add('added');
  return [...effects, ...gaps].filter(({ kind }) => !implied.has(kind));
}

interface Around {
  readonly days: DayPlan;
  readonly zone: Zone;
  readonly change: ClockChange;
  /** Of the host, ascending; twice the same is two starts. */
  readonly starts: readonly number[];
  readonly span: ChangeSpan;
}

const timeEffects = (around: Around): ChangeEffect[] =>
  around.change.afterMs > around.change.beforeMs ? skipped(around) : repeated(around);

function skipped({ days, zone, change: { atMs }, starts, span: { times } }: Around): ChangeEffect[] {
  const [wallMs] = times;
  if (wallMs === undefined) return [];
  const byWall = new Set(wallStarts(days, zone, atMs, atMs + DISPLACED_MS));
  const after = starts.filter((at) => at >= atMs && at < atMs + DISPLACED_MS);
  const others = [...new Set(after)].filter((at) => !byWall.has(at));
  const lost = Math.min(times.length, Math.max(0, times.length - (after.length - byWall.size)));
  return [
    ...(others.length > 0 ? [{ kind: 'moved', wallMs, starts: others.slice(0, 3) } as const] : []),
    ...(lost > 0 ? [{ kind: 'dropped', walls: times.slice(times.length - lost) } as const] : []),
  ];
}

function repeated({ days, zone, change, starts, span: { times } }: Around): ChangeEffect[] {
  const { atMs, beforeMs, afterMs } = change;
  const all = new Set(starts);
  const walls = times.filter((wall) => all.has(wall - beforeMs) && all.has(wall - afterMs));
  const [first] = walls;
  if (first !== undefined) return [{ kind: 'doubled', walls, starts: [first - beforeMs, first - afterMs] }];
  const fromMs = atMs - (beforeMs - afterMs);
  const byWall = new Set(wallStarts(days, zone, fromMs, atMs + DISPLACED_MS));
  const added = starts.filter((at) => at >= fromMs && at < atMs + DISPLACED_MS && !byWall.has(at));
  return added.length > 0 ? [{ kind: 'added', starts: added.slice(0, 3) }] : [];
}

function gapEffects(
  starts: readonly number[],
  { atMs, beforeMs, afterMs }: ClockChange,
  usual: Usual,
  span: ChangeSpan,
): ChangeEffect[] {
  const effects: ChangeEffect[] = [];
  const shift = Math.abs(afterMs - beforeMs);
  for (const [index, toMs] of starts.entries()) {
    const fromMs = starts[index - 1];
    if (fromMs === undefined || toMs < atMs - DISPLACED_MS || fromMs > atMs + DISPLACED_MS) continue;
    const gap = toMs - fromMs;
    const isWithin = span.isRhythm && fromMs >= span.fromMs && toMs <= span.toMs;
    const longestMs = isWithin ? span.rhythmMs : usual.maxMs;
    if (gap === 0) {
      if (starts[index - 2] !== toMs) effects.push(together(starts, toMs));
    } else if (longestMs !== null && longestMs <= FREQUENT_MS && gap >= longestMs + shift) {
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
