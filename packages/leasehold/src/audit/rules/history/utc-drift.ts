import { instantText } from '../../words.ts';
import type { Finding } from '../../model/finding.ts';
import { openZone } from '../../schedule/zone.ts';
import type { RuleContext } from '../rule.ts';

const DAY_MS = 86_400_000;
const NAMED_MAX = 20;

/**
 * Daily starts that keep to UTC over a change of clocks: to people in the zone they come an hour earlier or later. Of a
 * known schedule `schedule.dst` says so from its rules; here only the history tells.
 */
export function utcDrift({ slots, planned, history, timezone }: RuleContext): readonly Finding[] {
  const { plannedMs } = history;
  const [firstMs, lastMs] = [plannedMs[0], plannedMs.at(-1)];
  if (slots?.basis !== 'inferred' || planned !== null || timezone === null) return [];
  if (firstMs === undefined || lastMs === undefined || slots.gapMs % DAY_MS !== 0) return [];
  const kept = (openZone(timezone)?.changes(firstMs, lastMs) ?? []).filter(({ atMs, beforeMs, afterMs }) => {
    const [before, after] = [phaseAt(plannedMs, atMs, -1), phaseAt(plannedMs, atMs, 1)];
    const apartMs = Math.abs(((after - before + 1.5 * DAY_MS) % DAY_MS) - DAY_MS / 2);
    return apartMs < Math.abs(afterMs - beforeMs) / 4;
  });
  const [first] = kept;
  if (first === undefined) return [];
  const local = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
  const startMs = plannedMs.find((ms) => ms >= first.atMs) ?? lastMs;
  return [
    {
      rule: 'schedule.dst',
      severity: 'info',
      message: `Its starts keep to UTC: in ${timezone} they came at ${local(startMs + first.beforeMs)} before ${instantText(first.atMs)}, and at ${local(startMs + first.afterMs)} after it.`,
      evidence: kept.slice(0, NAMED_MAX).map(({ atMs, beforeMs, afterMs }) => ({
        changeAt: instantText(atMs),
        offsetBeforeMs: beforeMs,
        offsetAfterMs: afterMs,
      })),
      advice: 'If people expect it at one local time, plan it in their zone; if not, nothing is to be changed.',
    },
  ];
}

/** The time of day, UTC, of the start nearest to this instant on one side; starts are ascending. */
function phaseAt(starts: Float64Array, atMs: number, side: -1 | 1): number {
  const found = side === 1 ? starts.find((ms) => ms >= atMs) : starts.findLast((ms) => ms < atMs);
  return (found ?? Number.NaN) % DAY_MS;
}
