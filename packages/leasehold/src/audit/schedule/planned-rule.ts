/** One rule of a schedule, made ready: what plans it, or why nothing does. */
import type { FoundSchedule, RulePlan, ScheduleRule } from '../model/schedule.ts';
import { readCron, type UnevenStep } from './cron-fields.ts';
import { type DayPlan, hasAnyDay, indexFrom, planDays } from './day-plan.ts';
import { filteredStarts } from './filtered-starts.ts';
import type { ChangeRule } from './host-rules.ts';
import { kelektivChange } from './kelektiv-changes.ts';
import { ruleStarts } from './rule-starts.ts';
import { vixieChange } from './vixie-changes.ts';
import type { Zone } from './zone.ts';

export interface PlannedRule {
  readonly rule: ScheduleRule;
  readonly index: number;
  /** Half a sentence: why it never fires; null where it does, or can't be known. */
  readonly never: string | null;
  /** From start to start, where the clock doesn't matter. */
  readonly everyMs: number | null;
  /** Set where each ordinary day is like any other that it fires on. */
  readonly days: DayPlan | null;
  /** The daily rule of which only every nth day, week or month counts; its start decides about a change of clocks, too. */
  readonly filters?: PlannedRule;
  readonly unevenSteps: readonly UnevenStep[];
  /** False where the first start decides about all others. */
  readonly isPhaseKnown: boolean;
  /** Exact starts from `fromMs` (in) to `toMs` (out), ascending. */
  starts(fromMs: number, toMs: number): Iterable<number>;
}

/** Said where a host takes the rule, and no date fits it. */
export const NO_SUCH_DAY = 'no month of it has such a day';

const byWall: ChangeRule = () => null;

/**
 * Which rule holds when the clocks change. cronie reckons a job of `CRON_TZ` by the wall of that zone, without its care
 * for changes (its source says: missed or run twice); without `CRON_TZ` it does as Debian's.
 */
export function changeRuleOf({ host, timezone }: FoundSchedule): ChangeRule {
  if (host === 'n8n') return kelektivChange;
  if (host === 'cron') return timezone === null ? vixieChange : byWall;
  return byWall;
}

/** A change is asked about by each short window around it. */
function remembered(rule: ChangeRule): ChangeRule {
  const known = new Map<number, ReturnType<ChangeRule>>();
  return (plan, zone, change) => {
    const kept = known.get(change.atMs);
    if (kept !== undefined) return kept;
    const patch = rule(plan, zone, change);
    known.set(change.atMs, patch);
    return patch;
  };
}

export function planRule(
  rule: ScheduleRule,
  index: number,
  schedule: FoundSchedule,
  zone: Zone,
  anchorMs: number,
): PlannedRule {
  const { plan, fault } = rule;
  if (fault !== null) return nothing(rule, index, fault);
  if (plan === null) return nothing(rule, index, null);
  if (plan.kind === 'interval') return everyRule(rule, index, plan.everyMs);
  if (plan.kind === 'filtered-cron' && plan.unit === 'minute') return everyRule(rule, index, plan.every * 60_000);
  const reading = readCron(plan.expression, schedule.host === 'n8n' ? 'kelektiv' : 'vixie');
  if ('fault' in reading) return nothing(rule, index, reading.fault);
  if (!hasAnyDay(reading.fields)) return nothing(rule, index, NO_SUCH_DAY);
  const days = planDays(reading.fields);
  const changeRule = remembered(changeRuleOf(schedule));
  const cronStarts = (fromMs: number, toMs: number): Iterable<number> =>
    ruleStarts(days, zone, changeRule, fromMs, toMs);
  const { unevenSteps } = reading.fields;
  const every = { rule, index, never: null, everyMs: null, days, unevenSteps, isPhaseKnown: true, starts: cronStarts };
  return plan.kind === 'filtered-cron' ? filteredRule(every, plan, zone, anchorMs) : every;
}

function nothing(rule: ScheduleRule, index: number, never: string | null): PlannedRule {
  const starts = (): number[] => [];
  return { rule, index, never, everyMs: null, days: null, unevenSteps: [], isPhaseKnown: false, starts };
}

function everyRule(rule: ScheduleRule, index: number, everyMs: number): PlannedRule {
  if (!Number.isFinite(everyMs) || everyMs < 1) return nothing(rule, index, 'its interval is not a positive time');
  const starts = function* (fromMs: number, toMs: number): Generator<number> {
    for (let at = Math.ceil(fromMs / everyMs) * everyMs; at < toMs; at += everyMs) yield at;
  };
  return { rule, index, never: null, everyMs, days: null, unevenSteps: [], isPhaseKnown: false, starts };
}

type Starts = PlannedRule['starts'];
type Filter = Extract<RulePlan, { kind: 'filtered-cron' }>;

/** Its starts hang on the one before, so they are listed once, from the anchor on. */
function filteredRule(filters: PlannedRule, plan: Filter, zone: Zone, anchorMs: number): PlannedRule {
  const { rule, index } = filters;
  const candidates: Starts = (fromMs, toMs) => filters.starts(fromMs, toMs);
  if (!(plan.every >= 1)) return nothing(rule, index, 'its interval is not a positive number');
  let list: readonly number[] = [];
  let listedTo = anchorMs;
  const starts: Starts = (fromMs, toMs) => {
    if (fromMs < anchorMs) return filteredStarts(candidates(fromMs, toMs), plan, zone);
    if (toMs > listedTo) {
      listedTo = toMs + LIST_AHEAD_MS;
      list = [...filteredStarts(candidates(anchorMs, listedTo), plan, zone)];
    }
    return list.slice(indexFrom(list, fromMs), indexFrom(list, toMs));
  };
  const found = { rule, index, never: null, everyMs: null, days: null, unevenSteps: [], isPhaseKnown: false, starts };
  return plan.unit === 'hour' ? found : { ...found, filters };
}

const LIST_AHEAD_MS = 400 * 86_400_000;
