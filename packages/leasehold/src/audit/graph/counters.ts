/**
 * A counter in Redis that is taken for a lock: counting up is one step, so the first to count is alone, as long as something asks
 * whether it was the first and the key lives.
 */
import { outputsWhereFirst } from '../n8n-nodes/count-asked.ts';
import { isExpression } from '../n8n-nodes/values.ts';
import { textOf } from '../readers/n8n-workflow/definition.ts';
import { doing, type Flow, leadingTo, nameOf } from './flow.ts';

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

/** Nodes that ask whether it was the first, with the outputs that only the first goes to. */
export function askedAt(flow: Flow, counter: number): readonly { at: number; lets: ReadonlySet<number> }[] {
  const key = textOf(flow.definition.nodes[counter]?.parameters['key']);
  // Another key in each run would count nobody else.
  if (key === null || isExpression(key)) return [];
  const asking = flow.order.filter((at) => ASKS.test(doing(flow, at)?.label ?? '') && leadingTo(flow, at).has(counter));
  return asking.slice(0, ASKING_MAX).flatMap((at) => {
    const node = flow.definition.nodes[at];
    const lets = node === undefined ? null : outputsWhereFirst(node, { node: nameOf(flow, counter), field: key });
    return lets === null || lets.size === 0 ? [] : [{ at, lets }];
  });
}

const ASKS = /^(?:if|filter|code)$/;
