import { plainType } from '../../n8n-nodes/classify.ts';
import { constantNumberOf, constantOf } from '../../n8n-nodes/constant-expressions.ts';
import { isExpression } from '../../n8n-nodes/values.ts';
import { type N8nDefinition, type N8nNode, textOf } from './definition.ts';
import { untilMs } from './wait-until.ts';

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
export function fixedWaitMs(node: N8nNode): number {
  return lengthOf(node) ?? 0;
}

/** True where n8n works out how long it waits, and from something that nobody knows before it runs. */
export function isWaitUnknown(node: N8nNode): boolean {
  return lengthOf(node) === null;
}

/** Null where only the run knows it. */
function lengthOf({ parameters, version }: N8nNode): number | null {
  const resume = parameters['resume'] ?? 'timeInterval';
  if (resume === 'specificTime') {
    const instant = textOf(parameters['dateTime']) ?? '';
    if (!isExpression(instant)) return 0;
    const ms = untilMs(instant);
    return ms === null ? null : Math.min(ms, WAIT_MS_MAX);
  }
  if (resume !== 'timeInterval') return isExpression(resume) ? null : 0;
  const isShort = version >= SHORT_FROM;
  return product(parameters['amount'] ?? (isShort ? 5 : 1), parameters['unit'] ?? (isShort ? 'seconds' : 'hours'));
}

function waitOf(node: N8nNode): number {
  const { parameters } = node;
  const resume = parameters['resume'] ?? 'timeInterval';
  if (resume === 'timeInterval' || resume === 'specificTime') return fixedWaitMs(node);
  if (parameters['limitWaitTime'] !== true) return 0;
  return product(parameters['resumeAmount'] ?? 1, parameters['resumeUnit'] ?? 'hours') ?? 0;
}

function product(amount: unknown, unit: unknown): number | null {
  const word = constantOf(unit);
  const count = constantNumberOf(amount);
  if ((word === null && isExpression(unit)) || (count === null && isExpression(amount))) return null;
  const unitMs = typeof word === 'string' && Object.hasOwn(UNIT_MS, word) ? UNIT_MS[word] : undefined;
  return unitMs === undefined || count === null || count <= 0 ? 0 : Math.min(count * unitMs, WAIT_MS_MAX);
}
