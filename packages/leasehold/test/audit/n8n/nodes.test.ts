/** What single nodes are taken for: left-out operations, addresses, code, unknown types. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classify } from '../../../src/audit/n8n-nodes/classify.ts';
import type { NodeFacts } from '../../../src/audit/n8n-nodes/facts.ts';
import { defaultsOf, KNOWN_TYPES, operationOf } from '../../../src/audit/n8n-nodes/defaults/defaults.ts';
import { classOf } from '../../../src/audit/n8n-nodes/operations.ts';
import { readDefinition } from '../../../src/audit/readers/n8n-workflow/read-definition.ts';

function factsOf(type: string, version: number, parameters: Record<string, unknown>): NodeFacts {
  const full = type.includes('.') ? type : `n8n-nodes-base.${type}`;
  const [node] =
    readDefinition({ nodes: [{ name: 'A', type: full, typeVersion: version, parameters }] }, 'a')?.nodes ?? [];
  if (node === undefined) throw new Error('no node');
  return classify(node);
}

function does(type: string, version = 1, parameters: Record<string, unknown> = {}): string {
  const { does: kind, writes, isLookup, guard } = factsOf(type, version, parameters);
  const repeats = writes.map(({ repeat }) => repeat).join('+');
  return [kind, repeats, isLookup ? 'one' : '', guard ?? ''].filter((word) => word !== '').join(' ');
}

/** Type, version and what a node without parameters does. */
const LEFT_OUT: readonly (readonly [string, number, string])[] = [
  ['googleSheets', 4.5, 'read'],
  ['googleSheets', 1, 'read'],
  ['postgres', 2.5, 'write again'],
  ['postgres', 1, 'write again'],
  ['mySql', 2, 'write again'],
  ['microsoftSql', 1.1, 'write again'],
  ['mongoDb', 1.2, 'read'],
  ['redis', 1, 'read one'],
  ['supabase', 1, 'write again'],
  ['dataTable', 1, 'write again'],
  ['airtable', 2.1, 'read one'],
  ['airtable', 1, 'read'],
  ['notion', 3, 'write again'],
  ['baserow', 1, 'read'],
  ['nocoDb', 3, 'read one'],
  ['microsoftExcel', 2, 'read one'],
  ['gmail', 2.1, 'write leaves'],
  ['gmail', 1, 'write again'],
  ['slack', 2.2, 'write leaves'],
  ['telegram', 1.2, 'write leaves'],
  ['discord', 2, 'write again'],
  ['discord', 1, 'write leaves'],
  ['emailSend', 2.1, 'write leaves'],
  ['emailSend', 1, 'write leaves'],
  ['twilio', 1, 'write leaves'],
  ['whatsApp', 1, 'write leaves'],
  ['linkedIn', 1, 'write leaves'],
  ['twitter', 2, 'write leaves'],
  ['hubspot', 2.1, 'write same'],
  ['hubspot', 1, 'write again'],
  ['pipedrive', 1, 'write again'],
  ['salesforce', 1, 'write again'],
  ['stripe', 1, 'read one'],
  ['shopify', 1, 'write leaves'],
  ['googleCalendar', 1.3, 'write again'],
  ['googleDrive', 3, 'write again'],
  ['awsS3', 2, 'read one'],
  ['httpRequest', 4.2, 'read'],
  ['rssFeedRead', 1, 'read'],
  ['openAi', 1, 'cost'],
  ['@n8n/n8n-nodes-langchain.openAi', 1.8, 'cost'],
  ['set', 3.4, 'transform'],
  ['splitInBatches', 3, 'loop'],
  ['wait', 1.1, 'wait'],
  ['executeWorkflow', 1, 'call'],
  ['executeCommand', 1, 'unknown'],
  ['n8n-nodes-odd.thing', 1, 'unknown'],
  ['scheduleTrigger', 1.2, 'trigger'],
  ['gmailTool', 2.1, 'write leaves'],
];

describe('nodes that leave things out', () => {
  for (const [type, version, expected] of LEFT_OUT)
    it(`${type} ${version} without parameters: ${expected}`, () => assert.equal(does(type, version), expected));

  it('the table knows more than fifty types, and what each default does', () => {
    assert.ok(KNOWN_TYPES.length >= 100, String(KNOWN_TYPES.length));
    for (const type of KNOWN_TYPES) {
      const found = defaultsOf(type, 99);
      const resources = typeof found?.operation === 'object' ? Object.keys(found.operation) : [found?.resource ?? null];
      for (const resource of resources) {
        const operation = found === null ? null : operationOf(found, resource);
        if (operation !== null && operation !== 'executeQuery' && !UNKNOWN.has(`${type} ${operation}`))
          assert.notEqual(classOf(type, resource, operation), 'unknown', `${type} ${resource} ${operation}`);
      }
    }
  });
});

/** They run something that nobody sees. */
const UNKNOWN = new Set(['ssh execute', 'awsLambda invoke', 'salesforce invoke']);

const REQUESTS: readonly (readonly [method: string, url: string, expected: string])[] = [
  ['GET', 'https://shop.test/orders', 'read'],
  ['GET', '=https://shop.test/orders/{{ $json.id }}', 'read one'],
  ['GET', '=https://shop.test/orders/{{ $json.id }}/lines', 'read one'],
  ['GET', '=https://shop.test/{{ $env.TENANT }}/orders', 'read'],
  ['POST', 'https://shop.test/orders', 'write again'],
  ['POST', 'https://crm.test/deals/search', 'read'],
  ['POST', 'https://api.notion.com/v1/databases/1f/query', 'read'],
  ['POST', 'https://ads.test/v2/customers/7/ads:searchStream', 'read'],
  ['POST', 'https://api.test/graphql', 'read'],
  ['POST', 'https://auth.test/oauth2/token', 'read one'],
  ['POST', 'https://api.openai.com/v1/chat/completions', 'cost'],
  ['POST', 'http://ollama:11434/api/generate', 'cost'],
  ['POST', 'https://hooks.slack.com/services/T/B/x', 'write leaves'],
  ['POST', '=https://api.telegram.org/bot{{ $env.T }}/sendMessage', 'write leaves'],
  ['POST', 'https://mail.test/v1/messages', 'write leaves'],
  ['POST', "={{ $json.base + '/rest/login' }}", 'read one'],
  ['POST', "={{ $json.base + '/orders' }}", 'write again'],
  ['PUT', 'https://shop.test/orders/7', 'write same'],
  ['PATCH', '={{ $json.url }}', 'write same'],
  ['DELETE', 'https://shop.test/orders/7', 'write same'],
  ['={{ $json.method }}', 'https://shop.test/orders', 'unknown'],
  ['GET', 'https://n8n.test/api/v1/executions?status=running', 'read asks-executions'],
  ['POST', 'https://locks.test/v1/locks/orders/acquire', 'transform lock'],
  ['POST', 'https://locks.test/v1/pools/orders/claim', 'transform claim'],
  ['POST', 'https://locks.test/v1/locks/orders/release', 'transform release'],
];

const CODE: readonly (readonly [code: string, expected: string])[] = [
  ['return items.map((item) => item);', 'transform'],
  ['return await this.helpers.httpRequest({ url });', 'unknown'],
  ["const a = await fetch('https://x.test'); return [];", 'unknown'],
  ['// fetch(later)\nreturn items;', 'transform'],
  ["const d = $getWorkflowStaticData('global'); if (d.locked) return []; d.locked = true;", 'transform static-data'],
  ["const d = $getWorkflowStaticData('node'); d.lastId = 7; return items;", 'transform static-data'],
];

describe('what is said of a node', () => {
  const LABELS: readonly (readonly [
    type: string,
    version: number,
    parameters: Record<string, unknown>,
    label: string,
  ])[] = [
    ['gmail', 2.1, {}, 'gmail message/send'],
    ['airtable', 2, { operation: '={{ $json.what }}' }, 'airtable with a computed operation'],
    [
      'postgres',
      2,
      { operation: 'executeQuery', query: '={{ $json.sql }}' },
      'postgres with SQL that is only known when it runs',
    ],
    ['graphql', 1, { query: '={{ $json.query }}' }, 'graphql with a computed query'],
    ['httpRequest', 4, { method: '={{ $json.method }}' }, 'HTTP with a computed method'],
    ['httpRequest', 4, { url: '={{ $json.url }}' }, 'HTTP GET (computed address)'],
    ['code', 2, { jsCode: 'fetch("x")' }, 'code that calls out'],
  ];
  for (const [type, version, parameters, label] of LABELS)
    it(label, () => assert.equal(factsOf(type, version, parameters).label, label));
});

describe('requests and code', () => {
  for (const [method, url, expected] of REQUESTS) {
    it(`${method} ${url} is ${expected}`, () => {
      assert.equal(does('httpRequest', 4.2, { method, url }), expected);
      assert.equal(does('httpRequest', 1, { requestMethod: method, url }), expected);
    });
  }

  it('a mutation is a write', () => {
    const query = 'mutation { addOrder(id: 1) { id } }';
    assert.equal(
      does('httpRequest', 4.2, { method: 'POST', url: 'https://api.test/graphql', body: query }),
      'write again',
    );
    assert.equal(does('graphql', 1, { endpoint: 'https://api.test', query }), 'write again');
    assert.equal(does('graphql', 1, { endpoint: 'https://api.test', query: 'query { orders { id } }' }), 'read');
  });

  for (const [jsCode, expected] of CODE)
    it(`${jsCode.slice(0, 50)} … is ${expected}`, () => assert.equal(does('code', 2, { jsCode }), expected));

  it('a computed operation is unknown', () => {
    assert.equal(does('airtable', 2, { operation: '={{ $json.what }}' }), 'unknown');
  });

  it('an operation that stands in a node of n8n without an entry is read by its name', () => {
    assert.equal(does('freshservice', 1, { resource: 'ticket', operation: 'getAll' }), 'read');
    assert.equal(does('freshservice', 1, { resource: 'ticket' }), 'unknown');
  });
});
