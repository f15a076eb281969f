import type { Calls } from '../../graph/calls.ts';
import { doing, type Flow, nameOf, reachedFrom } from '../../graph/flow.ts';
import { gatesOf, unguarded } from '../../graph/gates.ts';
import { isEffect } from '../../graph/paths.ts';
import { startsByItself } from '../../graph/starts.ts';
import { redact } from '../../redact.ts';

/**
 * The node whose lock stands before all that a run does, so that a start that finds it held does nothing; null where there is
 * none. What tells of a held lock, at its other output, is left out.
 */
export function guardedBy(flow: Flow, calls: Calls): string | null {
  const gates = gatesOf(flow);
  const starts = startsByItself(flow);
  const lock = [...gates.values()].find(({ kind }) => kind === 'lock')?.of[0];
  if (lock === undefined || starts.length === 0) return null;
  const open = unguarded(flow, 'runs');
  const before = reachedFrom(flow, starts, (at) => gates.has(at));
  const acts = (at: number): boolean => {
    const does = doing(flow, at)?.does;
    return isEffect(flow, at, calls) || does === 'unknown' || does === 'call';
  };
  const reached = reachedFrom(flow, starts);
  const guarded = flow.order.some((at) => reached.has(at) && !open.has(at) && acts(at));
  const isOpen = [...before].some((at) => open.has(at) && !behindHeld(flow, at) && acts(at));
  return guarded && !isOpen ? redact(nameOf(flow, lock)) : null;
}

/** Reached only where a lock was not got. */
function behindHeld(flow: Flow, at: number): boolean {
  return [...gatesOf(flow).values()].some((gate) =>
    (flow.next[gate.at] ?? []).some(({ to, output }) => to === at && !gate.lets.has(output)),
  );
}
