import { doing, type Flow, leadingTo, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import { gatesOf, unguarded } from '../../graph/gates.ts';
import { startKind } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { openByTerms } from './empty-locks.ts';
import { homemadeGuards } from './guard-fails-open.ts';
import { isOfRecords } from './window.ts';
import { findingOf, named, nodeEvidence, type StaticInput, unknownNodes } from './input.ts';
import { GUARD } from './steps.ts';
import { openLocks } from './unasked-lock.ts';

/** The clock starts it, it has effects, and nothing keeps a second run out. */
export function missingGuard(input: StaticInput): readonly Finding[] {
  const { flow, calls, ways } = input;
  const timed = flow.triggers.filter((at) => startKind(flow, at) === 'timed');
  const [trigger] = timed;
  if (trigger === undefined) return [];
  const reached = reachedFrom(flow, timed);
  const open = startedOpen(flow);
  const acting = flow.order.filter((at) => reached.has(at) && open.has(at) && isEffect(flow, at, calls));
  const unknown = unknownNodes(input, reached).filter((at) => open.has(at));
  const [first] = acting;
  if (first === undefined) return unknownEffects(input, trigger, unknown);
  if (isTried(input, first)) return [];
  // Where no records are read, a second run can only say the same thing twice.
  const hasRecords = ways.some(({ read, mark }) => mark !== null || isOfRecords(input, read));
  const before = leadingTo(flow, first);
  const unsure = unknown.filter((at) => before.has(at));
  const unless = unsure.length === 0 ? '' : ` It can't be told what ${named(flow, unsure)} does.`;
  return [
    findingOf({
      rule: 'guard.missing',
      severity: hasRecords && unsure.length === 0 ? 'warning' : 'info',
      message: `Nothing keeps a second run out: "${nameOf(flow, trigger)}" starts on time whether or not the run before has ended, and "${nameOf(flow, first)}" (${doing(flow, first)?.label ?? ''}) is reached without a guard.${unless}`,
      evidence: [nodeEvidence(flow, trigger, 'starts'), ...acting.map((at) => nodeEvidence(flow, at, 'effect'))],
      advice: adviceFor(flow, trigger),
    }),
  ];
}

/** What stands where a lock was not got tells of that, and needs no guard. */
function startedOpen(flow: Flow): ReadonlySet<number> {
  const gates = gatesOf(flow);
  const open = unguarded(flow, 'runs');
  const before = reachedFrom(flow, flow.starts, (at) => gates.has(at));
  return new Set([...open].filter((at) => before.has(at)));
}

/** No effect is known, and there are nodes that may have one. */
function unknownEffects(input: StaticInput, trigger: number, unknown: readonly number[]): readonly Finding[] {
  const { flow } = input;
  const [first] = unknown;
  if (first === undefined || isTried(input, first)) return [];
  return [
    findingOf({
      rule: 'guard.missing',
      severity: 'info',
      message: `It can't be told what ${named(flow, unknown)} does: if it has an effect, nothing keeps a second run of "${nameOf(flow, trigger)}" from having it, too.`,
      evidence: [nodeEvidence(flow, trigger, 'starts'), ...unknown.map((at) => nodeEvidence(flow, at, 'unknown'))],
      advice: adviceFor(flow, trigger),
    }),
  ];
}

function adviceFor(flow: Flow, trigger: number): string {
  return `Put ${GUARD} between "${nameOf(flow, trigger)}" and what follows it; go on only where "proceed" is true, and end quietly where it is not.`;
}

/** A guard that doesn't hold stands before it: `guard.fails-open` says so, and is enough. */
function isTried(input: StaticInput, first: number): boolean {
  const { flow } = input;
  const before = leadingTo(flow, first);
  if ([...before].some((at) => FOREIGN_LOCK.test(flow.definition.nodes[at]?.type ?? ''))) return true;
  return (
    openLocks(input).some(({ lock }) => before.has(lock)) ||
    openByTerms(input).some(({ lock }) => before.has(lock)) ||
    homemadeGuards(input).some(({ guard, finding }) => finding.severity !== 'info' && before.has(guard))
  );
}

/** A lock of somebody else's: not known, and not missing. */
const FOREIGN_LOCK = /\b\w*(?:lock|mutex|semaphore)\w*$/i;
