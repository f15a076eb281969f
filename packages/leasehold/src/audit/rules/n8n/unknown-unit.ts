import { doing, nameOf } from '../../graph/flow.ts';
import type { Finding } from '../../model/finding.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { fieldsOf, isFields, listOf } from '../../readers/n8n-workflow/definition.ts';
import { UNITS } from '../../readers/n8n-workflow/schedule-rule.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/** A rule whose unit n8n doesn't have: 2.41 takes it for days, and its "every two weeks" starts every night. */
export function unknownUnit({ flow }: StaticInput): readonly Finding[] {
  return flow.triggers
    .filter((at) => doing(flow, at) !== null)
    .flatMap((at) => {
      const node = flow.definition.nodes[at];
      if (node === undefined || plainType(node) !== 'scheduleTrigger') return [];
      return listOf(fieldsOf(node.parameters['rule'])['interval'])
        .map((item) => (isFields(item) ? (item['field'] ?? 'days') : 'days'))
        .filter((field) => !UNITS.has(field) && !(typeof field === 'string' && field.startsWith('=')))
        .slice(0, FINDINGS_MAX)
        .map((field) =>
          findingOf({
            rule: 'schedule.never-fires',
            severity: 'critical',
            message: `The rule of "${nameOf(flow, at)}" never starts anything as it is written: "${wordOf(field)}" is no unit that n8n has. n8n 2.41 starts it each day instead, and that is what is reckoned with here; others may refuse it.`,
            evidence: [{ ...nodeEvidence(flow, at, 'starts'), field: wordOf(field) }],
            advice: `Choose a unit that there is, in "${nameOf(flow, at)}": ${[...UNITS].join(', ')}.`,
          }),
        );
    });
}

/** Of one trigger. */
const FINDINGS_MAX = 5;
const WORD_MAX = 60;

const wordOf = (field: unknown): string =>
  (typeof field === 'string' ? field : (JSON.stringify(field) ?? '')).slice(0, WORD_MAX);
