import type { Flow } from '../../graph/flow.ts';
import { fieldsOf } from './definition.ts';

/** True where a run stays open until the sub-workflow that it runs there has ended. */
export function awaits(flow: Flow, at: number): boolean {
  return fieldsOf(flow.definition.nodes[at]?.parameters['options'])['waitForSubWorkflow'] !== false;
}
