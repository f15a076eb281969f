/**
 * When a schedule starts its workflow, exactly, by its host's own rules: asked for slots by the rules about history, and
 * for its smallest gap by those about overlap.
 *
 * What can't be known is said and not guessed silently: a zone that the source doesn't name (then UTC), the first start
 * of something that counts from it (then the phase is unknown, and slots are to be inferred from the history), and rules
 * that only the platform can work out (then there are no instants).
 */
import type { FoundSchedule } from '../model/schedule.ts';
import { type Gap, type GapFacts, type Meeting, measureGaps } from './gaps.ts';
import { KeptResults } from './kept-results.ts';
import { type PlannedRule, planRule } from './planned-rule.ts';
import { openZone, type Zone } from './zone.ts';

export interface PlanWindow {
  /** The span in which gaps are measured: 400 days from today, or what was asked for. UTC, in and out. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The zone to take where the schedule names none; null where the caller knows none either. */
  readonly timezone: string | null;
}

export interface PlannedStarts {
  readonly schedule: FoundSchedule;
  readonly window: PlanWindow;
  readonly rules: readonly PlannedRule[];
  readonly zone: Zone;
  /** False where neither the schedule nor the caller named a zone that exists, and UTC was taken. */
  readonly isZoneKnown: boolean;
  /** True where instants of `between` can be compared with starts of a history. */
  readonly isPhaseKnown: boolean;
  /** Sentences: those of the schedule, and what was taken for granted here. */
  readonly assumes: readonly string[];
  /** Null where nothing can be planned, or at most one start lies in the window. Rules that meet leave no gap of 0. */
  readonly minGapMs: number | null;
  readonly maxGapMs: number | null;
  readonly narrowest: Gap | null;
  readonly widest: Gap | null;
  /** Starts in the window, those of rules that meet counted one each; an estimate where the phase is unknown. */
  readonly starts: number;
  /** At how many instants of the window several rules start together, and the first of them. */
  readonly meetings: number;
  readonly firstMeeting: Meeting | null;
  /** Planned instants from `fromMs` (in) to `toMs` (out), ascending, each once; at most `limit`, the earliest. */
  between(fromMs: number, toMs: number, limit: number): number[];
}

const UTC = 'UTC';
const MEASURED = new KeptResults<GapFacts>(5_000);

/** All that gaps and clock changes hang on. */
function keyOf({ host, timezone, rules }: FoundSchedule, zone: Zone, { fromMs, toMs }: PlanWindow): string {
  const plans = rules.map(({ plan, fault }) => (fault === null ? plan : null));
  return JSON.stringify([host, timezone === null, zone.name, fromMs, toMs, plans]);
}

export function planStarts(schedule: FoundSchedule, window: PlanWindow): PlannedStarts {
  const { zone, isZoneKnown, sentence } = zoneOf(schedule, window.timezone);
  const rules = schedule.rules.map((rule, index) => planRule(rule, index, schedule, zone, window.fromMs));
  const live = rules.filter(isLive);
  let facts: GapFacts | null = null;
  const key = keyOf(schedule, zone, window);
  const measured = (): GapFacts => (facts ??= MEASURED.get(key, () => measure(live, zone, window)));
  return {
    schedule,
    window,
    rules,
    zone,
    isZoneKnown,
    isPhaseKnown: live.length > 0 && live.every((rule) => rule.isPhaseKnown),
    assumes: [...schedule.assumes, ...(sentence === null ? [] : [sentence]), ...phaseSentences(live)],
    get minGapMs() {
      return length(measured().narrowest);
    },
    get maxGapMs() {
      return length(measured().widest);
    },
    get narrowest() {
      return measured().narrowest;
    },
    get widest() {
      return measured().widest;
    },
    get starts() {
      return measured().starts;
    },
    get meetings() {
      return measured().meetings;
    },
    get firstMeeting() {
      return measured().firstMeeting;
    },
    between: (fromMs, toMs, limit) => startsBetween(live, fromMs, toMs, limit),
  };
}

const isLive = ({ rule, never }: PlannedRule): boolean => never === null && rule.plan !== null;
const length = (gap: Gap | null): number | null => (gap === null ? null : gap.toMs - gap.fromMs);

function zoneOf(
  schedule: FoundSchedule,
  given: string | null,
): { zone: Zone; isZoneKnown: boolean; sentence: string | null } {
  const name = schedule.timezone ?? given;
  const zone = name === null ? null : openZone(name);
  if (zone !== null) return { zone, isZoneKnown: true, sentence: null };
  const utc = openZone(UTC);
  if (utc === null) throw new Error(UTC);
  // From start to start the clock doesn't matter.
  if (name === null && schedule.rules.every(({ plan }) => plan?.kind === 'interval')) {
    return { zone: utc, isZoneKnown: false, sentence: null };
  }
  const sentence =
    name === null
      ? 'The time zone is not known: UTC was taken, which has no daylight saving; name it with --timezone.'
      : `"${name}" is no time zone that is known: UTC was taken; name one with --timezone, for example Europe/Berlin.`;
  return { zone: utc, isZoneKnown: false, sentence };
}

function phaseSentences(live: readonly PlannedRule[]): string[] {
  const unknown = live.filter((rule) => !rule.isPhaseKnown);
  if (unknown.length === 0) return [];
  const names = unknown.map(({ rule }) => `"${rule.expression}"`).join(', ');
  const counted = `${names} counts from a first start that no file tells, so its instants are not known, only its gaps`;
  return [live.length > 1 ? `${counted}; starts of the other rules may come closer than said.` : `${counted}.`];
}

/** Rules that count from their own last start can't be set against others: their gaps stand beside them. */
function measure(live: readonly PlannedRule[], zone: Zone, { fromMs, toMs }: PlanWindow): GapFacts {
  const facts = measureGaps(
    live.filter(({ everyMs }) => everyMs === null),
    zone,
    fromMs,
    toMs,
  );
  let { starts, narrowest, widest } = facts;
  for (const { everyMs } of live) {
    if (everyMs === null) continue;
    const gap: Gap = { fromMs, toMs: fromMs + everyMs };
    starts += Math.floor((toMs - fromMs) / everyMs);
    if (narrowest === null || everyMs < narrowest.toMs - narrowest.fromMs) narrowest = gap;
    // The union has no gap that is larger than that of its quickest rule.
    if (widest === null || everyMs < widest.toMs - widest.fromMs) widest = gap;
  }
  return { ...facts, starts, narrowest, widest };
}

/** A day at a time: a rule of seconds has more starts than anybody asks for. */
const STEP_MS = 86_400_000;

function startsBetween(live: readonly PlannedRule[], fromMs: number, toMs: number, limit: number): number[] {
  const found: number[] = [];
  let stepMs = STEP_MS;
  for (let here = fromMs; here < toMs && found.length < limit; here += stepMs, stepMs *= 2) {
    const end = Math.min(toMs, here + stepMs);
    const part = new Set(live.flatMap((rule) => [...firstOf(rule.starts(here, end), limit)]));
    for (const start of [...part].toSorted((one, other) => one - other)) if (found.length < limit) found.push(start);
  }
  return found;
}

function* firstOf(starts: Iterable<number>, limit: number): Generator<number> {
  let count = 0;
  for (const start of starts) {
    if (count++ >= limit) return;
    yield start;
  }
}
