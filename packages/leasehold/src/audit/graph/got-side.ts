import { outputsWhereGot } from '../n8n-nodes/asking.ts';
import { letsFirst } from './counters.ts';
import { doing, type Flow, nameOf } from './flow.ts';

const ASKS = /^(?:if|filter|switch|code)$/;

/** What a run comes to that got this lock, itself included: where it was not got, other outputs are taken. */
export function gotSide(flow: Flow, lock: number): ReadonlySet<number> {
  const reached = new Set<number>();
  const waiting = [lock];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const lets = letsAt(flow, lock, at);
    for (const { to, output } of flow.next[at] ?? []) if (lets === null || lets.has(output)) waiting.push(to);
  }
  return reached;
}

const FIRST: ReadonlySet<number> = new Set([0]);

/** Null where a node asks for something else: either way is taken. */
function letsAt(flow: Flow, lock: number, at: number): ReadonlySet<number> | null {
  const asks = doing(flow, lock)?.asks ?? null;
  if (at === lock) return asks === null ? FIRST : null;
  const node = flow.definition.nodes[at];
  if (asks === null || node === undefined || !ASKS.test(doing(flow, at)?.label ?? '')) return null;
  const lets =
    asks === 'first' ? letsFirst(flow, lock, at) : outputsWhereGot(node, { question: asks, node: nameOf(flow, lock) });
  return lets.size === 0 ? null : lets;
}
