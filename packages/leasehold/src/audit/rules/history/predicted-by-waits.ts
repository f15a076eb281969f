import { formatDuration } from '../../../domain/duration.ts';
import type { Finding } from '../../model/finding.ts';
import type { FoundWait } from '../../model/workflow.ts';
import { quoted } from '../../quoted.ts';
import type { RuleContext } from '../rule.ts';
import { roomyMs } from './roomy.ts';
import { takeALock } from './take-a-lock.ts';

/**
 * A definition whose runs wait as long as the smallest gap, or longer: each meets the next, and no history is needed to
 * know it. Critical where each run gets there; a warning where only some do, where the history shows none as long, and
 * where each waits over half of the gap.
 */
export function predictedByWaits(context: RuleContext): Finding | null {
  const { subject, gapMs } = context;
  const waits = subject.definition?.waits ?? [];
  if (gapMs === null || gapMs <= 0) return null;
  const over = waits.find((wait) => lengthOf(wait) >= gapMs);
  if (over !== undefined) return overlaps(context, over, gapMs);
  const half = waits.find((wait) => wait.isCertain && 2 * lengthOf(wait) >= gapMs);
  return half === undefined ? null : nearly(context, half, gapMs);
}

function lengthOf({ steps }: FoundWait): number {
  return steps.reduce((sum, { waitMs }) => sum + waitMs, 0);
}

const NAMED_MAX = 3;
const named = ({ steps }: FoundWait): string =>
  quoted(
    steps.map(({ node }) => node),
    NAMED_MAX,
  );

function overlaps(context: RuleContext, wait: FoundWait, gapMs: number): Finding {
  const lengthMs = lengthOf(wait);
  const { sample } = context;
  // A run that was faster did not get there, or the wait is newer than it.
  const isSeen = sample === null || sample.slowestMs >= lengthMs;
  const waits = `${named(wait)} wait${wait.steps.length === 1 ? 's' : ''} ${formatDuration(lengthMs)}`;
  const than = lengthMs > gapMs ? 'longer than' : 'as long as';
  const each = wait.isCertain ? 'each run' : 'each run that comes to it';
  // Of an uneven schedule only some starts follow so closely.
  const isEven = (context.planned?.maxGapMs ?? gapMs) <= lengthMs;
  const which = isEven
    ? `${each} is still open when the next one starts.`
    : `${each} that the next one follows so soon is still open when that starts.`;
  return {
    rule: 'overlap.predicted',
    severity: wait.isCertain && isSeen ? 'critical' : 'warning',
    message: `${waits}, ${than} ${formatDuration(gapMs)}, the smallest gap between two starts: ${which}`,
    evidence: evidenceOf(wait, gapMs),
    advice: adviceOf(context, wait),
  };
}

function nearly(context: RuleContext, wait: FoundWait, gapMs: number): Finding {
  const waits = `${named(wait)} wait${wait.steps.length === 1 ? 's' : ''} ${formatDuration(lengthOf(wait))}`;
  return {
    rule: 'overlap.predicted',
    severity: 'warning',
    message: `${waits}, over half of ${formatDuration(gapMs)}, the smallest gap between two starts: with the work beside it a slow run is still open when the next one starts.`,
    evidence: evidenceOf(wait, gapMs),
    advice: adviceOf(context, wait),
  };
}

function evidenceOf({ steps }: FoundWait, minGapMs: number): Finding['evidence'] {
  return steps.map(({ node, waitMs }) => ({ node, waitMs, minGapMs }));
}

function adviceOf(context: RuleContext, wait: FoundWait): string {
  const apart = `Start it every ${formatDuration(roomyMs(2 * lengthOf(wait)))} or less often, or end the run before ${named(wait)} and let a workflow of its own take up what is due then.`;
  return context.history.figures.overlaps > 0 ? apart : `${apart} ${takeALock(context)}`;
}
