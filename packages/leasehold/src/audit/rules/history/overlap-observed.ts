import { formatDuration } from '../../../domain/duration.ts';
import type { History } from '../../history/history.ts';
import type { Overlap } from '../../history/overlaps.ts';
import { counted, grouped, instantText } from '../../words.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import { redactId } from '../../redact.ts';
import type { RuleContext } from '../rule.ts';
import { CLAIM_EACH, takeALock } from './take-a-lock.ts';
import { type TurnedAway, turnedAway } from './turned-away.ts';

/** Runs that started while an earlier one ran. Critical where one of the last hundred did, but for webhooks and crashes. */
export function overlapObserved(context: RuleContext): readonly Finding[] {
  const { overlaps, figures } = context.history;
  if (overlaps.count === 0) return [];
  const { webhooks } = overlaps;
  const away = turnedAway(context);
  const [skips, skips100] = [away?.count ?? 0, away?.last100 ?? 0];
  if (away !== null && skips >= overlaps.count) return [onlySkips(away)];
  return [
    {
      rule: 'overlap.observed',
      severity: overlaps.last100Certain > (away?.last100Certain ?? 0) ? 'critical' : 'warning',
      message: [
        `${grouped(overlaps.count - skips)} of ${counted(figures.used, 'run')} started while an earlier one was still running, ${overlaps.last100 - skips100} of the last ${Math.min(100, figures.used)}; up to ${grouped(overlaps.maxConcurrent)} ran at once.`,
        ...(overlaps.crashedOnly > 0
          ? [
              `The end of a crashed run alone accounts for ${grouped(overlaps.crashedOnly)} of them, and that run may have ended earlier.`,
            ]
          : []),
        ...(webhooks > 0
          ? [`Events from outside started ${grouped(webhooks)} of them, each with a record of its own.`]
          : []),
        ...(away === null
          ? []
          : [`${grouped(skips)} more ended within 30s, turned away by the lock of "${away.node}", as it seems.`]),
      ].join(' '),
      evidence: overlaps.newest
        .filter(({ later }) => away?.isOne(later) !== true)
        .toReversed()
        .map((overlap) => evidenceOf(overlap, context.history)),
      advice: adviceOf(context),
    },
  ];
}

function adviceOf(context: RuleContext): string {
  const { overlaps } = context.history;
  if (overlaps.webhooks * 2 > overlaps.count) return CLAIM_EACH;
  const guard = context.subject.definition?.guardedBy;
  return guard === undefined
    ? takeALock(context)
    : `The lock of "${guard}" did not keep them apart: look at its name and its lease, and whether these runs are from before it stood there.`;
}

/** Nobody but the lock itself knows what it answered. */
function onlySkips({ node, count }: TurnedAway): Finding {
  return {
    rule: 'overlap.observed',
    severity: 'info',
    message: `${counted(count, 'run')} started while an earlier one was still running and ended within 30s: the lock of "${node}" turned them away, as it seems.`,
    evidence: [{ node }],
    advice: 'Compare with the skips that the lock itself has counted (leasehold status), if in doubt.',
  };
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
