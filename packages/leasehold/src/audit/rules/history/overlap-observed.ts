import { formatDuration } from '../../../domain/duration.ts';
import type { History } from '../../history/history.ts';
import type { Overlap } from '../../history/overlaps.ts';
import { counted, grouped, instantText } from '../../words.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import { redactId } from '../../redact.ts';
import type { RuleContext } from '../rule.ts';
import { CLAIM_EACH, takeALock } from './take-a-lock.ts';

/** Runs that started while an earlier one ran. Critical where one of the last hundred did, but for webhooks and crashes. */
export function overlapObserved(context: RuleContext): readonly Finding[] {
  const { overlaps, figures } = context.history;
  if (overlaps.count === 0) return [];
  const { webhooks } = overlaps;
  return [
    {
      rule: 'overlap.observed',
      severity: overlaps.last100Certain > 0 ? 'critical' : 'warning',
      message: [
        `${grouped(overlaps.count)} of ${counted(figures.used, 'run')} started while an earlier one was still running, ${overlaps.last100} of the last ${Math.min(100, figures.used)}; up to ${grouped(overlaps.maxConcurrent)} ran at once.`,
        ...(overlaps.crashedOnly > 0
          ? [
              `The end of a crashed run alone accounts for ${grouped(overlaps.crashedOnly)} of them, and that run may have ended earlier.`,
            ]
          : []),
        ...(webhooks > 0
          ? [`Events from outside started ${grouped(webhooks)} of them, each with a record of its own.`]
          : []),
      ].join(' '),
      evidence: overlaps.newest.toReversed().map((overlap) => evidenceOf(overlap, context.history)),
      advice: webhooks * 2 > overlaps.count ? CLAIM_EACH : takeALock(context),
    },
  ];
}

function evidenceOf({ later, earlier, isCrashedOnly }: Overlap, { used, table }: History): Evidence {
  const startMs = used.startMs[later] ?? Number.NaN;
  const endMs = used.endMs[earlier] ?? Number.NaN;
  return {
    runId: redactId(table.ids.text(used.rows[later] ?? 0)),
    startedAt: instantText(startMs),
    earlierRunId: redactId(table.ids.text(used.rows[earlier] ?? 0)),
    earlierEndedAt: instantText(endMs),
    overlap: formatDuration(endMs - startMs),
    ...(isCrashedOnly ? { crashed: true } : {}),
  };
}
