import { formatDuration } from '../../../domain/duration.ts';
import { termsAt } from '../../graph/empty-locks.ts';
import { doing, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { nominalGapMs } from '../../graph/gap.ts';
import { holds } from '../../graph/gates.ts';
import { startKind } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/**
 * A lock that nothing gives back ends with its lease: where that is longer than from one start to the next, most starts find
 * it held although no run is under way. A name that changes is left out: a lock for each day is meant to stay.
 */
export function heldTooLong({ flow, schedule }: StaticInput): readonly Finding[] {
  const gapMs = nominalGapMs(schedule);
  const timed = flow.triggers.filter((at) => startKind(flow, at) === 'timed');
  if (gapMs === null || timed.length === 0) return [];
  return flow.order.flatMap((at) => {
    const terms = termsAt(flow, at);
    if (terms === null || terms.name === null || !holds(flow, at)) return [];
    if (terms.leaseMs === null || terms.leaseMs < gapMs) return [];
    const before = leadingTo(flow, at);
    const after = [...reachedFrom(flow, [at])].filter((node) => node !== at);
    if (!timed.some((start) => before.has(start)) || after.some((node) => mayGiveBack(flow, node))) return [];
    const everyMs = Math.ceil(terms.leaseMs / gapMs) * gapMs;
    return [
      findingOf({
        rule: 'guard.fails-open',
        severity: 'warning',
        message: `Nothing in this workflow gives back the lock that "${nameOf(flow, at)}" takes for ${formatDuration(terms.leaseMs)}: the starts that come every ${formatDuration(gapMs)} find it held until then, and the work is done once in ${formatDuration(everyMs)}.`,
        evidence: [nodeEvidence(flow, at, 'takes')],
        advice: `Give it back at the end of each way, the error path too (leasehold.release: docs/guides/sql.md#n8n).`,
      }),
    ];
  });
}

/** What nobody can see into may do it as well. */
function mayGiveBack(flow: StaticInput['flow'], at: number): boolean {
  const facts = doing(flow, at);
  return facts?.guard === 'release' || facts?.does === 'call' || facts?.does === 'unknown';
}
