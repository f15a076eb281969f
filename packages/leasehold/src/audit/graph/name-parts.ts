import { plainType } from '../n8n-nodes/classify.ts';
import { codeOf } from '../n8n-nodes/code.ts';
import { varyingText } from '../n8n-nodes/lock-terms.ts';
import { varyingExpression, type VaryingPart } from '../n8n-nodes/varying-name.ts';
import { type Fields, fieldsOf, listOf, type N8nNode, textOf } from '../readers/n8n-workflow/definition.ts';
import type { Flow } from './flow.ts';

const OWN = /^\$json\s*(?:\.\s*(\w{1,60})|\[\s*["'`]([^"'`]{1,60})["'`]\s*\])$/;
const OTHER =
  /^\$(?:\(\s*["'`]([^"'`]{1,200})["'`]\s*\)|node\[\s*["'`]([^"'`]{1,200})["'`]\s*\])\s*(?:\.(?:first\(\)|last\(\)|item))?\s*\.json\s*(?:\.\s*(\w{1,60})|\[\s*["'`]([^"'`]{1,60})["'`]\s*\])$/;

/** A part of a name that the node before (or the one that is named) puts together; null where it isn't known to change. */
export function variesBefore(flow: Flow, at: number, parts: readonly string[]): VaryingPart | null {
  for (const part of parts) {
    const [, own, ownOther] = OWN.exec(part) ?? [];
    const [, named, namedOther, field, fieldOther] = OTHER.exec(part) ?? [];
    const wanted = own ?? ownOther ?? field ?? fieldOther;
    if (wanted === undefined) continue;
    const name = named ?? namedOther;
    const sources =
      name === undefined
        ? (flow.before[at] ?? [])
        : flow.order.filter((node) => flow.definition.nodes[node]?.name === name);
    for (const source of sources) {
      const node = flow.definition.nodes[source];
      const found = node === undefined || node.isDisabled ? null : variesIn(node, wanted);
      if (found !== null) return found;
    }
  }
  return null;
}

function variesIn(node: N8nNode, field: string): VaryingPart | null {
  switch (plainType(node)) {
    case 'set':
      return varyingText(assigned(node.parameters, field));
    case 'code':
    case 'function':
      return inCode(codeOf(node.parameters).text, field);
    default:
      return null;
  }
}

/** What a Set node gives this field, in any of its versions; empty where it gives it nothing. */
function assigned(parameters: Fields, field: string): string {
  const lists = [
    listOf(fieldsOf(parameters['assignments'])['assignments']),
    listOf(fieldsOf(parameters['fields'])['values']),
    ...Object.values(fieldsOf(parameters['values'])).map(listOf),
  ];
  const given = lists
    .flat()
    .map(fieldsOf)
    .find(({ name }) => name === field);
  return textOf(given?.['value'] ?? given?.['stringValue']) ?? '';
}

const VALUE_MAX = 400;

/** `lock: 'a-' + $execution.id`, `item.json.lock = …`. */
function inCode(text: string, field: string): VaryingPart | null {
  if (!/^\w+$/.test(field)) return null;
  const value = new RegExp(`\\b${field}["'\`]?\\s*[:=]([^,;\\n]{1,${VALUE_MAX}})`).exec(text)?.[1];
  return value === undefined ? null : varyingExpression(value);
}
