import { withFlags } from '../../graph/flags.ts';
import { flowOf } from '../../graph/flow.ts';
import type { AuditSink } from '../../model/sink.ts';
import { redact } from '../../redact.ts';
import { durationLimits, foundIn } from './found.ts';
import { draftBeside, readDefinition } from './read-definition.ts';
import { workflowsIn } from './shapes.ts';

/**
 * Reads what may hold workflows of n8n, already parsed, in any shape that exports, answers and repositories have, and
 * hands each to the sink. What holds none is said as unread; nothing is thrown. `isLive`: the
 * system that runs them gave them.
 */
export function readN8nWorkflow(value: unknown, source: string, sink: AuditSink, isLive = false): void {
  const workflows = workflowsIn(value);
  if (workflows.length === 0) sink.unread(source, 'There is no n8n workflow in it: no object with a list of nodes.');
  for (const workflow of workflows) {
    const definition = readDefinition(workflow, source, isLive);
    if (definition === null) continue;
    for (const oddity of definition.oddities) sink.unread(source, redact(`Workflow "${definition.name}": ${oddity}.`));
    const versions = draftBeside(workflow);
    if (versions !== null)
      sink.limit(
        source,
        definition.id,
        `Looked at the published version ${versions.published}; the draft ${versions.draft} differs and runs nowhere.`,
      );
    const flow = withFlags(flowOf(definition));
    for (const limit of durationLimits(flow)) sink.limit(source, definition.id, limit);
    sink.workflow(foundIn(flow));
  }
}
