import { formatDuration } from '../../../domain/duration.ts';
import { leaseWords } from '../../advice/advice.ts';
import type { Finding } from '../../model/finding.ts';
import type { FoundLock } from '../../model/workflow.ts';
import { counted, grouped } from '../../words.ts';
import type { RuleContext } from '../rule.ts';

/** Runs that are named. */
const EVIDENCE_MAX = 20;

interface LongRun {
  readonly runId: string;
  readonly tookMs: number;
}

/**
 * A lock whose lease is over while the run is still at work keeps out nobody from then on. The definition names the lease, the
 * history how long runs take; of a workflow that was changed since, only runs after that count.
 */
export function leaseOutrun(context: RuleContext): readonly Finding[] {
  const { subject, gapMs } = context;
  return (subject.definition?.locks ?? []).flatMap((lock) => {
    const runs = longRuns(context, lock);
    const slowestMs = runs.reduce((most, { tookMs }) => Math.max(most, tookMs), 0);
    // A start has to come when the lease is over and the run is not.
    const nextMs = gapMs === null ? null : Math.ceil(lock.leaseMs / gapMs) * gapMs;
    if (runs.length === 0 || (nextMs !== null && nextMs >= slowestMs)) return [];
    return [findingFor(context, lock, { runs, slowestMs })];
  });
}

function longRuns({ subject, history }: RuleContext, { leaseMs }: FoundLock): readonly LongRun[] {
  const { used, table } = history;
  const sinceMs = subject.definition?.changedAtMs ?? Number.NEGATIVE_INFINITY;
  const found: LongRun[] = [];
  for (let at = 0; at < used.startMs.length; at += 1) {
    const startMs = used.startMs[at] ?? Number.NaN;
    const tookMs = (used.endMs[at] ?? Number.NaN) - startMs;
    if (used.isCrashed[at] === 1 || startMs < sinceMs || !(tookMs > leaseMs)) continue;
    found.push({ runId: table.ids.text(used.rows[at] ?? 0), tookMs });
  }
  return found;
}

function findingFor(
  { history, advice, gapMs }: RuleContext,
  { node, leaseMs }: FoundLock,
  { runs, slowestMs }: { readonly runs: readonly LongRun[]; readonly slowestMs: number },
): Finding {
  const longer = `${grouped(runs.length)} of ${counted(history.used.startMs.length, 'run')} took longer, ${formatDuration(slowestMs)} at most`;
  const wanted =
    advice.leaseMs === null || advice.leaseMs <= leaseMs ? '' : ` a lease of ${leaseWords(advice.leaseMs)}`;
  return {
    rule: 'guard.fails-open',
    severity: gapMs === null ? 'warning' : 'critical',
    message: `The lease that "${node}" takes is ${formatDuration(leaseMs)}, and ${longer}: when it is over, the next start gets the lock of a run that is still at work.`,
    evidence: runs.slice(-EVIDENCE_MAX).map(({ runId, tookMs }) => ({ runId, tookMs, leaseMs })),
    advice: `Give "${node}"${wanted === '' ? ' a longer lease' : wanted}, or renew it on the way (leasehold.renew: docs/guides/sql.md#n8n).`,
  };
}
