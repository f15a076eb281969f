import { numberOf } from '../readers/n8n-workflow/definition.ts';
import { valueOfSum } from './arithmetic.ts';
import { isExpression } from './values.ts';

/** What is longer is no constant that somebody wrote. */
const LENGTH_MAX = 300;
const WHOLE = /^=\s*\{\{([^{}]*)\}\}\s*$/;
const CONVERTED = /^(?:Number|parseInt|parseFloat|Math\.(?:round|floor|ceil)|String)\(\s*(.*?)\s*(?:,\s*10\s*)?\)$/s;
const QUOTED = /^(["'`])([^"'`$\\]*)\1$/;

/** What an expression of constants comes to: `={{ 3*24 }}`, `={{ "hours" }}`; null where it is only known when it runs. */
export function constantOf(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  if (!isExpression(value)) return value;
  if (value.length > LENGTH_MAX) return null;
  const inner = WHOLE.exec(value)?.[1];
  // `=30` is a template without anything to fill in.
  if (inner === undefined) return value.includes('{{') ? null : value.slice(1);
  return written(inner.trim());
}

function written(text: string): string | number | null {
  const sum = valueOfSum(text);
  if (sum !== null) return sum;
  const quoted = QUOTED.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  const inner = CONVERTED.exec(text)?.[1];
  return inner === undefined ? null : written(inner);
}

/** The same where it is a number; null for everything else. */
export function constantNumberOf(value: unknown): number | null {
  const constant = constantOf(value);
  const number = numberOf(constant);
  return constant === null || Number.isNaN(number) ? null : number;
}
