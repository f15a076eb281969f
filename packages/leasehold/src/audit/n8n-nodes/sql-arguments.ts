import { type Fields, fieldsOf, textOf } from '../readers/n8n-workflow/definition.ts';
import { blankExpressions, expressionsIn } from './blank.ts';

/** One argument of a call in SQL, as it stands; parameters (`$1`) are put in as the node fills them. */
export interface SqlArgument {
  readonly text: string;
  /** The same without what stands in texts and expressions: what the database works out itself. */
  readonly code: string;
  /** What n8n works out, without its brackets. */
  readonly expressions: readonly string[];
  /** True where it is given by a parameter that nobody knows. */
  readonly isUnknown: boolean;
}

export type SqlArguments = ReadonlyMap<string, SqlArgument>;

const LENGTH_MAX = 20_000;
const ARGUMENTS_MAX = 40;

/** Arguments of the first call of one of our functions, by name; null where there is none. `names`: in their order. */
export function callArguments(parameters: Fields, called: string, names: readonly string[]): SqlArguments | null {
  const source = (textOf(parameters['query']) ?? '').slice(0, LENGTH_MAX).replace(/^=/, '');
  if (!/leasehold/i.test(source)) return null;
  const masked = blanked(source);
  const found = new RegExp(String.raw`\b"?leasehold"?\s*\.\s*"?${called}"?\s*\(`, 'i').exec(masked);
  if (found === null) return null;
  const given = replacements(parameters);
  const call = new Map<string, SqlArgument>();
  for (const [index, [from, to]] of rangesIn(masked, found.index + found[0].length).entries()) {
    const [head = '', name] = /^\s*"?(\w+)"?\s*(?:=>|:=)/.exec(masked.slice(from, to)) ?? [];
    const key = name?.toLowerCase() ?? names[index];
    if (key !== undefined && !call.has(key)) call.set(key, argumentOf(source.slice(from + head.length, to), given));
  }
  return call;
}

/** Of one length with the source: texts, comments and expressions are blanked. */
function blanked(source: string): string {
  const blank = (text: string): string => '?'.repeat(text.length);
  return blankExpressions(source).replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[^]*?\*\//g, (text) =>
    text.startsWith("'") ? `'${blank(text.slice(2))}'` : ' '.repeat(text.length),
  );
}

/** From the opening bracket to the one that closes it, parted at commas. */
function rangesIn(masked: string, start: number): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let [depth, from] = [0, start];
  for (let at = start; at < masked.length && ranges.length < ARGUMENTS_MAX; at += 1) {
    const sign = masked[at];
    if (sign === '(' || sign === '[') depth += 1;
    else if (depth > 0 && (sign === ')' || sign === ']')) depth -= 1;
    else if (depth === 0 && (sign === ')' || sign === ',')) {
      if (masked.slice(from, at).trim() !== '') ranges.push([from, at]);
      if (sign === ')') break;
      from = at + 1;
    }
  }
  return ranges;
}

function argumentOf(source: string, given: readonly string[] | null): SqlArgument {
  let isUnknown = false;
  const text = source.trim().replaceAll(/\$(\d{1,2})\b/g, (_whole, number: string) => {
    const value = given?.[Number(number) - 1];
    isUnknown ||= value === undefined;
    return value ?? '?';
  });
  const expressions = expressionsIn(text);
  const code = blankExpressions(text).replaceAll(/'(?:[^']|'')*'|--[^\n]*/g, "''");
  return { text, code, expressions, isUnknown };
}

/** What a node fills in for `$1`, `$2`: a list of expressions, each with its brackets. Null where nobody can tell. */
function replacements(parameters: Fields): readonly string[] | null {
  const text = textOf(fieldsOf(parameters['options'])['queryReplacement']);
  if (text === null) return null;
  const source = text.slice(0, LENGTH_MAX).replace(/^=/, '').trim();
  const list = /^\{\{\s*\[([^]*)\]\s*\}\}$/.exec(source)?.[1];
  if (list !== undefined) return parted(list).map((each) => constantText(each) ?? `{{ ${each} }}`);
  // `{{ $json.values }}` may be a list itself.
  if (/^\{\{[^]*\}\}$/.test(source) && parted(source).length === 1) return [source];
  return parted(source).map((each) => (each.startsWith('{{') ? each : `'${each}'`));
}

const constantText = (text: string): string | null => {
  const inner = /^(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)$/.exec(text);
  return inner === null ? null : `'${inner[1] ?? inner[2] ?? inner[3] ?? ''}'`;
};

/** At commas that stand in no bracket and no text. */
function parted(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from, quote] = [0, 0, ''];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (/["'`]/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign)) depth += 1;
    else if (/[)\]}]/.test(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== '');
}
