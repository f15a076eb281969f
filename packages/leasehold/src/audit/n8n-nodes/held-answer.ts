/**
 * What a condition in n8n comes to where a lock was not got, or a record not owned. Only that answer counts: an output
 * that it can't take is one that keeps a second run out.
 */
import { type Fields, fieldsOf, listOf, textOf } from '../readers/n8n-workflow/definition.ts';
import type { Question } from './sql-ours.ts';

/** True and false where it is certain, null where it may be either. */
export type Certain = boolean | null;

/** What is asked about: the answer of a lock, or of a claim, of this node. */
export interface Asked {
  readonly question: Question;
  readonly node: string;
}

/** The answer of one that got nothing, by field. */
const HELD: Readonly<Record<Question, Readonly<Record<string, boolean | string | null>>>> = {
  proceed: { proceed: false, outcome: 'skipped', token: null, fence: null },
  owned: { owned: false, token: null, why: 'claimed' },
};

const NAMED = /\$\(\s*["'`]([^"'`]{1,200})["'`]|\$(?:node\[|items\()\s*["'`]([^"'`]{1,200})["'`]/g;

/** True where a text speaks of the answer: by `$json`, or by the node's own name. */
export function mentions(text: string, { question, node }: Asked): boolean {
  const fields = Object.keys(HELD[question]).join('|');
  if (!new RegExp(`\\b(?:${fields})\\b`).test(text)) return false;
  const named = [...text.matchAll(NAMED)].map(([, one, other]) => one ?? other);
  return named.length === 0 || named.includes(node) || text.includes('$json');
}

/** Conditions of an IF, a filter or a rule of a switch, of any version. */
export function conditionsWhenHeld(parameters: Fields, asked: Asked): Certain {
  const conditions = fieldsOf(parameters['conditions']);
  const isNew = Array.isArray(conditions['conditions']);
  const results = isNew
    ? listOf(conditions['conditions']).map((each) => conditionWhenHeld(fieldsOf(each), asked))
    : Object.entries(OLD_KINDS).flatMap(([kind, usual]) =>
        listOf(conditions[kind]).map((each) => oldConditionWhenHeld(fieldsOf(each), usual, asked)),
      );
  const joined = isNew ? conditions['combinator'] : (parameters['combineOperation'] ?? parameters['combineConditions']);
  return /^(?:any|or)$/i.test(textOf(joined) ?? '') ? either(results) : all(results);
}

/** What n8n takes in conditions of version 1 for what is left out: it stores no default. */
export const OLD_KINDS: Readonly<Record<string, Comparison>> = {
  boolean: { operation: 'equal', right: false },
  string: { operation: 'equal', right: '' },
  number: { operation: 'smaller', right: 0 },
  dateTime: { operation: 'after', right: '' },
};

function all(results: readonly Certain[]): Certain {
  if (results.includes(false)) return false;
  return results.length === 0 || results.includes(null) ? null : true;
}

function either(results: readonly Certain[]): Certain {
  if (results.includes(true)) return true;
  return results.length === 0 || results.includes(null) ? null : false;
}

function conditionWhenHeld({ leftValue, rightValue, operator }: Fields, asked: Asked): Certain {
  const operation = textOf(fieldsOf(operator)['operation']) ?? 'equals';
  return compared(leftValue, { operation, right: rightValue ?? '' }, asked);
}

function oldConditionWhenHeld({ value1, value2, operation }: Fields, usual: Comparison, asked: Asked): Certain {
  return compared(value1, { operation: textOf(operation) ?? usual.operation, right: value2 ?? usual.right }, asked);
}

export interface Comparison {
  readonly operation: string;
  readonly right: unknown;
}

/** `left OPERATION right`, with the words that n8n has for operations. */
export function compared(left: unknown, { operation, right }: Comparison, asked: Asked): Certain {
  const value = valueWhenHeld(textOf(left) ?? '', asked);
  if (value === undefined) {
    // The same asked the other way round: `true` equals the answer.
    const isTurned = typeof left === 'boolean' && mentions(textOf(right) ?? '', asked);
    return isTurned ? compared(right, { operation, right: left }, asked) : null;
  }
  const wanted = typeof right === 'boolean' ? String(right) : bare(textOf(right) ?? '');
  switch (operation) {
    case 'true':
      return value === true;
    case 'false':
      return value === false;
    case 'equals':
    case 'equal':
      return String(value) === wanted;
    case 'notEquals':
    case 'notEqual':
      return String(value) !== wanted;
    case 'contains':
      return String(value).includes(wanted);
    case 'notContains':
      return !String(value).includes(wanted);
    case 'exists':
    case 'notEmpty':
    case 'isNotEmpty':
      return value !== null;
    case 'notExists':
    case 'empty':
    case 'isEmpty':
      return value === null;
    default:
      return null;
  }
}

/** Without what makes it an expression, and without quotes. */
function bare(text: string): string {
  return text
    .replace(/^=/, '')
    .trim()
    .replace(/^\{\{([^]*)\}\}$/, '$1')
    .trim()
    .replaceAll(/^["'`]|["'`]$/g, '');
}

const WRAPPED = /^(?:Boolean|String)\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/;
const COMPARED = /^(.*?)\s*(===?|!==?)\s*(true|false|null|undefined|'[^']*'|"[^"]*")$/s;
/** A part is taken apart further; what is longer, or goes deeper, is code. */
const PARTS_MAX = 20;
const LENGTH_MAX = 2_000;
const DEPTH_MAX = 6;

/** The value of an expression; undefined where it does not follow from the answer. What is too clever to read is believed. */
function valueWhenHeld(expression: string, asked: Asked, depth = 0): Value {
  const text = bare(expression.slice(0, LENGTH_MAX));
  if (!mentions(text, asked)) return undefined;
  if (expression.length > LENGTH_MAX || depth > DEPTH_MAX) return false;
  const truthOf = (part: string): Certain => {
    const value = valueWhenHeld(part.trim(), asked, depth + 1);
    return value === undefined ? null : Boolean(value);
  };
  const alternatives = text.split('||', PARTS_MAX);
  if (alternatives.length > 1) return either(alternatives.map(truthOf)) ?? undefined;
  const parts = text.split('&&', PARTS_MAX);
  if (parts.length > 1) return all(parts.map(truthOf)) ?? undefined;
  if (/^!(?!=)/.test(text)) {
    const inner = truthOf(text.slice(1));
    return inner === null ? undefined : !inner;
  }
  const [, left, operator, right] = COMPARED.exec(text) ?? [];
  if (left !== undefined && operator !== undefined && right !== undefined) {
    const value = valueWhenHeld(left, asked, depth + 1);
    if (value === undefined) return undefined;
    const isEqual = String(value) === (right === 'undefined' ? 'null' : bare(right));
    return operator.startsWith('!') ? !isEqual : isEqual;
  }
  const inner = WRAPPED.exec(text)?.[1] ?? /^\((.*)\)$/s.exec(text)?.[1];
  return inner === undefined ? fieldWhenHeld(text, asked) : valueWhenHeld(inner, asked, depth + 1);
}

type Value = boolean | string | null | undefined;

function fieldWhenHeld(text: string, { question }: Asked): Value {
  const field = /(?:\.|\[\s*["'`])(\w+)["'`\])\s]*(?:\.to\w+\(\))*$/.exec(text)?.[1] ?? '';
  const held = HELD[question];
  return Object.hasOwn(held, field) ? held[field] : false;
}
