import { doing, nameOf } from '../../graph/flow.ts';
import { effectsAfter } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/** Of one workflow. */
const READS_MAX = 10;

/** All records are read and each is worked: a run lasts as long as the backlog is. */
export function unboundedRead({ flow, calls }: StaticInput): readonly Finding[] {
  return flow.order
    .filter((at) => {
      const facts = doing(flow, at);
      return facts?.does === 'read' && facts.bound === 'all' && facts.reads.every(({ system }) => system !== 'rss');
    })
    .slice(0, READS_MAX)
    .map((at) => ({ at, effects: effectsAfter(flow, at, calls) }))
    .filter(({ effects }) => effects.length > 0)
    .map(({ at, effects }) => {
      const asks = flow.definition.nodes[at]?.parameters['returnAll'] === true;
      return findingOf({
        rule: 'read.unbounded',
        severity: asks ? 'warning' : 'info',
        message: `"${nameOf(flow, at)}" reads all there is${asks ? ' (returnAll)' : ', with no limit'}: one run lasts as long as the backlog is, and outlives its interval on the day when that is long.`,
        evidence: [nodeEvidence(flow, at, 'reads'), ...effects.map((node) => nodeEvidence(flow, node, 'works each'))],
        advice: `Give "${nameOf(flow, at)}" a limit that fits into half the interval, the oldest records first; what is left is the next run's.`,
      });
    });
}
