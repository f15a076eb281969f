import { formatDuration } from '../../../domain/duration.ts';
import { counted, durationOver } from '../../words.ts';
import type { Finding } from '../../model/finding.ts';
import type { RuleContext } from '../rule.ts';
import { predictedByWaits } from './predicted-by-waits.ts';
import { roomyMs } from './roomy.ts';
import { takeALock } from './take-a-lock.ts';

/**
 * Runs that take so long that the next start meets them: a warning where the 95th percentile is over half of the
 * smallest gap, critical where it or the slowest run is over all of it (design §9). When a crashed run ended nobody knows,
 * so it says nothing here.
 */
export function overlapPredicted(context: RuleContext): readonly Finding[] {
  const byRuns = predictedByRuns(context);
  const byWaits = predictedByWaits(context);
  // What its runs took is the better proof; what it waits says it before there is one.
  const isCovered = byRuns !== null && (byRuns.severity === 'critical' || byWaits?.severity !== 'critical');
  return [isCovered ? byRuns : byWaits].filter((finding) => finding !== null);
}

function predictedByRuns(context: RuleContext): Finding | null {
  const { history, sample, gapMs } = context;
  if (gapMs === null || sample === null) return null;
  const { p95Ms, slowestMs, runs } = sample;
  const guard = context.subject.definition?.guardedBy;
  const skipped = guard === undefined ? '' : `, and the lock of "${guard}" turns it away`;
  const isUsual = p95Ms > gapMs;
  const isOver = isUsual || slowestMs > gapMs;
  if (!isOver && p95Ms * 2 <= gapMs) return null;
  const took =
    isOver && !isUsual
      ? `The slowest run took ${durationOver(slowestMs, gapMs)}`
      : `The 95th percentile of ${counted(runs, 'run')} took ${durationOver(p95Ms, isUsual ? gapMs : gapMs / 2)}`;
  const gap = `${formatDuration(gapMs)}, the smallest gap between two starts${basisOf(context)}`;
  return {
    rule: 'overlap.predicted',
    severity: guard !== undefined ? 'info' : isOver ? 'critical' : 'warning',
    message: isOver
      ? `${took}, more than ${gap}: the next start meets a run that is still going${skipped}.`
      : `${took}, over half of ${gap}: on a slow day the next start meets a run that is still going${skipped}.`,
    evidence: [{ p95Ms, slowestMs, minGapMs: gapMs }],
    advice: [
      `Start it every ${formatDuration(roomyMs(Math.max(2 * p95Ms, slowestMs)))} or less often, or make each run smaller.`,
      // Where runs did overlap, that finding says how.
      ...(history.figures.overlaps > 0 || guard !== undefined ? [] : [takeALock(context)]),
    ].join(' '),
  };
}

function basisOf({ planned, slots, gapMs }: RuleContext): string {
  return planned?.minGapMs !== gapMs && slots?.basis === 'inferred' ? ', as its history shows it' : '';
}
