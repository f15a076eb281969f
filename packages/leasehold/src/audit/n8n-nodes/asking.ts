import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  type N8nNode,
  numberOf,
  textOf,
} from '../readers/n8n-workflow/definition.ts';
import { plainType } from './classify.ts';
import { codeOf } from './code.ts';
import { type Asked, type Certain, compared, conditionsWhenHeld, mentions, OLD_KINDS } from './held-answer.ts';

/**
 * The outputs of a node that only an item goes to whose lock was got (or whose record is owned); empty where the node
 * asks for something else, or for nothing. Code that decides by the answer is believed.
 */
export function outputsWhereGot(node: N8nNode, asked: Asked): ReadonlySet<number> {
  const found = new Set(outputsOf(node, asked));
  // Where no item is left, this goes on with an empty one, by the first output.
  if (node.alwaysOutputs) found.delete(0);
  return found;
}

const NONE: readonly number[] = [];

function outputsOf({ parameters, ...node }: N8nNode, asked: Asked): readonly number[] {
  switch (plainType({ parameters, ...node })) {
    case 'if': {
      const held = conditionsWhenHeld(parameters, asked);
      return held === null ? NONE : [held ? 1 : 0];
    }
    case 'filter':
      return conditionsWhenHeld(parameters, asked) === false ? [0] : NONE;
    case 'switch':
      return switched({ parameters, ...node }, asked);
    case 'code':
    case 'function':
    case 'functionItem':
      return decides(parameters, asked) ? [0] : NONE;
    default:
      return NONE;
  }
}

/** Code is read without its comments; one that hands the answer on, and decides nothing, is no question. */
const DECIDES = /\bif\b|\?|&&|\|\||\.(?:filter|find|some|every)\(|\bthrow\b|\bswitch\b/;

function decides(parameters: Fields, asked: Asked): boolean {
  const { text } = codeOf(parameters);
  return mentions(text, asked) && DECIDES.test(text);
}

/** Outputs of a switch that it certainly doesn't take where the lock is held, out of those that it has. */
function switched({ parameters, version }: N8nNode, asked: Asked): readonly number[] {
  if (parameters['mode'] === 'expression') return byExpression(textOf(parameters['output']) ?? '', asked);
  const rules = fieldsOf(parameters['rules']);
  const isNew = Array.isArray(rules['values']);
  const results = listOf(isNew ? rules['values'] : rules['rules'])
    .slice(0, RULES_MAX)
    .map((rule, at): RuleResult => {
      if (isNew) return { output: at, held: isFields(rule) ? conditionsWhenHeld(rule, asked) : null };
      const { output, ...own } = fieldsOf(rule);
      // Version 1 names the output of each rule, later ones go by the rules' order.
      return { output: version >= 2 ? at : wholeOr(output, 0), held: oldRule(own, parameters, asked) };
    });
  if (!results.some(({ held }) => held !== null)) return NONE;
  const taken = new Set(results.filter(({ held }) => held !== false).map(({ output }) => output));
  const isCaught = results.some(({ held }) => held === true);
  const extra = fallbackOf(parameters, results.length);
  if (extra !== null && !isCaught) taken.add(extra);
  const outputs = [...results.map(({ output }) => output), ...(extra === null ? [] : [extra])];
  return outputs.filter((output) => !taken.has(output));
}

const RULES_MAX = 200;

interface RuleResult {
  readonly output: number;
  readonly held: Certain;
}

function oldRule({ operation, value2 }: Fields, parameters: Fields, asked: Asked): Certain {
  const usual = OLD_KINDS[textOf(parameters['dataType']) ?? 'number'] ?? { operation: 'equal', right: '' };
  const right = value2 ?? usual.right;
  return compared(parameters['value1'], { operation: textOf(operation) ?? usual.operation, right }, asked);
}

function wholeOr(value: unknown, usual: number): number {
  const number = numberOf(value);
  return Number.isInteger(number) ? number : usual;
}

/** Where what no rule takes goes; null where it ends. */
function fallbackOf(parameters: Fields, count: number): number | null {
  const fallback = fieldsOf(parameters['options'])['fallbackOutput'] ?? parameters['fallbackOutput'];
  if (fallback === 'extra') return count;
  const output = numberOf(fallback);
  return Number.isInteger(output) && output >= 0 ? output : null;
}

/** `{{ $json.proceed ? 0 : 1 }}`; of whatever else speaks of the answer the first output is taken for "got it". */
function byExpression(output: string, asked: Asked): readonly number[] {
  if (!mentions(output, asked)) return NONE;
  const [, condition = '', yes, no] = /^=?\s*\{\{\s*(.*?)\?\s*(\d+)\s*:\s*(\d+)\s*\}\}\s*$/s.exec(output) ?? [];
  if (yes === undefined || no === undefined) return [0];
  const held = compared(condition, { operation: 'true', right: true }, asked);
  return held === null || yes === no ? NONE : [Number(held ? no : yes)];
}
