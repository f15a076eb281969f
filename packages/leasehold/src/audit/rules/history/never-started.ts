import type { Evidence } from '../../model/finding.ts';
import type { PlannedStarts } from '../../schedule/planned-starts.ts';
import { counted, instantText } from '../../words.ts';
import type { RuleContext, SharedRule } from '../rule.ts';
import { isPoll } from './is-poll.ts';

/**
 * A workflow that is switched on and has a schedule, and of which a history that tells of others has not one start in
 * more than two of its gaps. Its own runs can't tell that: there are none.
 */
export const neverStarted: SharedRule = (all) => {
  const silent = [...all.entries()].filter(([, context]) => isSilent(context));
  if (silent.length === 0) return [];
  const running = runningByPlace(all);
  const known = new Map<string, Told | null>();
  return silent.flatMap(([at, context]) => {
    const place = placeOf(context);
    if (place === null) return [];
    const told = known.get(place) ?? toldBy(running.get(place) ?? []);
    known.set(place, told);
    const finding = told === null ? null : judged(context, told);
    return finding === null ? [] : [{ at, finding }];
  });
};

function isSilent(context: RuleContext): boolean {
  const { subject, history, planned } = context;
  if (subject.definition?.isActive !== true || subject.definition.off !== undefined) return false;
  if (planned === null || history.plannedMs.length > 0 || isPoll(context)) return false;
  return !subject.offTimes.some(({ untilMs }) => untilMs === null);
}

/** One system is one address, or one folder with what was exported of it. */
function placeOf({ subject: { definition } }: RuleContext): string | null {
  if (definition === null || definition.platform === 'cron') return null;
  return `${definition.platform} ${folderOf(definition.source)}`;
}

function folderOf(source: string): string {
  return /:/.test(source) ? source : source.slice(0, source.lastIndexOf('/') + 1);
}

/** Those that ran, by the places that their definitions and their runs are in. */
function runningByPlace(all: readonly RuleContext[]): ReadonlyMap<string, readonly RuleContext[]> {
  const places = new Map<string, RuleContext[]>();
  for (const context of all) {
    const { definition, sources } = context.subject;
    if (definition === null || context.history.figures.used === 0) continue;
    for (const folder of new Set(sources.map(folderOf))) {
      const place = `${definition.platform} ${folder}`;
      const list = places.get(place);
      if (list === undefined) places.set(place, [context]);
      else list.push(context);
    }
  }
  return places;
}

/** What the history of a place tells of others, and from when to when. */
interface Told {
  readonly fromMs: number;
  readonly toMs: number;
  readonly workflows: number;
  readonly runs: number;
  readonly isLive: boolean;
}

/** Runs that somebody keeps on purpose may be much older than the rest: so many of the oldest are left out. */
const OLDEST_SHARE = 0.02;

function toldBy(running: readonly RuleContext[]): Told | null {
  // Where nobody's successes are kept, this one may have run, too; where nobody ran, nothing is told.
  if (running.every(({ history }) => history.hasOnlyFailures)) return null;
  const runs = running.reduce((sum, { history }) => sum + history.used.startMs.length, 0);
  const starts = new Float64Array(runs);
  let at = 0;
  for (const { history } of running) {
    starts.set(history.used.startMs, at);
    at += history.used.startMs.length;
  }
  starts.sort();
  const until = running.map(({ history }) => history.untilMs ?? Number.NEGATIVE_INFINITY);
  return {
    fromMs: starts[Math.floor(OLDEST_SHARE * runs)] ?? Number.NaN,
    toMs: until.reduce((one, other) => Math.max(one, other)),
    workflows: running.length,
    runs,
    isLive: running.some(({ history }) => history.isLive),
  };
}

/** Gaps of the schedule that have to lie in the time that is told of. */
const GAPS_MIN = 2;
const SLOTS_MAX = 100_000;

function judged(context: RuleContext, told: Told): ReturnType<SharedRule>[number]['finding'] | null {
  const { planned, subject } = context;
  const gapMs = planned?.maxGapMs ?? null;
  if (planned === null || gapMs === null) return null;
  // What it was before it was changed, or while it was off, nobody knows.
  const since = [
    told.fromMs,
    subject.definition?.changedAtMs ?? 0,
    ...subject.offTimes.map(({ untilMs }) => untilMs ?? 0),
  ];
  const fromMs = since.reduce((one, other) => Math.max(one, other));
  if (!(told.toMs - fromMs > GAPS_MIN * gapMs)) return null;
  const slots = slotsBetween(planned, fromMs, told.toMs);
  if (slots.count < GAPS_MIN) return null;
  const mayBeKeptOut = (subject.definition?.historyLimits.length ?? 0) > 0;
  const { workflows, runs, isLive } = told;
  const sentences = [
    `Switched on, and not one start in a history in which ${counted(workflows, 'other workflow')} ran ${counted(runs, 'time')}: ${counted(slots.count, 'slot')} from ${instantText(slots.firstMs)} to ${instantText(slots.lastMs)} had none.`,
    ...(mayBeKeptOut ? ['Its runs are not all kept, so it may have run.'] : []),
    ...(isLive ? [] : ['An export of the others alone would look the same.']),
  ];
  const evidence: Evidence = {
    firstSlotAt: instantText(slots.firstMs),
    lastSlotAt: instantText(slots.lastMs),
    slots: slots.count,
    lastStartAt: null,
    otherWorkflows: workflows,
    otherRuns: runs,
  };
  return {
    rule: 'slot.missed',
    severity: mayBeKeptOut ? 'info' : 'warning',
    message: sentences.join(' '),
    evidence: [evidence],
    advice:
      'Switch it off and on again, so that its trigger is registered anew, and see whether it starts at the next slot; a platform may say that a workflow is active while nothing triggers it.',
  };
}

interface Slots {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Of a schedule that counts from a start that nobody knows, there are as many as fit in. */
function slotsBetween(planned: PlannedStarts, fromMs: number, toMs: number): Slots {
  if (!planned.isPhaseKnown) {
    const count = Math.floor((toMs - fromMs) / (planned.maxGapMs ?? Number.POSITIVE_INFINITY));
    return { count, firstMs: fromMs, lastMs: toMs };
  }
  const found = planned.between(fromMs, toMs, SLOTS_MAX);
  return { count: found.length, firstMs: found[0] ?? Number.NaN, lastMs: found.at(-1) ?? Number.NaN };
}
