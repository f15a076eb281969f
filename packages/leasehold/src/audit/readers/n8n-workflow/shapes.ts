import { type Fields, isFields } from './definition.ts';

/** How deep wrappers may stand in one another. */
const DEPTH_MAX = 4;
/** Names under which exports and answers keep workflows. */
const WRAPPERS = ['workflow', 'workflows', 'data', 'results', 'items', 'workflowData', 'template'] as const;

/**
 * The workflow objects in a value of any shape that is met in the wild: one object, a list, `{workflow: …}`,
 * `{data: […], nextCursor}`, `{workflows: […]}`, and those in one another. Empty where there is none.
 */
export function workflowsIn(value: unknown, depth = 0): Fields[] {
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => workflowsIn(entry, depth + 1));
  if (!isFields(value)) return [];
  if (isWorkflow(value)) return [value];
  return WRAPPERS.flatMap((name) => {
    const inner = value[name];
    if (!Array.isArray(inner) && !isFields(inner)) return [];
    const found = workflowsIn(inner, depth + 1);
    return found.map((workflow) => withNameOf(value, workflow));
  });
}

/** Nodes as a list, or null beside something else that only a workflow has. */
export function isWorkflow(value: Fields): boolean {
  if (Array.isArray(value['nodes'])) {
    const first: unknown = value['nodes'][0];
    return isFields(value['connections']) || (isFields(first) && typeof first['type'] === 'string');
  }
  return value['nodes'] === null && ('connections' in value || 'settings' in value);
}

/** A template keeps name and id outside the workflow. */
function withNameOf(wrapper: Fields, workflow: Fields): Fields {
  if (workflow['name'] !== undefined || wrapper['name'] === undefined) return workflow;
  return { ...workflow, name: wrapper['name'], id: workflow['id'] ?? wrapper['id'] };
}
