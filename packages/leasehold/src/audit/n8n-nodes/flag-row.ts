import { fieldsOf, isFields, listOf, type N8nNode, textOf } from '../readers/n8n-workflow/definition.ts';
import { textIn } from './values.ts';

/**
 * One row that is read or written whatever item is at hand, as a flag is: `update flags set running = true where id = 1`.
 * What is a record's is named by its item (`{{ $json.id }}`, columns that are mapped by themselves).
 */
export interface FlagRow {
  /** What it is found by: columns and the constants that they have to be. */
  readonly keys: ReadonlyMap<string, string>;
  /** What is written, constants and the time; empty for a read. */
  readonly sets: ReadonlyMap<string, string>;
  /** Null where the node has a form in place of SQL. */
  readonly sql: string | null;
}

const OF_ITEM = /\$json|\$binary|\$input|\$item|\$node\b|\$\(|\bitem\.json|autoMapInputData/;
const LENGTH_MAX = 4_000;
const CONSTANT = String.raw`(?:'[^']*'|-?\d+(?:\.\d+)?|true|false|null|\?|\$\d+)(?:::\w+)?`;
const NOW = String.raw`(?:now\(\)|current_timestamp|getdate\(\)|clock_timestamp\(\))`;
const KEY = new RegExp(String.raw`^\(?\s*([\w."]+)\s*(?:=|is)\s*(${CONSTANT})\s*\)?$`);
const SET = new RegExp(String.raw`^\s*([\w."]+)\s*=\s*(${CONSTANT}|${NOW})\s*$`);

/** Null where the node speaks of its item, or of more than one row. */
export function flagRowOf({ parameters }: N8nNode): FlagRow | null {
  if (OF_ITEM.test(textIn(parameters))) return null;
  const query = textOf(parameters['query']);
  if (query === null) return formOf(parameters);
  // What n8n knows of the workflow is as constant as a number.
  const sql = query
    .slice(0, LENGTH_MAX)
    .replace(/^=/, '')
    .replaceAll(/'?\{\{[^{}]*\}\}'?/g, '?')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[; ]+$/, '');
  if (sql.includes(';') || /\bjoin\b|\bwith\b/.test(sql)) return null;
  return { keys: keysIn(sql), sets: setsIn(sql), sql };
}

function formOf(parameters: N8nNode['parameters']): FlagRow {
  const columns = fieldsOf(parameters['columns']);
  const keys = [
    ...listOf(fieldsOf(parameters['where'])['values']).map(fieldsOf),
    ...listOf(fieldsOf(parameters['filters'])['conditions']).map(fieldsOf),
  ].map(({ column, keyName, value, keyValue }) => [wordOf(column ?? keyName), wordOf(value ?? keyValue)] as const);
  const matching = new Set(listOf(columns['matchingColumns']).map(wordOf));
  const values = Object.entries(fieldsOf(columns['value'])).map(([name, value]) => [name, wordOf(value)] as const);
  return {
    keys: new Map([...keys, ...values.filter(([name]) => matching.has(name))]),
    sets: new Map(values.filter(([name]) => !matching.has(name))),
    sql: null,
  };
}

/** A column may be named as a resource locator. */
function wordOf(value: unknown): string {
  const own = isFields(value) ? value['value'] : value;
  return typeof own === 'boolean' ? String(own) : (textOf(own) ?? '');
}

function keysIn(sql: string): ReadonlyMap<string, string> {
  const where = /\bwhere (.*?)(?: limit \d+| order by .*| for update.*| returning .*)*$/.exec(sql)?.[1] ?? '';
  return pairs(where.split(/ and /), KEY);
}

function setsIn(sql: string): ReadonlyMap<string, string> {
  const set = /\bset (.*?)(?: where .*)?$/.exec(sql)?.[1] ?? '';
  return pairs(set.split(','), SET);
}

function pairs(parts: readonly string[], form: RegExp): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of parts) {
    const [, column, value] = form.exec(part.trim()) ?? [];
    if (column !== undefined && value !== undefined) found.set(column.replaceAll('"', ''), value);
  }
  return found;
}
