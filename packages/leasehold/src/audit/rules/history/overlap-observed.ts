import { formatDuration } from '../../../domain/duration.ts';
import type { Finding } from '../../model/finding.ts';
import type { RuleContext } from '../rule.ts';

export function overlapObserved({ history }: RuleContext): readonly Finding[] {
  const { overlaps, figures } = history;
  if (overlaps.count === 0) return [];
  return [
    {
      rule: 'overlap.observed',
      severity: overlaps.last100Proven > 0 ? 'critical' : 'warning',
      message: `${overlaps.count} of ${figures.used} runs started while another ran (p95 ${formatDuration(figures.p95Ms ?? 0)}).`,
      evidence: [],
      advice: '',
    },
  ];
}
