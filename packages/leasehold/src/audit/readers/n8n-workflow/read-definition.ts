import { quoted } from '../../quoted.ts';
import { readInstant } from '../live/instant.ts';
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  nameIn,
  numberOf,
  type N8nDefinition,
  type N8nEdge,
  type N8nNode,
  textOf,
} from './definition.ts';

/** More than any person draws; a file with more is cut there, and that is said. */
const NODES_MAX = 5_000;
const EDGES_MAX = 50_000;
const NAMED_MAX = 3;

/** Reads one workflow object. Null where it isn't one: no list of nodes. `isLive`: the system that runs it gave it. */
export function readDefinition(value: Fields, source: string, isLive = false): N8nDefinition | null {
  const published = fieldsOf(value['activeVersion']);
  const drawn = Array.isArray(published['nodes']) ? published : value;
  if (!Array.isArray(drawn['nodes']) && drawn['nodes'] !== null) return null;
  const oddities: string[] = [];
  const nodes = readNodes(listOf(drawn['nodes']), oddities);
  const name = nameIn(value['name']) ?? nameIn(value['id']) ?? source;
  return {
    id: nameIn(value['id']) ?? name,
    hasId: textOf(value['id']) !== null,
    name,
    source,
    isActive: readActive(value),
    changedAtMs: readInstant(value['updatedAt']).ms,
    nodes,
    edges: readEdges(fieldsOf(drawn['connections']), nodes, oddities),
    settings: fieldsOf(value['settings']),
    isArchived: value['isArchived'] === true,
    isLive,
    oddities,
  };
}

/** The draft's version where another one is published, so that the reader may say which was looked at. */
export function draftBeside(value: Fields): { readonly draft: string; readonly published: string } | null {
  const published = textOf(fieldsOf(value['activeVersion'])['versionId']);
  const draft = textOf(value['versionId']);
  return published === null || draft === null || published === draft ? null : { draft, published };
}

function readActive(value: Fields): boolean | null {
  if (value['isArchived'] === true) return false;
  if (typeof value['active'] === 'boolean') return value['active'];
  if (value['activeVersionId'] === null) return false;
  return textOf(value['activeVersionId']) === null ? null : true;
}

function readNodes(values: readonly unknown[], oddities: string[]): N8nNode[] {
  const nodes: N8nNode[] = [];
  let unusable = 0;
  for (const value of values.slice(0, NODES_MAX)) {
    const node = readNode(value);
    if (node === null) unusable += 1;
    else nodes.push(node);
  }
  if (unusable > 0) oddities.push(`${unusable} nodes have no name or no type and were left out`);
  if (values.length > NODES_MAX) oddities.push(`of ${values.length} nodes only the first ${NODES_MAX} were looked at`);
  return nodes;
}

/** Of a node that names no version n8n takes the newest. */
const NEWEST = Number.MAX_SAFE_INTEGER;

function readNode(value: unknown): N8nNode | null {
  if (!isFields(value)) return null;
  const type = nameIn(value['type']);
  const name = nameIn(value['name']) ?? nameIn(value['id']);
  if (type === null || name === null) return null;
  const version = numberOf(value['typeVersion'] ?? NEWEST);
  return {
    name,
    type,
    version: Number.isFinite(version) ? version : 1,
    parameters: fieldsOf(value['parameters']),
    credentials: readCredentials(fieldsOf(value['credentials'])),
    isDisabled: value['disabled'] === true,
    onError: readOnError(value),
    retriesOnFail: value['retryOnFail'] === true,
    executesOnce: value['executeOnce'] === true,
    alwaysOutputs: value['alwaysOutputData'] === true,
    position: readPosition(value['position']),
  };
}

function readPosition(value: unknown): N8nNode['position'] {
  const [x = 0, y = 0] = listOf(value).map(numberOf);
  return [Number.isFinite(x) ? x : 0, Number.isFinite(y) ? y : 0];
}

function readOnError(value: Fields): N8nNode['onError'] {
  if (value['onError'] === 'continueErrorOutput') return 'error-output';
  if (value['onError'] === 'continueRegularOutput') return 'continue';
  return value['onError'] === undefined && value['continueOnFail'] === true ? 'continue' : 'stop';
}

function readCredentials(value: Fields): string {
  return Object.values(value)
    .map((entry) => (isFields(entry) ? (textOf(entry['id']) ?? textOf(entry['name'])) : textOf(entry)))
    .filter((id) => id !== null)
    .toSorted()
    .join('+');
}

/** Connections name nodes: of two nodes with one name n8n can only mean one, and the first is taken. */
function readEdges(connections: Fields, nodes: readonly N8nNode[], oddities: string[]): N8nEdge[] {
  const byName = new Map<string, number>();
  const doubled = new Set<string>();
  for (const [index, { name }] of nodes.entries()) {
    if (byName.has(name)) doubled.add(name);
    else byName.set(name, index);
  }
  if (doubled.size > 0)
    oddities.push(`several nodes are named ${quoted([...doubled], NAMED_MAX)}: connections go to the first`);
  const edges: N8nEdge[] = [];
  const missing = new Set<string>();
  for (const [name, outputs] of Object.entries(connections)) {
    const from = byName.get(nameIn(name) ?? '');
    if (from === undefined) missing.add(nameIn(name) ?? '');
    else readOutputs(fieldsOf(outputs), from, { byName, edges, missing });
  }
  if (missing.size > 0) oddities.push(`connections name nodes that don't exist: ${quoted([...missing], NAMED_MAX)}`);
  if (edges.length >= EDGES_MAX) oddities.push(`only the first ${EDGES_MAX} connections were looked at`);
  return edges;
}

interface Reading {
  readonly byName: ReadonlyMap<string, number>;
  readonly edges: N8nEdge[];
  readonly missing: Set<string>;
}

function readOutputs(outputs: Fields, from: number, reading: Reading): void {
  for (const [type, lists] of Object.entries(outputs)) {
    for (const [output, targets] of listOf(lists).entries()) {
      // The oldest files have no list around the targets of the one output.
      for (const target of isFields(targets) ? [targets] : listOf(targets))
        readTarget(target, { from, output, type }, reading);
    }
  }
}

function readTarget(target: unknown, edge: Omit<N8nEdge, 'to'>, { byName, edges, missing }: Reading): void {
  if (edges.length >= EDGES_MAX) return;
  const name = nameIn(fieldsOf(target)['node']);
  const to = name === null ? undefined : byName.get(name);
  if (to !== undefined) edges.push({ ...edge, to });
  else if (name !== null) missing.add(name);
}
