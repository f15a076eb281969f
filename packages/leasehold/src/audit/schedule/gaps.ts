/**
 * The smallest and largest gap between starts. A rule that starts every ten seconds has 3,400,000 starts in 400 days,
 * so an ordinary day is not gone through: which rules are active in it says which pattern it has, and a pattern is
 * measured once. Days near a clock change, and days of rules that have a list of their own, are gone through.
 */
import { DAY_MS, type DayPlan } from './day-plan.ts';
import type { Zone } from './zone.ts';

export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Meeting {
  readonly atMs: number;
  /** Indices of the rules that start there. */
  readonly rules: readonly number[];
}

export interface GapFacts {
  /** Starts in the window; rules that meet count one each. */
  readonly starts: number;
  readonly narrowest: Gap | null;
  readonly widest: Gap | null;
  /** Instants at which two or more rules start. */
  readonly meetings: number;
  readonly firstMeeting: Meeting | null;
}

/** A rule as this file needs it: a day plan, or a list (`days` null), and its exact starts in a short window. */
export interface MeasuredRule {
  readonly index: number;
  readonly days: DayPlan | null;
  starts(fromMs: number, toMs: number): Iterable<number>;
}

/** A change may move starts by this much. */
const NEAR_CHANGE_MS = 4 * 3_600_000;

export function measureGaps(rules: readonly MeasuredRule[], zone: Zone, fromMs: number, toMs: number): GapFacts {
  const fold = new GapFold();
  const patterns = new Map<string, DayPattern>();
  const changes = zone.changes(fromMs - DAY_MS, toMs + DAY_MS).map(({ atMs }) => atMs);
  const listed = rules.filter(({ days }) => days === null);
  const planned = rules.flatMap(({ days, index }) => (days === null ? [] : [{ days, index }]));
  for (let here = fromMs; here < toMs; ) {
    const local = here + zone.offsetAt(here);
    const end = Math.min(toMs, here + DAY_MS - (local - Math.floor(local / DAY_MS) * DAY_MS));
    const isPlain =
      end - here === DAY_MS &&
      !changes.some((at) => at > here - NEAR_CHANGE_MS && at < end + NEAR_CHANGE_MS) &&
      listed.every((rule) => isEmpty(rule.starts(here, end)));
    if (isPlain) {
      const active = planned.filter(({ days }) => days.matches(local / DAY_MS));
      fold.day(here, patternOf(active, patterns));
    } else {
      fold.exactly(rules, here, end);
    }
    here = end;
  }
  return fold.facts();
}

function isEmpty(starts: Iterable<number>): boolean {
  for (const _ of starts) return false;
  return true;
}

interface DayPattern {
  readonly first: number;
  readonly last: number;
  readonly starts: number;
  readonly narrowest: Gap | null;
  readonly widest: Gap | null;
  readonly meetings: number;
  readonly firstMeeting: Meeting | null;
}

type ActiveRule = Pick<MeasuredRule, 'index'> & { readonly days: DayPlan };

function patternOf(active: readonly ActiveRule[], known: Map<string, DayPattern>): DayPattern | null {
  if (active.length === 0) return null;
  const key = active.map(({ index }) => index).join();
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const fold = new GapFold();
  fold.merged(active.map(({ index, days }) => ({ index, starts: days.times })));
  const pattern = fold.pattern();
  known.set(key, pattern);
  return pattern;
}

class GapFold {
  #starts = 0;
  #first = 0;
  #last: number | null = null;
  #narrowest: Gap | null = null;
  #widest: Gap | null = null;
  #meetings = 0;
  #firstMeeting: Meeting | null = null;

  exactly(rules: readonly MeasuredRule[], fromMs: number, toMs: number): void {
    this.merged(rules.map((rule) => ({ index: rule.index, starts: [...rule.starts(fromMs, toMs)] })));
  }

  merged(lists: readonly { readonly index: number; readonly starts: ArrayLike<number> }[]): void {
    const [first, second] = lists;
    if (first !== undefined && second === undefined) return this.#alone(first.starts);
    const at = lists.map(() => 0);
    for (;;) {
      let next = Number.POSITIVE_INFINITY;
      for (const [list, { starts }] of lists.entries()) next = Math.min(next, starts[at[list] ?? 0] ?? next);
      if (next === Number.POSITIVE_INFINITY) return;
      const meeting: number[] = [];
      for (const [list, { index, starts }] of lists.entries()) {
        if (starts[at[list] ?? 0] !== next) continue;
        meeting.push(index);
        while (starts[at[list] ?? 0] === next) {
          at[list] = (at[list] ?? 0) + 1;
          this.#starts++;
        }
      }
      if (meeting.length > 1) this.#meet({ atMs: next, rules: meeting });
      this.#start(next);
    }
  }

  day(midnightMs: number, pattern: DayPattern | null): void {
    if (pattern === null) return;
    this.#starts += pattern.starts;
    this.#meetings += pattern.meetings;
    if (this.#firstMeeting === null && pattern.firstMeeting !== null) {
      const { atMs, rules } = pattern.firstMeeting;
      this.#firstMeeting = { atMs: midnightMs + atMs, rules };
    }
    this.#start(midnightMs + pattern.first);
    for (const gap of [pattern.narrowest, pattern.widest]) {
      if (gap !== null) this.#gap(midnightMs + gap.fromMs, midnightMs + gap.toMs);
    }
    this.#last = midnightMs + pattern.last;
  }

  facts(): GapFacts {
    return {
      starts: this.#starts,
      narrowest: this.#narrowest,
      widest: this.#widest,
      meetings: this.#meetings,
      firstMeeting: this.#firstMeeting,
    };
  }

  pattern(): DayPattern {
    return { ...this.facts(), first: this.#first, last: this.#last ?? this.#first };
  }

  #alone(starts: ArrayLike<number>): void {
    this.#starts += starts.length;
    for (let index = 0; index < starts.length; index++) this.#start(starts[index] ?? 0);
  }

  #start(atMs: number): void {
    if (this.#last === null) this.#first = atMs;
    else if (atMs > this.#last) this.#gap(this.#last, atMs);
    this.#last = atMs;
  }

  #gap(fromMs: number, toMs: number): void {
    const length = toMs - fromMs;
    if (this.#narrowest === null || length < this.#narrowest.toMs - this.#narrowest.fromMs) {
      this.#narrowest = { fromMs, toMs };
    }
    if (this.#widest === null || length > this.#widest.toMs - this.#widest.fromMs) this.#widest = { fromMs, toMs };
  }

  #meet(meeting: Meeting): void {
    this.#meetings++;
    this.#firstMeeting ??= meeting;
  }
}
