import { JSON_SAID } from './json-said.ts';

/** What the beginning of a file looks like, of which nothing whole is left; the first that fits. */
const KINDS: readonly (readonly [what: string, ...marks: readonly RegExp[]])[] = [
  ['a workflow of n8n', /"nodes"\s*:\s*\[/, /"(?:typeVersion|connections)"\s*:|"type"\s*:\s*"(?:@?[\w-]+\/)?n8n-nodes/],
  ['a blueprint of Make', /"flow"\s*:\s*\[/, /"module"\s*:/],
  ['an export of Zapier', /"(?:zaps|zap_runs)"\s*:|"zap"\s*:\s*\{/],
  ['a history', /"(?:startedAt|started_at|stoppedAt|workflowId|startTime|start_time)"\s*:/],
];

/**
 * What is said of a file that was cut short, of which nothing could be read. `isOurs`: it looks like one of the kinds that
 * are read, so that it is told also where nobody named it.
 */
export function cutShort(head: string): { readonly sentence: string; readonly isOurs: boolean } {
  const kind = KINDS.find(([, ...marks]) => marks.every((mark) => mark.test(head)))?.[0];
  return { sentence: JSON_SAID.cutWithNothing(kind ?? null), isOurs: kind !== undefined };
}
