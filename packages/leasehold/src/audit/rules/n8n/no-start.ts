import { doing, type Flow, nameOf } from '../../graph/flow.ts';
import { startKind } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { MANUAL } from '../../n8n-nodes/plain-types.ts';
import { findingOf, named, nodeEvidence, type StaticInput } from './input.ts';
import { GUARD } from './steps.ts';

/** Words by which people name what should run by itself. */
const BY_CLOCK =
  /\b(?:daily|hourly|weekly|monthly|nightly|scheduled?|every|cron|\d+\s*(?:h|hours?|min|minutes?|days?))\b|(?:quotidien|journalier|hebdo|t[äa]glich|st[üu]ndlich|diari[oa])/i;

/**
 * A workflow that nothing starts, though it is switched on, or named after a clock. A workflow without any trigger may
 * be a part of one that was copied out; one of nodes that nobody knows may have a trigger among them.
 */
export function noStart({ flow, schedule }: StaticInput): readonly Finding[] {
  const { definition, triggers, facts } = flow;
  if (schedule !== null || !triggers.every((at) => startKind(flow, at) === 'manual')) return [];
  const off = [...definition.nodes.keys()].filter(
    (at) => definition.nodes[at]?.isDisabled === true && facts[at]?.does === 'trigger' && !isManual(flow, at),
  );
  if (triggers.length === 0 && off.length === 0) return [];
  const isNamed = BY_CLOCK.test(definition.name.replaceAll(/[_-]+/g, ' '));
  const isUnsure = triggers.length === 0 && flow.starts.some((at) => doing(flow, at)?.does === 'unknown');
  if (definition.isActive !== true ? !isNamed || triggers.length === 0 : isUnsure) return [];
  return [
    findingOf({
      rule: 'schedule.never-fires',
      severity: 'info',
      message: messageOf(flow, off, isNamed),
      evidence: [
        ...triggers.map((at) => nodeEvidence(flow, at, 'starts')),
        ...off.map((at) => ({ node: nameOf(flow, at), does: facts[at]?.label ?? '', part: 'is switched off' })),
      ],
      advice: `If it should run by itself, ${off.length > 0 ? `switch ${named(flow, off)} on again` : 'add a Schedule Trigger'}, with ${GUARD} behind it.`,
    }),
  ];
}

const isManual = ({ definition }: Flow, at: number): boolean => {
  const node = definition.nodes[at];
  return node !== undefined && MANUAL.has(plainType(node));
};

function messageOf(flow: Flow, off: readonly number[], isNamed: boolean): string {
  const [first] = flow.triggers;
  const byHand =
    first === undefined
      ? 'nothing starts this workflow'
      : `only "${nameOf(flow, first)}" starts this workflow, by hand`;
  if (off.length > 0) return `${named(flow, off)} ${off.length === 1 ? 'is' : 'are'} switched off: ${byHand}.`;
  return isNamed
    ? `No schedule in the file, though its name speaks of one: ${byHand}.`
    : `This workflow is switched on, and ${byHand}.`;
}
