/**
 * Which node started an execution, where it was exported with its data. n8n calls all of them `trigger`: the clock, a
 * poll, a mail that came in. In a workflow that has several, only the clock's starts can be held against its schedule.
 */
import { type JsonObject, isObject, objectAt, textAt } from '../json/json-value.ts';

const CLOCK = /(?:^|\.)(?:scheduleTrigger|cron|interval)$/;

/** True where another node than a clock started it, in a workflow that has a clock; false also where nobody says. */
export function isByEvent(execution: JsonObject): boolean {
  const nodes = objectAt(execution, 'workflowData')?.['nodes'];
  const runData = objectAt(objectAt(objectAt(execution, 'data') ?? {}, 'resultData') ?? {}, 'runData');
  if (!Array.isArray(nodes) || runData === null) return false;
  const types = new Map(
    nodes.filter(isObject).map((node) => [textAt(node, 'name'), textAt(node, 'type') ?? ''] as const),
  );
  const first = firstNode(runData);
  const type = first === null ? undefined : types.get(first);
  return (
    type !== undefined &&
    !CLOCK.test(type) &&
    nodes.some((node) => isObject(node) && node['disabled'] !== true && CLOCK.test(textAt(node, 'type') ?? ''))
  );
}

/** The node that nothing came before: it has no source. */
function firstNode(runData: JsonObject): string | null {
  for (const [name, runs] of Object.entries(runData)) {
    const run: unknown = Array.isArray(runs) ? runs[0] : null;
    if (isObject(run) && (run['executionIndex'] === 0 || hasNoSource(run['source']))) return name;
  }
  return null;
}

const hasNoSource = (source: unknown): boolean =>
  Array.isArray(source) && source.every((each) => each === null || each === undefined);
