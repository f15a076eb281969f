import { indexFrom } from '../schedule/day-plan.ts';
import type { PlannedStarts } from '../schedule/planned-starts.ts';
import { idleBefore } from './backlog.ts';
import { withoutClosedHours } from './closed-hours.ts';
import type { History } from './history.ts';
import { inferPeriod, type Period } from './period.ts';
import { slotsByPeriod } from './periodic-slots.ts';
import { type Judged, offsetOf, type Plan, slotsByPlan } from './planned-slots.ts';
import type { SlotFacts } from './slots.ts';

/**
 * The slots of a history: those of its schedule where its instants are known and the starts keep to them; those of its
 * interval where only that is known; else those that the starts themselves keep to. Null where they keep to none.
 *
 * Where the source tells for which instant each run was planned, that decides, and the start only tells how late it was.
 * `sinceMs`: when the schedule was last changed, where that is known. What was planned before nobody can tell, so starts
 * before it are held against nothing; where there are none after it, there are no slots.
 */
export function slotsOf(
  history: History,
  planned: PlannedStarts | null,
  sinceMs: number | null = null,
): SlotFacts | null {
  const told = toldInstants(history);
  const { plannedMs, untilMs } = history;
  if (untilMs === null) return null;
  if (told === null) return slotsSince(sinceMs, plannedMs, planned, { untilMs, idleMs: idleBefore(history) });
  const lags = told.map((slotMs, at) => (plannedMs[at] ?? slotMs) - slotMs);
  // A slot whose start is usually so late is not over before.
  const usualMs = lags.toSorted()[lags.length >> 1] ?? 0;
  const facts = slotsSince(sinceMs, told, planned, { untilMs: untilMs - Math.max(0, usualMs), idleMs: null });
  return facts === null ? null : { ...facts, basis: 'told', offsetMs: offsetOf(lags, facts.gapMs) };
}

function slotsSince(
  sinceMs: number | null,
  instants: Float64Array,
  planned: PlannedStarts | null,
  { untilMs, idleMs }: Judged,
): SlotFacts | null {
  const before = sinceMs === null ? 0 : indexFrom(instants, sinceMs);
  const facts = slotsAt(instants.subarray(before), planned, { untilMs, idleMs: idleMs?.subarray(before) ?? null });
  if (facts === null || before === 0) return facts;
  const isLate = new Uint8Array(instants.length);
  isLate.set(facts.isLate, before);
  const shared = facts.shared.map((slot) => ({ ...slot, from: slot.from + before, to: slot.to + before }));
  return { ...facts, isLate, shared };
}

function slotsAt(instants: Float64Array, planned: PlannedStarts | null, judged: Judged): SlotFacts | null {
  if (instants.length === 0) return null;
  if (planned !== null && planned.isPhaseKnown) {
    const facts = slotsByPlan(instants, planOf(planned), judged);
    if (facts !== null) return facts;
  }
  // A slot that has two starts is one slot.
  const unique = withoutRepeats(instants);
  const intervalMs = intervalOf(planned);
  const period = intervalMs === null || isCounted(planned) ? inferPeriod(unique) : null;
  if (intervalMs !== null && (period === null || isNear(period, intervalMs))) {
    return slotsByPeriod(instants, { periodMs: intervalMs, perSlot: 1, from: 0 }, { ...judged, basis: 'interval' });
  }
  if (period === null) return null;
  const from = instants.indexOf(unique[period.from] ?? Number.NaN);
  const facts = slotsByPeriod(instants, { ...period, from }, { ...judged, basis: 'inferred' });
  return withoutClosedHours(facts, instants.subarray(from));
}

/**
 * Each nth unit is counted from the last run only by newer versions of the host; older ones count anew in each hour or day,
 * and which one it is the starts tell better than the plan.
 */
function isCounted(planned: PlannedStarts | null): boolean {
  return planned?.schedule.rules.some(({ plan }) => plan?.kind === 'filtered-cron') === true;
}

const isNear = ({ periodMs, perSlot }: Period, intervalMs: number): boolean =>
  perSlot === 1 && Math.abs(periodMs - intervalMs) <= intervalMs / 10;

/** A loop, since `filter` of a typed array makes an object of each number. */
function withoutRepeats(instants: Float64Array): Float64Array {
  const unique = new Float64Array(instants.length);
  let count = 0;
  for (let at = 0; at < instants.length; at += 1) {
    const ms = instants[at] ?? Number.NaN;
    if (at === 0 || ms !== instants[at - 1]) {
      unique[count] = ms;
      count += 1;
    }
  }
  return count === instants.length ? instants : unique.subarray(0, count);
}

/** The instants that all these starts were planned for; null where one is missing, or they are not in order. */
function toldInstants({ plannedRows, table }: History): Float64Array | null {
  const [first] = plannedRows;
  if (first === undefined || table.slotOf(first) === null) return null;
  const instants = new Float64Array(plannedRows.length);
  for (let at = 0; at < plannedRows.length; at += 1) {
    const row = plannedRows[at] ?? 0;
    const slotMs = table.slotOf(row);
    if (slotMs === null || (at > 0 && slotMs < (instants[at - 1] ?? slotMs))) return null;
    instants[at] = slotMs;
  }
  return instants;
}

function planOf(planned: PlannedStarts): Plan {
  return {
    between: (fromMs, toMs, limit) => planned.between(fromMs, toMs, limit),
    countAt: (atMs) => planned.rules.filter((rule) => [...rule.starts(atMs, atMs + 1)].includes(atMs)).length,
    minGapMs: planned.minGapMs,
    maxGapMs: planned.maxGapMs,
  };
}

/** Null where its gaps differ, or there is no plan. */
function intervalOf(planned: PlannedStarts | null): number | null {
  return planned !== null && planned.minGapMs === planned.maxGapMs ? planned.minGapMs : null;
}
