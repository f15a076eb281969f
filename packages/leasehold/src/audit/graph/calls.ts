import { isSamePlace, type Place, type Write } from '../n8n-nodes/facts.ts';
import { firstChosen } from '../n8n-nodes/values.ts';
import { fieldsOf, isFields, type N8nDefinition } from '../readers/n8n-workflow/definition.ts';
import { readDefinition } from '../readers/n8n-workflow/read-definition.ts';
import { withFlags } from './flags.ts';
import { doing, type Flow, flowOf, reachedFrom } from './flow.ts';

/** What the sub-workflows that a flow runs do, as far as they are known. */
export interface Calls {
  /** All that the sub-workflow at this node writes, with what it calls in turn; empty where nobody knows. */
  writesAt(at: number): readonly Write[];
  /** Where a sub-workflow that only reads takes a list from; empty for every other. */
  readsAt(at: number): readonly Place[];
  /** True where the sub-workflow at this node itself does something again before it marks. */
  isEffectBeforeMark(at: number, read: readonly Place[]): boolean;
  /** The sub-workflow itself; null where nobody knows it. */
  flowAt(at: number): Flow | null;
  /** Nodes that run a workflow which is not in the input. */
  readonly unknown: readonly number[];
}

/** Finds a workflow of the same input by its id, else by its name. */
export type FindFlow = (id: string | null, name: string | null) => Flow | null;

/** While files are still being read, no sub-workflow is known. */
export const NO_FLOW: FindFlow = () => null;

/** Known writes of each flow; one that is being worked out calls itself, and adds nothing. */
export type CallMemory = Map<Flow, readonly Write[]>;

export function callsOf(flow: Flow, find: FindFlow, memory: CallMemory = new Map()): Calls {
  const callees = new Map<number, Flow>();
  const unknown: number[] = [];
  for (const at of flow.order) {
    if (doing(flow, at)?.does !== 'call') continue;
    const callee = calleeOf(flow.definition, at, find);
    if (callee === null) unknown.push(at);
    else callees.set(at, callee);
  }
  const writesAt = (at: number): readonly Write[] => {
    const callee = callees.get(at);
    return callee === undefined ? [] : allWrites(callee, find, memory);
  };
  return {
    unknown,
    writesAt,
    flowAt: (at) => callees.get(at) ?? null,
    readsAt: (at) => {
      const callee = callees.get(at);
      return callee === undefined || writesAt(at).length > 0 ? [] : listsIn(callee);
    },
    isEffectBeforeMark: (at, read) => {
      const callee = callees.get(at);
      return callee !== undefined && actsBeforeMark(callee, read, { find, memory });
    },
  };
}

function listsIn(flow: Flow): readonly Place[] {
  return flow.order.flatMap((at) => {
    const facts = doing(flow, at);
    return facts?.does === 'read' && !facts.isLookup && facts.guard === null ? facts.reads : [];
  });
}

/** A chain of sub-workflows longer than this is not followed: the rest counts as unknown. */
const DEPTH_MAX = 50;

function allWrites(flow: Flow, find: FindFlow, memory: CallMemory, depth = 0): readonly Write[] {
  const known = memory.get(flow);
  if (known !== undefined || depth > DEPTH_MAX) return known ?? [];
  memory.set(flow, []);
  const writes = new Map<string, Write>();
  for (const at of flow.order) {
    const facts = doing(flow, at);
    const callee = facts?.does === 'call' ? calleeOf(flow.definition, at, find) : null;
    const inner = callee === null ? [] : allWrites(callee, find, memory, depth + 1);
    for (const write of [...(facts?.writes ?? []), ...inner]) writes.set(JSON.stringify(write), write);
  }
  const all = [...writes.values()];
  memory.set(flow, all);
  return all;
}

function actsBeforeMark(flow: Flow, read: readonly Place[], within: { find: FindFlow; memory: CallMemory }): boolean {
  const inner = callsOf(flow, within.find, within.memory);
  const writesOf = (at: number): readonly Write[] => [...(doing(flow, at)?.writes ?? []), ...inner.writesAt(at)];
  const isMark = (at: number): boolean =>
    writesOf(at).some((write) => write.repeat !== 'leaves' && read.some((place) => isSamePlace(place, write)));
  return [...reachedFrom(flow, flow.starts, isMark)].some(
    (at) => !isMark(at) && writesOf(at).some(({ repeat }) => repeat !== 'same'),
  );
}

function calleeOf({ nodes, source }: N8nDefinition, at: number, find: FindFlow): Flow | null {
  const parameters = fieldsOf(nodes[at]?.parameters);
  if (parameters['source'] === 'parameter') return inline(parameters['workflowJson'], source);
  const locator = parameters['workflowId'];
  const name = isFields(locator) ? locator['cachedResultName'] : null;
  return find(firstChosen(parameters, ['workflowId']), typeof name === 'string' ? name : null);
}

const INLINE_MAX = 1_000_000;

function inline(value: unknown, source: string): Flow | null {
  if (typeof value !== 'string' || value.length > INLINE_MAX) return null;
  try {
    const definition = readDefinition(fieldsOf(JSON.parse(value)), source);
    return definition === null ? null : withFlags(flowOf(definition));
  } catch {
    return null;
  }
}
