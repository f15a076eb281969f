/** The exact starts of one cron rule, with its host's way through each clock change. */
import type { DayPlan } from './day-plan.ts';
import type { ChangeRule, Patch } from './host-rules.ts';
import { wallStarts } from './wall-starts.ts';
import type { Zone } from './zone.ts';

/** A change may touch starts of the day around it. */
const AROUND_MS = 36 * 3_600_000;

/** Instants from `fromMs` (in) to `toMs` (out), ascending; one that stands twice is started twice. */
export function* ruleStarts(
  plan: DayPlan,
  zone: Zone,
  rule: ChangeRule,
  fromMs: number,
  toMs: number,
): Generator<number> {
  let hereMs = fromMs;
  for (const patch of patchesOf(plan, zone, rule, fromMs, toMs)) {
    const startMs = Math.max(hereMs, patch.fromMs);
    yield* wallStarts(plan, zone, hereMs, Math.min(startMs, toMs));
    for (const start of patch.starts) if (start >= startMs && start < toMs) yield start;
    hereMs = Math.max(hereMs, patch.toMs);
  }
  if (hereMs < toMs) yield* wallStarts(plan, zone, hereMs, toMs);
}

function patchesOf(plan: DayPlan, zone: Zone, rule: ChangeRule, fromMs: number, toMs: number): Patch[] {
  const patches: Patch[] = [];
  for (const change of zone.changes(fromMs - AROUND_MS, toMs + AROUND_MS)) {
    const patch = rule(plan, zone, change);
    if (patch !== null && patch.toMs > fromMs && patch.fromMs < toMs) patches.push(patch);
  }
  return patches;
}
