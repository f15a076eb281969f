import { plainType } from '../../n8n-nodes/classify.ts';
import { type N8nDefinition, type N8nNode, numberOf } from './definition.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};
/** From this version on a left-out wait is 5 seconds; before it is an hour. */
const SHORT_FROM = 1.1;
const WAIT_MS_MAX = 366 * 86_400_000;

/** The longest wait of one Wait node, in ms; 0 where there is none, or its length is only known when it runs. */
export function waitMs({ nodes }: N8nDefinition): number {
  let longest = 0;
  for (const node of nodes)
    if (!node.isDisabled && plainType(node) === 'wait') longest = Math.max(longest, waitOf(node));
  return longest;
}

/** What a Wait node waits whatever happens, in ms; 0 where something may end it before, or its length is not known. */
export function fixedWaitMs({ parameters, version }: N8nNode): number {
  if ((parameters['resume'] ?? 'timeInterval') !== 'timeInterval') return 0;
  const isShort = version >= SHORT_FROM;
  return product(parameters['amount'] ?? (isShort ? 5 : 1), parameters['unit'] ?? (isShort ? 'seconds' : 'hours'));
}

function waitOf(node: N8nNode): number {
  const { parameters } = node;
  const resume = parameters['resume'] ?? 'timeInterval';
  if (resume === 'timeInterval') return fixedWaitMs(node);
  if (resume === 'specificTime' || parameters['limitWaitTime'] !== true) return 0;
  return product(parameters['resumeAmount'] ?? 1, parameters['resumeUnit'] ?? 'hours');
}

function product(amount: unknown, unit: unknown): number {
  const unitMs = typeof unit === 'string' && Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
  const count = numberOf(amount);
  return unitMs === undefined || !(count > 0) ? 0 : Math.min(count * unitMs, WAIT_MS_MAX);
}
