/**
 * What one node does. Facts by type and version come from tables; SQL, addresses and code are read. A type that the
 * tables don't have stays unknown, and the findings say so: it may read, write or send.
 */
import { fieldsOf, type N8nNode, textOf } from '../readers/n8n-workflow/definition.ts';
import { replaceExpressions } from './blank.ts';
import { codeFacts } from './code.ts';
import { defaultsOf, operationOf } from './defaults/defaults.ts';
import { factsWith, type GuardKind, type NodeFacts, type Place } from './facts.ts';
import { httpFacts } from './http.ts';
import { sqlLockCall } from './lock-terms.ts';
import { classOf } from './operations.ts';
import { placeOf, qualified, SQL_TYPES } from './places.ts';
import { AGENTS, MODELS, STARTERS, TRANSFORMS } from './plain-types.ts';
import { readSql } from './sql.ts';
import { isExpression } from './values.ts';

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
/** Ours, also loaded by the way of custom folders. */
const LEASEHOLD = /leasehold/i;

export function classify(node: N8nNode): NodeFacts {
  if (LEASEHOLD.test(node.type)) return oursBy(node);
  const type = plainType(node);
  if (STARTERS.has(type) || type.endsWith('Trigger')) return trigger(node, type);
  if (!node.type.startsWith(BASE)) return langchain(node, type);
  if (TRANSFORMS.has(type)) return factsWith('transform', type);
  switch (type) {
    case 'httpRequest':
      return httpFacts(node.parameters);
    case 'graphql':
      return graphql(node);
    case 'code':
    case 'function':
    case 'functionItem':
      return codeFacts(node.parameters);
    case 'wait':
      return factsWith('wait', type);
    case 'splitInBatches':
      return factsWith('loop', type);
    case 'executeWorkflow':
      return factsWith('call', type);
    case 'removeDuplicates':
      return duplicates(node);
    case 'rssFeedRead':
      return factsWith('read', 'rssFeedRead', { reads: [{ system: 'rss', base: null, table: null }], bound: 'all' });
    case 'facebookGraphApi':
      return factsWithMethod(node, textOf(node.parameters['httpRequestMethod']) ?? 'GET');
    case 'writeBinaryFile':
      return factsWith('write', type, { writes: [{ system: 'file', base: null, table: null, repeat: 'same' }] });
    default:
      if (SENDERS.has(type)) return sender(type, node);
      return MODELS.has(type) && defaultsOf(type, node.version) === null
        ? factsWith('cost', type)
        : service(node, type);
  }
}

/** A trigger of a service that the tables know brings records of it: its read. */
function trigger({ parameters, credentials }: N8nNode, type: string): NodeFacts {
  const system = type.endsWith('Trigger') ? type.slice(0, -'Trigger'.length) : type;
  const reads = defaultsOf(system, 1) === null ? [] : [placeOf(system, parameters, credentials, null)];
  return factsWith('trigger', type, { reads });
}

/** Versions whose description has neither resource nor operation: they do one thing. */
const SENDERS: ReadonlySet<string> = new Set(['kafka', 'mqtt', 'amqp', 'mailgun', 'ntfy']);

function sender(type: string, { credentials }: N8nNode): NodeFacts {
  const base = credentials === '' ? null : credentials;
  return factsWith('write', type, { writes: [{ system: type, base, table: null, repeat: 'leaves' }] });
}

/** The type without its package, and without the ending of its version for agents. */
export function plainType({ type }: N8nNode): string {
  const short = type.slice(type.lastIndexOf('.') + 1);
  return type.startsWith(BASE) && short.length > 4 && short.endsWith('Tool') ? short.slice(0, -4) : short;
}

/** Our own node has an output for each answer, unless it is told to go on with an empty item where it has none. */
function oursBy({ type, parameters, alwaysOutputs }: N8nNode): NodeFacts {
  if (/trigger$/i.test(type)) return factsWith('trigger', 'leasehold');
  const words = `${type} ${textOf(parameters['resource']) ?? ''} ${textOf(parameters['operation']) ?? ''}`;
  const guard: GuardKind | null = /release|complete|fail|verdict|done/i.test(words)
    ? 'release'
    : /claim/i.test(words)
      ? 'claim'
      : /checkpoint/i.test(words)
        ? null
        : 'lock';
  const asks = alwaysOutputs && guard === 'lock' ? 'proceed' : null;
  const call = guard === 'release' && /release/i.test(words) ? ({ does: 'free', name: null } as const) : null;
  return factsWith('transform', 'leasehold', { guard, asks, call });
}

function langchain(node: N8nNode, type: string): NodeFacts {
  if (!node.type.startsWith(LANGCHAIN)) return factsWith('unknown', node.type);
  if (type.startsWith('vectorStore')) {
    const mode = textOf(node.parameters['mode']) ?? 'retrieve';
    const place: Place = { system: type, base: null, table: null };
    return mode === 'insert' || mode === 'update'
      ? factsWith('write', `${type} ${mode}`, { writes: [{ ...place, repeat: mode === 'insert' ? 'again' : 'same' }] })
      : factsWith('cost', `${type} ${mode}`);
  }
  if (type === 'toolHttpRequest') return httpFacts(node.parameters);
  if (type === 'toolCode' || type === 'mcpClientTool' || type === 'toolWorkflow') return factsWith('unknown', type);
  return factsWith('cost', AGENTS.has(type) || MODELS.has(type) ? type : 'model');
}

function graphql({ parameters }: N8nNode): NodeFacts {
  const text = textOf(parameters['query']) ?? '';
  const base = textOf(parameters['endpoint']);
  const place: Place = { system: 'graphql', base: isExpression(base) ? null : base, table: null };
  if (/\bmutation\b/i.test(text))
    return factsWith('write', 'graphql mutation', { writes: [{ ...place, repeat: 'again' }] });
  return isExpression(text) && !/\bquery\b|^\s*(?:=\s*)?\{[^{]/.test(replaceExpressions(text, ''))
    ? factsWith('unknown', 'graphql with a computed query')
    : factsWith('read', 'graphql query', { reads: [place] });
}

function duplicates({ parameters }: N8nNode): NodeFacts {
  const remembers = parameters['operation'] === 'removeItemsSeenInPreviousExecutions';
  return factsWith('transform', 'removeDuplicates', { guard: remembers ? 'remove-duplicates' : null });
}

function factsWithMethod(node: N8nNode, method: string): NodeFacts {
  const place: Place = { system: plainType(node), base: node.credentials || null, table: null };
  return method === 'GET'
    ? factsWith('read', `${place.system} GET`, { reads: [place] })
    : factsWith('write', `${place.system} ${method}`, { writes: [{ ...place, repeat: 'leaves' }] });
}

/** A node that speaks to one service by resource and operation. */
function service(node: N8nNode, type: string): NodeFacts {
  const found = defaultsOf(type, node.version);
  if (found === null) return unlisted(node, type);
  const { parameters } = node;
  if (isStub(node)) {
    const place = placeOf(type, parameters, node.credentials, null);
    return factsWith('write', `${type} without parameters, by its name an update`, {
      writes: [{ ...place, repeat: 'same' }],
    });
  }
  const resource = textOf(parameters['resource']) ?? found.resource ?? null;
  const operation = textOf(parameters['operation']) ?? operationOf(found, resource) ?? onlyOperation(type);
  const label = `${type} ${[resource, operation].filter((word) => word !== null).join('/')}`;
  if (operation === null || isExpression(operation) || isExpression(resource))
    return factsWith('unknown', `${type} with a computed operation`);
  if (operation === 'executeQuery' && SQL_TYPES.has(type)) return query(node, label);
  const place = placeOf(type, parameters, node.credentials, resource);
  return byClass(node, { type, resource, operation, label, place });
}

/** Nothing is filled in yet, as in sketches that people share: its name is all that tells what it is to do. */
function isStub({ parameters, name }: N8nNode): boolean {
  return Object.keys(parameters).length === 0 && /\b(?:update|mark|set)\b|\bstatus\b/i.test(name);
}

/** Old versions that do one thing and have no operation. */
function onlyOperation(type: string): string | null {
  return type === 'emailSend' || type === 'discord' ? 'send' : null;
}

interface Operation {
  readonly type: string;
  readonly resource: string | null;
  readonly operation: string;
  readonly label: string;
  readonly place: Place;
}

function byClass({ parameters, name }: N8nNode, { type, resource, operation, label, place }: Operation): NodeFacts {
  const guard =
    type === 'redis' ? redisGuard(operation) : type === 'n8n' && resource === 'execution' ? 'asks-executions' : null;
  const kind = classOf(type, resource, operation);
  switch (kind) {
    case 'read-many':
      return factsWith('read', label, { reads: [place], bound: boundOf(type, parameters), guard });
    case 'read-one':
      return factsWith('read', label, { reads: [place], bound: 'limited', guard, isLookup: true });
    case 'same':
    case 'again':
    case 'leaves':
      return factsWith('write', label, { writes: [{ ...place, repeat: kind }], guard });
    case 'cost':
      return factsWith('cost', label);
    case 'unknown':
      return factsWith('unknown', label || name);
  }
}

function redisGuard(operation: string): GuardKind | null {
  const guards: Readonly<Record<string, GuardKind>> = {
    get: 'redis-get',
    set: 'redis-set',
    incr: 'redis-incr',
    delete: 'redis-delete',
  };
  return guards[operation] ?? null;
}

/** Nodes whose default is to return everything. */
const ALL_BY_DEFAULT: ReadonlySet<string> = new Set(['airtable', 'googleSheets', 'microsoftExcel', 'mongoDb']);

function boundOf(type: string, parameters: N8nNode['parameters']): NodeFacts['bound'] {
  if (parameters['returnAll'] === true) return 'all';
  if (isExpression(parameters['returnAll'])) return 'unknown';
  const options = fieldsOf(parameters['options']);
  if (parameters['limit'] !== undefined || options['limit'] !== undefined || options['returnFirstMatch'] === true)
    return 'limited';
  return ALL_BY_DEFAULT.has(type) && parameters['returnAll'] !== false ? 'all' : 'limited';
}

function query({ parameters, credentials, alwaysOutputs }: N8nNode, label: string): NodeFacts {
  const type = label.slice(0, label.indexOf(' '));
  const sql = readSql(textOf(parameters['query']) ?? textOf(parameters['sqlQuery']) ?? '');
  const base = credentials === '' ? null : credentials;
  const at = (table: string | null): Place => ({ system: type, base, table: table === null ? null : qualified(table) });
  const guard: GuardKind | null = sql.isClaim ? 'sql-claim' : null;
  const more = {
    reads: sql.reads.map(at),
    writes: sql.writes.map(({ table, repeat }) => ({ ...at(table), repeat })),
    bound: sql.isLimited || sql.isFigure ? ('limited' as const) : ('all' as const),
    guard,
    // A sum is of records, and hands none of them on.
    isLookup: sql.isFigure,
  };
  if (sql.ours !== null) {
    // `where proceed` gives no row where it is held, and this goes on without one.
    const asks = sql.ours.asks ?? (alwaysOutputs && sql.ours.guard === 'lock' ? 'proceed' : null);
    return factsWith('transform', label, { guard: sql.ours.guard, asks, call: sqlLockCall(parameters) });
  }
  if (sql.connection !== null)
    return factsWith('transform', label, { guard: 'connection-lock', connection: sql.connection });
  if (more.writes.length > 0) return factsWith('write', label, more);
  if (sql.isUnknown) return factsWith('unknown', `${type} with SQL that is only known when it runs`, more);
  if (more.reads.length > 0) return factsWith('read', label, more);
  return factsWith('transform', label, { guard, call: sqlLockCall(parameters) });
}

/** A node of n8n's own that the tables don't have: an operation that stands there is read by its name, nothing is guessed. */
function unlisted(node: N8nNode, type: string): NodeFacts {
  const operation = textOf(node.parameters['operation']);
  const resource = textOf(node.parameters['resource']);
  if (operation === null || isExpression(operation)) return factsWith('unknown', type);
  const place = placeOf(type, node.parameters, node.credentials, resource);
  return byClass(node, { type, resource, operation, label: `${type} ${operation}`, place });
}
