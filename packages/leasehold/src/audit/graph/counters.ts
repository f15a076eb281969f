/**
 * A counter in Redis that is taken for a lock: counting up is one step, so the first to count is alone, as long as something asks
 * whether it was the first and the key lives.
 */
import { outputsWhereFirst } from '../n8n-nodes/count-asked.ts';
import { isExpression } from '../n8n-nodes/values.ts';
import { textOf } from '../readers/n8n-workflow/definition.ts';
import { doing, type Flow, nameOf, reachedFrom } from './flow.ts';

const COUNTERS_MAX = 10;
const ASKING_MAX = 100;

/** Such counters are locks to all rules, and add nothing. */
export function withCounters(flow: Flow): Flow {
  const counters = flow.order.filter((at) => doing(flow, at)?.guard === 'redis-incr').slice(0, COUNTERS_MAX);
  const locks = counters.filter((at) => askedAt(flow, at).length > 0);
  if (locks.length === 0) return flow;
  const facts = flow.facts.map((own, at) =>
    locks.includes(at) ? { ...own, does: 'transform' as const, writes: [], asks: 'first' as const } : own,
  );
  return { ...flow, facts };
}

/** Nodes that ask whether it was the first. */
function askedAt(flow: Flow, counter: number): readonly number[] {
  const after = reachedFrom(flow, [counter]);
  const asking = flow.order.filter((at) => after.has(at) && ASKS.test(doing(flow, at)?.label ?? ''));
  return asking.slice(0, ASKING_MAX).filter((at) => letsFirst(flow, counter, at).size > 0);
}

const NONE: ReadonlySet<number> = new Set();

/** The outputs of a node that only the first to count goes to; empty where it asks for something else. */
export function letsFirst(flow: Flow, counter: number, at: number): ReadonlySet<number> {
  const key = textOf(flow.definition.nodes[counter]?.parameters['key']);
  const node = flow.definition.nodes[at];
  // Another key in each run would count nobody else.
  if (node === undefined || key === null || isExpression(key)) return NONE;
  return outputsWhereFirst(node, { node: nameOf(flow, counter), field: key });
}

const ASKS = /^(?:if|filter|code)$/;
