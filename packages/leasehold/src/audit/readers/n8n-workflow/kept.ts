import { doing, type Flow } from '../../graph/flow.ts';
import { unguarded } from '../../graph/gates.ts';
import { startKind } from '../../graph/starts.ts';
import { plainType } from '../../n8n-nodes/classify.ts';

/**
 * What a second look needs. The whole flow only where the workflow calls another or may be called, since ten thousand of
 * them would not fit.
 */
export interface Kept {
  readonly flow: Flow | null;
  /** What it does, node by node; null where that is too little to tell a copy by. */
  readonly print: string | null;
  /** True where a claim stands before all that it does again: it may share its records. */
  readonly isClaimed: boolean;
  /** What its triggers listen to, account and filter included: who has one in common is started with it. */
  readonly watches: readonly string[];
  /** False where its name stands for an id. */
  readonly hasId: boolean;
}

/** Nodes that do something, from which on two that agree in all are one and its copy. */
const PRINT_MIN = 3;
const PRINT_MAX = 4_000;

export function keep(flow: Flow): Kept {
  const joins = flow.definition.nodes.some(
    (node, at) => doing(flow, at)?.does === 'call' || plainType(node) === 'executeWorkflowTrigger',
  );
  return {
    flow: joins ? flow : null,
    print: printOf(flow),
    isClaimed: isClaimed(flow),
    watches: watchesOf(flow),
    hasId: flow.definition.hasId,
  };
}

export function isKept(value: object | undefined): value is Kept {
  return value !== undefined && 'flow' in value && 'print' in value;
}

function isClaimed(flow: Flow): boolean {
  const open = unguarded(flow, 'repeats');
  const acts = flow.order.filter((at) => doing(flow, at)?.writes.some(({ repeat }) => repeat !== 'same') === true);
  return acts.length > 0 && !acts.some((at) => open.has(at));
}

/** Of services only: a webhook's address is its own, and a clock is nobody's. */
function watchesOf(flow: Flow): readonly string[] {
  if (!flow.order.some((at) => (doing(flow, at)?.writes.length ?? 0) > 0)) return [];
  return flow.triggers.flatMap((at) => {
    const node = flow.definition.nodes[at];
    if (node === undefined || node.credentials === '' || !/^(?:poll|event)$/.test(startKind(flow, at) ?? '')) return [];
    const { pollTimes: _often, ...filter } = node.parameters;
    return [[plainType(node), node.credentials, JSON.stringify(filter).slice(0, PRINT_MAX)].join('\t')];
  });
}

function printOf(flow: Flow): string | null {
  const parts: string[] = [];
  for (const at of flow.order) {
    const facts = doing(flow, at);
    if (facts === null || facts.does === 'transform' || facts.does === 'trigger') continue;
    const places = [...facts.reads, ...facts.writes].map(({ system, base, table }) => `${system} ${base} ${table}`);
    parts.push(`${facts.label} ${places.join(' ')}`);
  }
  return parts.length < PRINT_MIN ? null : parts.toSorted().join('\n').slice(0, PRINT_MAX);
}
