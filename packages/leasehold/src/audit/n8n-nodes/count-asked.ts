/**
 * What a condition comes to where a counter that serves as a lock was counted up by another run before: it is two or more.
 * The same as `held-answer.ts` does for answers of our own; what is too clever to read is no question.
 */
import { type Fields, fieldsOf, listOf, type N8nNode, textOf } from '../readers/n8n-workflow/definition.ts';
import { plainType } from './classify.ts';
import { codeOf } from './code.ts';
import { constantNumberOf } from './constant-expressions.ts';

/** The node that counts, and the field that its number comes in. */
export interface Counted {
  readonly node: string;
  readonly field: string;
}

type Certain = boolean | null;

const NONE: ReadonlySet<number> = new Set();
/** Number of conditions of one node that are looked at. */
const CONDITIONS_MAX = 50;
const LENGTH_MAX = 500;

/** The outputs that only the first to count goes to; empty where the node asks for something else. */
export function outputsWhereFirst(node: N8nNode, counted: Counted): ReadonlySet<number> {
  const found = new Set(outputsOf(node, counted));
  if (node.alwaysOutputs) found.delete(0);
  return found;
}

function outputsOf(node: N8nNode, counted: Counted): ReadonlySet<number> {
  switch (plainType(node)) {
    case 'if': {
      const held = conditions(node.parameters, counted);
      return held === null ? NONE : new Set([held ? 1 : 0]);
    }
    case 'filter':
      return conditions(node.parameters, counted) === false ? new Set([0]) : NONE;
    case 'code':
    case 'function': {
      const { text } = codeOf(node.parameters);
      const decides = /\bif\b|\?|&&|\|\||\.filter\(|\bthrow\b/.test(text);
      return decides && text.includes(counted.field) ? new Set([0]) : NONE;
    }
    default:
      return NONE;
  }
}

function conditions(parameters: Fields, counted: Counted): Certain {
  const given = fieldsOf(parameters['conditions']);
  const isNew = Array.isArray(given['conditions']);
  const results = isNew
    ? listOf(given['conditions'])
        .slice(0, CONDITIONS_MAX)
        .map(fieldsOf)
        .map((each) =>
          compared(
            each['leftValue'],
            textOf(fieldsOf(each['operator'])['operation']) ?? 'equals',
            each['rightValue'],
            counted,
          ),
        )
    : ['number', 'boolean', 'string'].flatMap((kind) =>
        listOf(given[kind])
          .slice(0, CONDITIONS_MAX)
          .map(fieldsOf)
          .map(({ value1, operation, value2 }) =>
            compared(value1, textOf(operation) ?? (kind === 'number' ? 'smaller' : 'equal'), value2 ?? 0, counted),
          ),
      );
  if (results.length === 0) return null;
  const isAny = /^(?:any|or)$/i.test(
    textOf(isNew ? given['combinator'] : (parameters['combineOperation'] ?? parameters['combineConditions'])) ?? '',
  );
  const decisive = results.includes(isAny);
  if (decisive) return isAny;
  return results.includes(null) ? null : !isAny;
}

const SIGNS: Readonly<Record<string, string>> = {
  '==': 'equals',
  '===': 'equals',
  '!=': 'notEquals',
  '!==': 'notEquals',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
};
const WRITTEN = /^(.{1,300}?)\s*(===?|!==?|<=?|>=?)\s*(\d{1,9})$/s;

function compared(left: unknown, operation: string, right: unknown, counted: Counted): Certain {
  const text = (textOf(left) ?? '').slice(0, LENGTH_MAX).replace(/^=/, '').trim();
  const inner = /^\{\{([^]*)\}\}$/.exec(text)?.[1]?.trim() ?? text;
  if (isCount(inner, counted)) return whenTwo(operation, constantNumberOf(right));
  const [, subject = '', sign = '', number] = WRITTEN.exec(inner) ?? [];
  if (number === undefined || !isCount(subject.trim(), counted)) return null;
  const value = whenTwo(SIGNS[sign] ?? '', Number(number));
  if (value === null) return null;
  const wanted = operation === 'true' || (/^equals?$/.test(operation) && String(right) === 'true');
  const unwanted = operation === 'false' || (/^equals?$/.test(operation) && String(right) === 'false');
  return wanted ? value : unwanted ? !value : null;
}

/** Of a number that is two or more, whatever it is. */
function whenTwo(operation: string, number: number | null): Certain {
  if (number === null) return null;
  switch (operation) {
    case 'equals':
    case 'equal':
      return number < 2 ? false : null;
    case 'notEquals':
    case 'notEqual':
      return number < 2 ? true : null;
    case 'lt':
    case 'smaller':
      return number <= 2 ? false : null;
    case 'lte':
    case 'smallerEqual':
      return number < 2 ? false : null;
    case 'gt':
    case 'larger':
      return number < 2 ? true : null;
    case 'gte':
    case 'largerEqual':
      return number <= 2 ? true : null;
    default:
      return null;
  }
}

const FIELD =
  /^(?:Number\(\s*)?(\$json|\$input\.(?:first\(\)|item)\.json|\$(?:\(|node\[)\s*["'`]([^"'`]{1,200})["'`]\s*[)\]](?:\.(?:first\(\)|item))?\.json)\s*(?:\.\s*(\w{1,100})|\[\s*["'`]([^"'`]{1,200})["'`]\s*\])\s*\)?(?:\.toNumber\(\))?$/;

function isCount(text: string, { node, field }: Counted): boolean {
  if (/^Object\.values\(\s*\$json\s*\)\[0\]$/.test(text)) return true;
  const [, , named, plain, quoted] = FIELD.exec(text) ?? [];
  return (named === undefined || named === node) && (plain ?? quoted) === field;
}
