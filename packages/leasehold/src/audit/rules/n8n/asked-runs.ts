import { textIn } from '../../n8n-nodes/values.ts';
import { doing, type Flow } from '../../graph/flow.ts';

/**
 * A list of n8n's executions is a guard only where it is asked for the running ones, by itself or by what stands right
 * behind it; else it is a report, or a retry of what failed.
 */
export function asksForRunning(flow: Flow, at: number): boolean {
  if (doing(flow, at)?.guard !== 'asks-executions') return false;
  const near = [at, ...(flow.next[at] ?? []).map(({ to }) => to)];
  return near.some((node) => /running/i.test(textIn(flow.definition.nodes[node]?.parameters ?? {})));
}
