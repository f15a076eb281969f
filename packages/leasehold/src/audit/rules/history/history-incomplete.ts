import { formatDuration } from '../../../domain/duration.ts';
import type { History } from '../../history/history.ts';
import { counted, instantText } from '../../words.ts';
import type { Finding } from '../../model/finding.ts';
import type { RuleContext } from '../rule.ts';

const FEW_RUNS = 20;
const NAMED_MAX = 20;
/** Hardly anything is done in so little time. */
const NEAR_ZERO_MS = 50;

/** What the history doesn't hold, and so what its figures can't show. */
export function historyIncomplete(context: RuleContext): readonly Finding[] {
  const { subject, history } = context;
  const { hasOnlyFailures } = history;
  const sentences = [
    ...clashes(subject.group?.clashing ?? 0),
    ...(history.figures.runs === 0 ? [] : ownSentences(history)),
    ...editedSince(context),
    ...subject.limits,
    ...(subject.definition?.historyLimits ?? []),
  ];
  if (sentences.length === 0) return [];
  const [first = '', ...others] = sentences;
  return [
    {
      rule: 'history.incomplete',
      severity: hasOnlyFailures ? 'warning' : 'info',
      message: others.length === 0 ? first : `${first} ${counted(others.length, 'further limit')} below.`,
      evidence: sentences.slice(0, NAMED_MAX).map((limit) => ({ limit })),
      advice: hasOnlyFailures
        ? 'Keep successful runs too (in n8n: workflow settings, Save successful production executions), and audit again after some days: overlap between runs that went well is invisible until then.'
        : 'Read the figures as a lower bound: what is not in the history can not be counted.',
    },
  ];
}

function ownSentences({
  counts: { 'no-start': noStart },
  figures: { used, p95Ms },
  hasOnlyFailures,
}: History): string[] {
  return [
    ...(hasOnlyFailures ? ['The history holds failed runs only: those that went well were not kept.'] : []),
    ...(noStart > 0 ? [`Left out for want of a start: ${counted(noStart, 'run')}.`] : []),
    ...(used > 0 && used < FEW_RUNS
      ? [`Only ${counted(used, 'run')} could be counted, so a 95th percentile says little.`]
      : []),
    ...(used >= FEW_RUNS && p95Ms !== null && p95Ms < NEAR_ZERO_MS
      ? [
          `Runs end after ${formatDuration(p95Ms)}: if the workflow starts work that it does not wait for, how long that takes and what it overlaps is not in its history.`,
        ]
      : []),
    ...(used === 0 ? ['No run of it could be counted, so nothing is known of how long it takes.'] : []),
  ];
}

/** A definition is as it is today: what it planned before it was edited is in no file. */
function editedSince({ subject: { definition }, history: { plannedMs } }: RuleContext): string[] {
  const changedAtMs = definition?.changedAtMs;
  const [firstMs] = plannedMs;
  if (
    (definition?.schedule ?? null) === null ||
    changedAtMs === undefined ||
    firstMs === undefined ||
    firstMs >= changedAtMs
  )
    return [];
  return [
    `It was last changed at ${instantText(changedAtMs)}: only starts since then are held against its schedule, since what it planned before is not known.`,
  ];
}

function clashes(count: number): string[] {
  if (count === 0) return [];
  return [
    `${counted(count, 'run')} had an id that another run with another start has too: exports of two installations seem to be mixed; audit them apart.`,
  ];
}
