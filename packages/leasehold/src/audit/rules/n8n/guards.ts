import { doing, type Flow, reachedFrom } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import type { GuardKind } from '../../n8n-nodes/facts.ts';
import { asksForRunning } from './asked-runs.ts';
import type { StaticInput } from './input.ts';

/** What looks like a guard, and how it lets runs through. */
export interface OpenGuard {
  readonly guard: number;
  readonly finding: Finding;
}

/** Nodes of these kinds, in the flow's order. */
export function guards(flow: Flow, wanted: (kind: GuardKind | null) => boolean): readonly number[] {
  return flow.order
    .filter((at) => {
      const kind = doing(flow, at)?.guard ?? null;
      return kind !== null && wanted(kind) && (kind !== 'asks-executions' || asksForRunning(flow, at));
    })
    .slice(0, GUARDS_MAX);
}

/** Of one workflow and kind. */
const GUARDS_MAX = 10;

/** What nobody knows counts, too: a guard stands before something. */
export function actsAfter({ flow, calls }: StaticInput, at: number): boolean {
  return [...reachedFrom(flow, [at])].some((node) => {
    const does = doing(flow, node)?.does;
    return node !== at && (isEffect(flow, node, calls) || does === 'unknown' || does === 'call');
  });
}
