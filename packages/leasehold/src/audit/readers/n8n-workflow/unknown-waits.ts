import { type CallMemory, callsOf, type FindFlow } from '../../graph/calls.ts';
import { doing, type Flow, nameOf, reachedFrom } from '../../graph/flow.ts';
import { startKind } from '../../graph/starts.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { redact } from '../../redact.ts';
import { awaits } from './awaits.ts';
import { isWaitUnknown } from './wait.ts';

/** Workflows that one run may wait for, and nodes that are named. */
const FLOWS_MAX = 100;
const NAMED_MAX = 20;

/**
 * Wait nodes that a start by the clock may come to and whose length is only known when they run, those of sub-workflows
 * that are waited for included.
 */
export function unknownWaits(flow: Flow, find: FindFlow, memory: CallMemory): readonly string[] {
  const timed = flow.triggers.filter((at) => startKind(flow, at) === 'timed');
  if (timed.length === 0) return [];
  const names = new Set<string>();
  const awaited = new Set([flow]);
  // What is added on the way is come to in its turn, and nothing twice: circles end.
  for (const each of awaited) {
    const calls = callsOf(each, find, memory);
    const reached = reachedFrom(each, each === flow ? timed : each.starts);
    for (const at of each.order.filter((node) => reached.has(node) && doing(each, node) !== null)) {
      const node = each.definition.nodes[at];
      if (node !== undefined && plainType(node) === 'wait' && isWaitUnknown(node)) names.add(redact(nameOf(each, at)));
      const callee = awaits(each, at) ? calls.flowAt(at) : null;
      if (callee !== null && awaited.size <= FLOWS_MAX) awaited.add(callee);
    }
  }
  return [...names].slice(0, NAMED_MAX);
}
