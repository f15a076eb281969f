import type { PlannedStarts } from '../schedule/planned-starts.ts';
import type { History } from './history.ts';
import { inferPeriod } from './period.ts';
import { slotsByPeriod } from './periodic-slots.ts';
import { type Plan, slotsByPlan } from './planned-slots.ts';
import type { SlotFacts } from './slots.ts';

/**
 * The slots of a history: those of its schedule where its instants are known and the starts keep to them; those of its
 * interval where only that is known; else those that the starts themselves keep to. Null where they keep to none.
 */
export function slotsOf({ plannedMs, untilMs }: History, planned: PlannedStarts | null): SlotFacts | null {
  if (plannedMs.length === 0 || untilMs === null) return null;
  if (planned !== null && planned.isPhaseKnown) {
    const facts = slotsByPlan(plannedMs, planOf(planned), untilMs);
    if (facts !== null) return facts;
  }
  const intervalMs = intervalOf(planned);
  if (intervalMs !== null) {
    return slotsByPeriod(plannedMs, { periodMs: intervalMs, perSlot: 1, from: 0 }, { untilMs, basis: 'interval' });
  }
  const period = inferPeriod(plannedMs);
  return period === null ? null : slotsByPeriod(plannedMs, period, { untilMs, basis: 'inferred' });
}

function planOf(planned: PlannedStarts): Plan {
  return {
    between: (fromMs, toMs, limit) => planned.between(fromMs, toMs, limit),
    countAt: (atMs) =>
      planned.rules.filter((rule) => ![...rule.starts(atMs, atMs + 1)].every((ms) => ms !== atMs)).length,
    minGapMs: planned.minGapMs,
    maxGapMs: planned.maxGapMs,
  };
}

/** Null where its gaps differ, or there is no plan. */
function intervalOf(planned: PlannedStarts | null): number | null {
  return planned !== null && planned.minGapMs === planned.maxGapMs ? planned.minGapMs : null;
}
