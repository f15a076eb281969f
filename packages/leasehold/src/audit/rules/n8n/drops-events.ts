import { doing, type Flow, leadingTo, nameOf } from '../../graph/flow.ts';
import { gatesOf, holds, targetsAt } from '../../graph/gates.ts';
import { startKind } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { asksForRunning } from './asked-runs.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';
import { CLAIM } from './steps.ts';

/** A run that its trigger gave a record must not be skipped: nobody brings the record again. */
export function droppedEvents({ flow }: StaticInput): readonly Finding[] {
  const carrying = flow.triggers.filter((at) => /^(?:event|poll)$/.test(startKind(flow, at) ?? ''));
  if (carrying.length === 0) return [];
  const locks = flow.order.filter((at) => {
    const guard = doing(flow, at)?.guard ?? '';
    return /^(?:lock|redis-incr)$/.test(guard)
      ? holds(flow, at)
      : /^(?:redis|flag)-get$/.test(guard) || asksForRunning(flow, at);
  });
  return locks.slice(0, LOCKS_MAX).flatMap((lock) => {
    const before = leadingTo(flow, lock);
    const trigger = carrying.find((at) => before.has(at));
    if (trigger === undefined || !endsWhenBusy(flow, lock)) return [];
    return [
      findingOf({
        rule: 'lock.drops-events',
        severity: 'critical',
        message: `"${nameOf(flow, trigger)}" brings the record with it, and "${nameOf(flow, lock)}" ends the run where another one is under way: that record is lost, since nothing brings it again.`,
        evidence: [nodeEvidence(flow, trigger, 'brings the record'), nodeEvidence(flow, lock, 'skips')],
        advice: `Put ${CLAIM} on the record's id in place of "${nameOf(flow, lock)}"; or let what finds it busy wait and come back, or answer 503 so that the sender tries again.`,
      }),
    ];
  });
}

/** Of one workflow. */
const LOCKS_MAX = 10;
/** How far behind a lock its branching is looked for. */
const BRANCH_MAX = 4;

/** Nothing stands at an output for "busy": the lock's own second one, or one of the branching that follows it. */
function endsWhenBusy(flow: Flow, lock: number): boolean {
  const gates = [...gatesOf(flow).values()].filter(({ of }) => of.includes(lock));
  if (gates.length > 0)
    // What code does with a record that it keeps back only the code knows: it may fail, so that the sender tries again.
    return gates.some(
      ({ at, lets }) =>
        doing(flow, at)?.label !== 'code' && targetsAt(flow, at, (output) => !lets.has(output)).length === 0,
    );
  let at = lock;
  for (let step = 0; step < BRANCH_MAX; step += 1) {
    const targets = flow.next[at] ?? [];
    const label = doing(flow, at)?.label ?? '';
    if (label === 'filter') return true;
    if (label === 'if') return new Set(targets.map(({ output }) => output)).size < 2;
    const only = targets[0];
    if (only === undefined || targets.length > 1) return false;
    at = only.to;
  }
  return false;
}
