import { formatDuration } from '../../../domain/duration.ts';
import type { Finding } from '../../model/finding.ts';
import type { RuleContext } from '../rule.ts';
import { takeALock } from './take-a-lock.ts';

/**
 * Runs that take so long that the next start meets them: a warning where the 95th percentile is over half of the
 * smallest gap, critical where it or the slowest run is over all of it (design §9).
 */
export function overlapPredicted(context: RuleContext): readonly Finding[] {
  const { history, gapMs, slots, planned } = context;
  const { p95Ms, slowestMs, used } = history.figures;
  if (gapMs === null || p95Ms === null || slowestMs === null || p95Ms * 2 <= gapMs) {
    if (gapMs === null || p95Ms === null || slowestMs === null || slowestMs <= gapMs) return [];
  }
  const isOver = p95Ms > gapMs || slowestMs > gapMs;
  const gap = `${formatDuration(gapMs)}, the smallest gap between two starts${planned?.minGapMs === gapMs ? '' : INFERRED[slots?.basis ?? 'inferred']}`;
  const [took, ms] =
    p95Ms > gapMs || !isOver ? [`the 95th percentile of ${used} runs`, p95Ms] : ['the slowest run', slowestMs];
  return [
    {
      rule: 'overlap.predicted',
      severity: isOver ? 'critical' : 'warning',
      message: `${capital(took)} took ${formatDuration(ms)}, ${isOver ? 'more than' : 'over half of'} ${gap}${isOver ? ': the next start meets a run that is still going' : ': one slow provider, and the next start meets a run that is still going'}.`,
      evidence: [{ p95Ms, slowestMs, minGapMs: gapMs }],
      advice: `Start it every ${formatDuration(roomyMs(p95Ms))} or less often, or make each run smaller. ${takeALock(context)}`,
    },
  ];
}

const INFERRED = { planned: '', interval: '', inferred: ' (as its history shows it)' } as const;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Twice as long as a run takes, as people write it in a schedule. */
function roomyMs(p95Ms: number): number {
  const wanted = 2 * p95Ms;
  return STEPS_MS.find((ms) => ms >= wanted) ?? Math.ceil(wanted / 86_400_000) * 86_400_000;
}

const STEPS_MS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, 1_440].map((minutes) => minutes * 60_000);
