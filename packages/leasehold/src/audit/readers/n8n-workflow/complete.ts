import type { CallMemory, FindFlow } from '../../graph/calls.ts';
import { doing, type Flow } from '../../graph/flow.ts';
import type { FoundWorkflow } from '../../model/workflow.ts';
import { foundIn } from './found.ts';
import { isKept } from './kept.ts';

/**
 * The second look, once all files are read: follows sub-workflows across them, and tells those apart that have no id and
 * share a name. Gives the same workflows in the same order; those of other platforms as they came.
 */
export function completeWorkflows(workflows: readonly FoundWorkflow[]): readonly FoundWorkflow[] {
  const flows = workflows.map(({ kept }) => (isKept(kept) ? kept.flow : null));
  const find = finderOf(flows);
  const memory: CallMemory = new Map();
  const named = Map.groupBy(workflows, ({ id }) => id);
  return workflows.map((workflow, at) => {
    const flow = flows[at] ?? null;
    const completed = flow !== null && callsAnother(flow) ? foundIn(flow, find, memory) : workflow;
    const isAlone = (named.get(workflow.id)?.length ?? 0) < 2;
    return isAlone || !isKept(workflow.kept) || workflow.kept.hasId
      ? completed
      : { ...completed, id: `${workflow.id} (${workflow.source})` };
  });
}

function callsAnother(flow: Flow): boolean {
  return flow.order.some((at) => doing(flow, at)?.does === 'call');
}

/** The first of an id counts; a name only where one workflow alone has it. */
function finderOf(flows: readonly (Flow | null)[]): FindFlow {
  const byId = new Map<string, Flow>();
  const byName = new Map<string, Flow | null>();
  for (const flow of flows) {
    if (flow === null) continue;
    const { id, name } = flow.definition;
    if (!byId.has(id)) byId.set(id, flow);
    byName.set(name, byName.has(name) ? null : flow);
  }
  return (id, name) =>
    (id === null ? null : (byId.get(id) ?? byName.get(id))) ?? (name === null ? null : byName.get(name)) ?? null;
}
