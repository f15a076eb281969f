import { codeOf } from '../../n8n-nodes/code.ts';
import { plainType } from '../../n8n-nodes/classify.ts';
import { textIn } from '../../n8n-nodes/values.ts';
import { doing, type Flow, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isEffect, writesAt } from '../../graph/paths.ts';
import type { Finding } from '../../model/finding.ts';
import { type Fields, numberOf } from '../../readers/n8n-workflow/definition.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';
import { CLAIM } from './steps.ts';

/** Where a list goes in and only one of it comes out, the rest is worked by nobody. */
export function droppedItems(input: StaticInput): readonly Finding[] {
  const { flow, calls } = input;
  const found: Finding[] = [];
  for (const at of flow.order) {
    if (found.length >= FINDINGS_MAX) break;
    const how = howItDrops(input, at);
    if (how === null) continue;
    const read = listBefore(flow, at);
    if (read === null || (how === FIRST_IN_CODE && !isListOf(flow, read, at))) continue;
    const acts = isEffect(flow, at, calls) || actsLater(input, at);
    if (!acts) continue;
    found.push(
      findingOf({
        rule: 'items.dropped',
        severity: 'warning',
        message: `Only the first of the n results of "${nameOf(flow, read)}" is used: "${nameOf(flow, at)}" ${how}, and the other n - 1 are dropped without a word.`,
        evidence: [nodeEvidence(flow, read, 'reads'), nodeEvidence(flow, at, 'takes the first')],
        advice: `If one at a time is meant, set the limit of "${nameOf(flow, read)}" to 1 and mark what was taken; if not, let "${nameOf(flow, at)}" work every item, split the list before it, and keep ${CLAIM} in front.`,
      }),
    );
  }
  return found;
}

/** An answer of HTTP is one item with the list inside: its first item is all of it, and the first of its list is not. */
function isListOf(flow: Flow, read: number, at: number): boolean {
  const parametersOf = (node: number): Fields => flow.definition.nodes[node]?.parameters ?? {};
  const code = codeOf(parametersOf(at));
  if (doing(flow, read)?.reads[0]?.system !== 'http') return code.takesFirst;
  return code.takesFirstOfList && !asksForOne(parametersOf(read));
}

/** In an address, in a body, or as a parameter with a name and a value. */
const ASKS_FOR_ONE =
  /\b(?:limit|per_?page|page_?size|max_?results|top|size|count)(?:["']?\s*[=:]\s*["']?|["']\s*,\s*["']value["']\s*:\s*["']?)1(?!\d)/i;
const ASKED_MAX = 20_000;

function asksForOne(parameters: Fields): boolean {
  return ASKS_FOR_ONE.test(JSON.stringify(parameters).slice(0, ASKED_MAX).replaceAll('\\', ''));
}

const FIRST_IN_CODE = 'takes the first item in its code';
/** Of one workflow; more are of one habit. */
const FINDINGS_MAX = 3;
/** The first of a list in an answer, but not the one answer of a model. */
const FIRST_OF_LIST =
  /\$json(?:\.(?!choices|candidates|content|parts|output|message|embedding)\w+|\["(?!choices|candidates|content)\w+"\])*\[0\]|\$input\.first\(\)|\$input\.all\(\)\[0\]/;

function howItDrops({ flow, calls }: StaticInput, at: number): string | null {
  const node = flow.definition.nodes[at];
  const facts = doing(flow, at);
  if (node === undefined || facts === null || facts.does === 'trigger') return null;
  const type = plainType(node);
  if (type === 'limit' && numberOf(node.parameters['maxItems'] ?? 1) === 1) return 'keeps one item (Limit)';
  const writes = writesAt(flow, at, calls).length > 0;
  if (node.executesOnce && writes) return 'runs for one item only (executeOnce)';
  const code = codeOf(node.parameters);
  if (facts.does === 'transform' && (code.takesFirst || code.takesFirstOfList)) return FIRST_IN_CODE;
  const uses = facts.does === 'transform' || facts.does === 'read' || writes;
  if (uses && !isCode(type) && FIRST_OF_LIST.test(textIn(node.parameters)))
    return 'takes the first entry in an expression';
  return null;
}

function isCode(type: string): boolean {
  return type === 'code' || type === 'function' || type === 'functionItem';
}

/** The read whose list arrives here: the nearest one, with nothing between that makes one item of many. */
function listBefore(flow: Flow, at: number): number | null {
  const seen = new Set<number>();
  const waiting = [...(flow.before[at] ?? [])];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const facts = doing(flow, node);
    const parameters = flow.definition.nodes[node]?.parameters ?? {};
    if (facts?.does === 'read') {
      if (facts.isLookup || numberOf(parameters['limit']) === 1) continue;
      return node;
    }
    if (facts !== null && STOPS.has(facts.does)) continue;
    if (/^(?:aggregate|summarize|limit)$/.test(facts?.label ?? '') || codeOf(parameters).makesOne) continue;
    waiting.push(...(flow.before[node] ?? []));
  }
  return null;
}

/** What comes out of these is not the list that was read. */
const STOPS: ReadonlySet<string> = new Set(['cost', 'write', 'unknown', 'call', 'loop', 'trigger']);

function actsLater({ flow, calls }: StaticInput, at: number): boolean {
  return [...reachedFrom(flow, [at])].some((node) => node !== at && isEffect(flow, node, calls));
}
