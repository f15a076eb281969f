import { isRetryOfRuns } from '../../n8n-nodes/http.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { doing, nameOf } from '../../graph/flow.ts';
import { isEffect } from '../../graph/paths.ts';
import { startsByItself } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/** A retry after a lost answer does again what was done. */
export function retriesEffects({ flow, calls }: StaticInput): readonly Finding[] {
  const retried = flow.order.filter(
    (at) => flow.definition.nodes[at]?.retriesOnFail === true && doing(flow, at) !== null && isEffect(flow, at, calls),
  );
  return retried.slice(0, FINDINGS_MAX).map((at) =>
    findingOf({
      rule: 'retry.not-idempotent',
      severity: 'warning',
      message: `"${nameOf(flow, at)}" is retried when it fails, with all its items: where the answer was lost but the work was done, it is done again.`,
      evidence: [nodeEvidence(flow, at, 'retried')],
      advice: `Send an idempotency key with "${nameOf(flow, at)}" (a Leasehold claim gives one: effectKey), or switch off its Retry On Fail and let the next run ask the provider first.`,
    }),
  );
}

const FINDINGS_MAX = 5;

/** A workflow that retries whatever failed repeats all that those runs had done. */
export function retriesAllRuns({ flow }: StaticInput): readonly Finding[] {
  const retry = flow.order.find((at) => {
    const node = flow.definition.nodes[at];
    return (
      node !== undefined &&
      doing(flow, at) !== null &&
      plainType(node) === 'httpRequest' &&
      isRetryOfRuns(node.parameters)
    );
  });
  if (retry === undefined || startsByItself(flow).length === 0) return [];
  return [
    findingOf({
      rule: 'retry.not-idempotent',
      severity: 'critical',
      message: `"${nameOf(flow, retry)}" retries failed runs of other workflows by itself: each goes on at the node that failed, without passing the guard at its beginning, and does again what had an effect but no answer.`,
      evidence: [nodeEvidence(flow, retry, 'retries runs')],
      advice: `Retry by hand, or only workflows whose every effect has a Leasehold claim directly before it.`,
    }),
  ];
}
