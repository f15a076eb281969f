import { callsOf, type CallMemory, type FindFlow, NO_FLOW } from '../../graph/calls.ts';
import { doing, type Flow, flowOf, nameOf } from '../../graph/flow.ts';
import { waysOf, type Way, writesAt } from '../../graph/paths.ts';
import type { FoundPath, FoundWorkflow } from '../../model/workflow.ts';
import { keyOf } from '../../n8n-nodes/facts.ts';
import { redact } from '../../redact.ts';
import { staticFindings } from '../../rules/n8n/rules.ts';
import type { N8nDefinition } from './definition.ts';
import { keep } from './kept.ts';
import { scheduleOf } from './schedule.ts';
import { historyLimits } from './settings.ts';
import { waitMs } from './wait.ts';

/** What one definition tells; sub-workflows are followed as far as `find` knows them. */
export function foundIn(flow: Flow, find: FindFlow = NO_FLOW, memory: CallMemory = new Map()): FoundWorkflow {
  const { definition } = flow;
  const calls = callsOf(flow, find, memory);
  const ways = waysOf(flow, calls);
  const schedule = scheduleOf(definition);
  return {
    id: definition.id,
    name: redact(definition.name),
    source: definition.source,
    platform: 'n8n',
    isActive: definition.isActive,
    schedule,
    paths: ways.map((way) => pathOf(flow, way)),
    findings: staticFindings({ flow, calls, ways, schedule }),
    reads: keysOf(flow, (at) => doing(flow, at)?.reads ?? []),
    writes: keysOf(flow, (at) => writesAt(flow, at, calls)),
    waitMs: waitMs(definition),
    historyLimits: [...historyLimits(definition.settings), ...unawaited(flow)],
    kept: keep(flow),
  };
}

export function found(definition: N8nDefinition): FoundWorkflow {
  return foundIn(flowOf(definition));
}

function pathOf(flow: Flow, { read, mark, steps, effects }: Way): FoundPath {
  return {
    read: redact(nameOf(flow, read)),
    firstWrite: mark === null ? null : redact(nameOf(flow, mark)),
    steps,
    effectBeforeMark: effects.length > 0,
  };
}

function keysOf(flow: Flow, placesAt: (at: number) => readonly Parameters<typeof keyOf>[0][]): readonly string[] {
  const keys = new Set<string>();
  for (const at of flow.order) {
    for (const place of placesAt(at)) {
      const key = place.system === 'http' ? null : keyOf(place);
      if (key !== null) keys.add(key);
    }
  }
  return [...keys];
}

/** Runs that end before what they started. */
function unawaited(flow: Flow): readonly string[] {
  const calls = flow.order.filter((at) => {
    const options = flow.definition.nodes[at]?.parameters['options'];
    return (
      doing(flow, at)?.does === 'call' &&
      typeof options === 'object' &&
      options !== null &&
      (options as Record<string, unknown>)['waitForSubWorkflow'] === false
    );
  });
  return calls
    .slice(0, 1)
    .map((at) =>
      redact(
        `"${nameOf(flow, at)}" does not wait for its sub-workflow: runs end before their work does, so durations here are too short`,
      ),
    );
}
