import { doing, type Flow, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import { startKind, unguarded } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import type { GuardKind } from '../../n8n-nodes/facts.ts';
import { isOfRecords } from './window.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/** The clock starts it, it has effects, and nothing keeps a second run out. */
export function missingGuard(input: StaticInput): readonly Finding[] {
  const { flow, calls, ways } = input;
  const timed = flow.triggers.filter((at) => startKind(flow, at) === 'timed');
  if (timed.length === 0) return [];
  const reached = reachedFrom(flow, timed);
  const open = unguarded(flow, 'runs');
  const acting = flow.order.filter((at) => reached.has(at) && open.has(at) && isEffect(flow, at, calls));
  const [first] = acting;
  if (first === undefined || isTried(flow, first)) return [];
  const trigger = timed[0] ?? first;
  // Where no records are read, a second run can only say the same thing twice.
  const hasRecords = ways.some(({ read, mark }) => mark !== null || isOfRecords(input, read));
  const severity = hasRecords ? 'warning' : 'info';
  return [
    findingOf({
      rule: 'guard.missing',
      severity,
      message: `Nothing keeps a second run out: "${nameOf(flow, trigger)}" starts on time whether or not the run before has ended, and "${nameOf(flow, first)}" (${doing(flow, first)?.label ?? ''}) is reached without a guard.`,
      evidence: [nodeEvidence(flow, trigger, 'starts'), ...acting.map((at) => nodeEvidence(flow, at, 'effect'))],
      advice: `Put a Leasehold guard node between "${nameOf(flow, trigger)}" and what follows it; go on from its output "Acquired" and end quietly at "Busy".`,
    }),
  ];
}

/** A guard that doesn't hold stands before it: `guard.fails-open` says so, and is enough. */
function isTried(flow: Flow, first: number): boolean {
  return [...leadingTo(flow, first)].some((at) => {
    const guard = doing(flow, at)?.guard ?? null;
    return guard !== null && TRIED.has(guard);
  });
}

const TRIED: ReadonlySet<GuardKind> = new Set(['redis-get', 'remove-duplicates', 'static-data', 'asks-executions']);
