import { formatDuration } from '../../../domain/duration.ts';
import { leaseWords } from '../../advice/advice.ts';
import type { Finding } from '../../model/finding.ts';
import { quoted } from '../../quoted.ts';
import type { RuleContext } from '../rule.ts';

const NAMED_MAX = 3;

/**
 * A wait that n8n works out when it comes to it may be longer than the gap, and no definition tells. Runs that were seen
 * show how long it was; without any this is said, so that nobody takes silence for an answer.
 */
export function unknownWaits({ subject, sample, gapMs, advice }: RuleContext): readonly Finding[] {
  const waits = subject.definition?.unknownWaits ?? [];
  if (waits.length === 0 || sample !== null) return [];
  const named = quoted(waits, NAMED_MAX);
  const gap = gapMs === null ? 'the next start' : `the next start, ${formatDuration(gapMs)} later`;
  const lease =
    advice.leaseMs === null
      ? 'Let the lease of its lock be longer than the longest of these waits.'
      : `Add the longest of these waits to the lease of ${leaseWords(advice.leaseMs)}, which doesn't span it.`;
  return [
    {
      rule: 'overlap.predicted',
      severity: 'info',
      message: `How long ${named} ${waits.length === 1 ? 'waits' : 'wait'} is only known when n8n comes to it: whether a run is still open at ${gap}, can't be told.`,
      evidence: waits.map((node) => ({ node, waitMs: null, minGapMs: gapMs })),
      advice: `${lease} Or write the wait as a fixed length.`,
    },
  ];
}
